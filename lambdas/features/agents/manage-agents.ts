import { endUserIdOf } from '../../gateway/connections/connection.rules.ts';
import { findConnection } from '../../gateway/connections/find-connection.ts';
import { GatewayError, type Problem } from '../../gateway/core/errors.ts';
import { ownMember } from '../../gateway/core/own-member.ts';
import type { ProviderId } from '../../gateway/providers/provider.rules.ts';
import { connectionsOfUser } from '../../management/connections/connections-of-user.ts';
import type { Services } from '../../management/services.ts';
import type { AgentBinding, AgentConnection } from './agent.rules.ts';

/** The connections for an assistant: those of an end user, or a list. */
export interface WantedBinding {
  readonly endUserId?: string | undefined;
  /** Restricts the end user's connections to these integrations. */
  readonly integrations?: readonly string[] | undefined;
  readonly connections?: readonly AgentConnection[] | undefined;
  readonly tools?: readonly string[] | undefined;
}

/** Connections of an end user that are read: far more than one person has. */
const CONNECTIONS_MAX = 100;
/** The tag of the connection for assistants among several of one provider. */
const AGENT_TAG = 'agent';
const PRIMARY = 'primary';

interface Candidate extends AgentConnection {
  readonly provider: ProviderId;
  readonly endUserId: string | undefined;
  readonly isPrimary: boolean;
}

/**
 * The binding of a key: existing connections of one end user, at most one per provider (MC-20).
 *
 * @returns the problems, or the binding
 */
export async function bindAgent(
  services: Services,
  accountId: string,
  wanted: WantedBinding,
): Promise<{ readonly problems: readonly Problem[]; readonly binding: AgentBinding }> {
  const problems: Problem[] = [];
  const chosen =
    wanted.connections === undefined
      ? await ofEndUser(services, accountId, wanted, problems)
      : await named(services, accountId, wanted.connections, problems);
  const [first] = chosen;
  if (first !== undefined && chosen.some(({ endUserId }) => endUserId !== first.endUserId)) {
    const message = 'belong to different end users: an assistant has one user’s connections';
    problems.push({ path: 'connections', message });
  }
  const endUserId = wanted.endUserId ?? first?.endUserId;
  return {
    problems,
    binding: {
      ...(endUserId === undefined ? {} : { endUserId }),
      connections: chosen.map(({ integrationId, connectionId }) => ({ integrationId, connectionId })),
      ...(wanted.tools === undefined ? {} : { tools: wanted.tools }),
    },
  };
}

/** Whether an assistant of this binding calls REST APIs: by a connection of an integration that is not agentic, or by none yet. */
export async function hasOrdinary(
  { integrations }: Pick<Services, 'integrations'>,
  accountId: string,
  { connections }: AgentBinding,
): Promise<boolean> {
  const ids = [...new Set(connections.map(({ integrationId }) => integrationId))];
  const found = await Promise.all(ids.map((integrationId) => integrations.get({ accountId, integrationId })));
  return found.length === 0 || found.some((one) => one?.agentic !== true);
}

async function named(
  services: Services,
  accountId: string,
  connections: readonly AgentConnection[],
  problems: Problem[],
): Promise<Candidate[]> {
  const chosen: Candidate[] = [];
  for (const [at, one] of connections.entries()) {
    const path = `connections[${at}]`;
    try {
      const { connection } = await findConnection(services, { accountId, ...one });
      const { provider, tags } = connection;
      if (chosen.some((other) => other.provider === provider)) {
        problems.push({ path, message: `is the second of ${provider}: name at most one connection of a provider` });
      }
      const isPrimary = ownMember(tags, AGENT_TAG) === PRIMARY;
      chosen.push({ ...one, provider, endUserId: endUserIdOf(connection), isPrimary });
    } catch (error) {
      if (!(error instanceof GatewayError)) throw error;
      problems.push({ path, message: 'there is no such connection' });
    }
  }
  return chosen;
}

async function ofEndUser(
  services: Services,
  accountId: string,
  { endUserId, integrations }: WantedBinding,
  problems: Problem[],
): Promise<Candidate[]> {
  // The schema requires one of the two.
  if (endUserId === undefined) return [];
  const filter = integrations === undefined ? {} : { integrationIds: integrations };
  const theirs = await connectionsOfUser(services, accountId, endUserId, filter, CONNECTIONS_MAX);
  const found = theirs.map(({ integrationId, connectionId, provider, tags }): Candidate => {
    const isPrimary = ownMember(tags, AGENT_TAG) === PRIMARY;
    return { integrationId, connectionId, provider, endUserId, isPrimary };
  });
  if (found.length === 0) problems.push({ path: 'end_user_id', message: 'has no connection here' });
  return [...new Set(found.map(({ provider }) => provider))].sort().flatMap((provider) => {
    const of = found.filter((one) => one.provider === provider);
    const primary = of.filter(({ isPrimary }) => isPrimary);
    const [one, ...others] = primary.length > 0 ? primary : of;
    if (others.length > 0) {
      problems.push({
        path: 'end_user_id',
        message: `has ${of.length} connections of ${provider}: name integrations or connections, or tag one of them ${AGENT_TAG}: ${PRIMARY}`,
      });
    }
    return one === undefined ? [] : [one];
  });
}
