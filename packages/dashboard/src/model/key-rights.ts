import type { SecretKeyRight } from '../gateway/library.ts';

/** What a key may do, in the words of a list and of the form that makes one. The type asks for a row for each right. */
export const KEY_RIGHTS: Readonly<Record<SecretKeyRight, { readonly listed: string; readonly offered: string }>> = {
  proxy: { listed: 'Proxied calls only', offered: 'Proxied calls only' },
  read: {
    listed: 'Proxied calls and reading',
    offered: 'Proxied calls, and reading integrations and connections',
  },
  full: { listed: 'Everything', offered: 'Everything, including changes and connect sessions' },
};

/** Whether something is one of the rights. */
export function isKeyRight(value: unknown): value is SecretKeyRight {
  return typeof value === 'string' && Object.hasOwn(KEY_RIGHTS, value);
}

/** A right as a list shows it; one of a later version of the gateway as it is. */
export function keyRightWords(right: string): string {
  return isKeyRight(right) ? KEY_RIGHTS[right].listed : right;
}
