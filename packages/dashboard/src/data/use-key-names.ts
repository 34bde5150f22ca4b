import { useGateway } from '../gateway/gateway-context.tsx';
import type { SecretKey } from '../gateway/library.ts';
import { useLoad } from './use-load.ts';

/** Length of the id by which calls name a secret key. */
const SHORT_ID = 12;

/** Secret keys of the account, for pages that show ids of them; none until they are there. */
export function useKeys(): readonly SecretKey[] {
  const gateway = useGateway();
  const { load } = useLoad('names of keys', (signal) => gateway.keys.list({ signal }));
  return load.kind === 'ready' ? load.value : NONE;
}

const NONE: readonly SecretKey[] = [];

/** Id of a secret key as calls and events have it. */
export function shortKeyId(id: string): string {
  return id.slice(0, SHORT_ID);
}

/** Name of the key that an id begins; the id itself where it is not known. */
export function keyName(keys: readonly SecretKey[], keyId: string): string {
  return keys.find(({ id }) => id.startsWith(shortKeyId(keyId)))?.name ?? keyId;
}
