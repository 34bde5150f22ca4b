import type { Gateway } from '../../gateway/gateway.ts';
import type { ConnectionSummary, Integration, Provider } from '../../gateway/library.ts';

/** Connections offered for the first call. */
const OFFERED = 20;

/** How far the account is. */
export interface Progress {
  readonly integrations: readonly Integration[];
  /** The newest active ones. */
  readonly connections: readonly ConnectionSummary[];
  readonly providers: readonly Provider[];
  readonly hasKey: boolean;
  /** A call was made with a key. */
  readonly hasCalled: boolean;
}

/** Reads what there is already. */
export async function loadProgress(gateway: Gateway, signal: AbortSignal): Promise<Progress> {
  const [integrations, { connections }, keys, providers] = await Promise.all([
    gateway.integrations.list({ signal }),
    gateway.connections.list({ status: 'active', limit: OFFERED }, { signal }),
    gateway.keys.list({ signal }),
    gateway.providers.list({ signal }),
  ]);
  return {
    integrations,
    connections,
    providers,
    hasKey: keys.some(({ revokedAt }) => revokedAt === undefined),
    hasCalled: keys.some(({ lastUsedAt }) => lastUsedAt !== undefined),
  };
}
