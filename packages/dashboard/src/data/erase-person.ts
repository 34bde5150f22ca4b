import type { Gateway } from '../gateway/gateway.ts';
import type { ConnectionSummary, Revocation, SecretKey } from '../gateway/library.ts';
import { describeError } from '../model/describe-error.ts';

/** Requests that delete sessions: each one deletes hundreds. */
const SESSION_REQUESTS_MAX = 100;

/** What the gateway has of an end user, as far as it can be listed. */
export interface PersonData {
  readonly endUserId: string;
  readonly connections: readonly ConnectionSummary[];
  /** Keys of their assistants that still work. */
  readonly agentKeys: readonly SecretKey[];
}

/** One step of an erasure. */
export interface ErasureStep {
  readonly what: 'connect sessions' | 'second search' | 'connection' | 'agent key';
  /** Of the connection or key; empty for other steps. */
  readonly id: string;
  readonly isDone: boolean;
  /** A sentence. */
  readonly outcome: string;
}

/** Finds the connections and agent keys of an end user. */
export async function loadPerson(
  gateway: Gateway,
  endUserId: string,
  options: { readonly signal?: AbortSignal } = {},
): Promise<PersonData> {
  const connections: ConnectionSummary[] = [];
  const find = async () => {
    for await (const one of gateway.connections.all({ endUserId, limit: 1000 }, options)) connections.push(one);
  };
  const [keys] = await Promise.all([gateway.keys.list(options), find()]);
  const agentKeys = keys.filter(({ agent, revokedAt }) => revokedAt === undefined && agent?.endUserId === endUserId);
  return { endUserId, connections, agentKeys };
}

/**
 * Erases an end user: sessions first, so that no connection is created meanwhile, then the connections that exist now, with their
 * grants, then agent keys.
 * A step that fails does not keep the others from being taken; everything may be repeated.
 */
export async function erasePerson(gateway: Gateway, person: PersonData): Promise<readonly ErasureStep[]> {
  const steps: ErasureStep[] = [];
  const take = async (what: ErasureStep['what'], id: string, work: () => Promise<string>): Promise<void> => {
    try {
      steps.push({ what, id, isDone: true, outcome: await work() });
    } catch (error) {
      const { title, message } = describeError(error);
      steps.push({ what, id, isDone: false, outcome: `${title}: ${message}` });
    }
  };
  await take('connect sessions', '', () => deleteSessions(gateway, person.endUserId));
  let current = person;
  // Until its session was deleted, a flow could still create a connection that the page did not show.
  await take('second search', '', async () => {
    current = await loadPerson(gateway, person.endUserId);
    const { connections, agentKeys } = current;
    return `Found ${counted(connections.length, 'connection')} and ${counted(agentKeys.length, 'agent key')}.`;
  });
  for (const one of current.connections) {
    await take('connection', nameOf(one), async () =>
      grantInWords(await gateway.connections.delete(one, { revoke: 'if_last' })),
    );
  }
  for (const key of current.agentKeys) {
    await take('agent key', key.id, async () => {
      await gateway.keys.revoke(key.id);
      return 'Revoked.';
    });
  }
  return steps;
}

/** A number with its noun. */
export function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`;
}

function nameOf({ providerConfigKey, connectionId }: ConnectionSummary): string {
  return `${providerConfigKey}/${connectionId}`;
}

async function deleteSessions(gateway: Gateway, endUserId: string): Promise<string> {
  let total = 0;
  for (let request = 0; request < SESSION_REQUESTS_MAX; request++) {
    const { deleted, hasMore } = await gateway.connectSessions.deleteOf(endUserId);
    total += deleted;
    if (!hasMore) return total === 1 ? '1 deleted.' : `${total} deleted.`;
  }
  throw new Error(`${total} sessions were deleted, and more are left`);
}

function grantInWords({ status }: Revocation): string {
  switch (status) {
    case 'revoked':
      return 'Deleted. Its grant was revoked at Google.';
    case 'pending':
      return 'Deleted. Google could not be reached; the gateway retries the revocation until it succeeds.';
    case 'skipped':
      return 'Deleted. Its grant stays, because another connection uses it, or nobody knows whether one does.';
    default:
      return 'Deleted.';
  }
}
