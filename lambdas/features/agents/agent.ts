import { GatewayError, refusal } from '../../gateway/core/errors.ts';
import { type GatewayRequest, headerValues } from '../../gateway/core/http-message.ts';
import type { ConnectionRef } from '../../gateway/core/identifiers.ts';
import type { SecretKeyRecord } from '../../gateway/keys/credentials.rules.ts';
import type { ProviderId } from '../../gateway/providers/provider.rules.ts';

/** Who calls, however it was proved: an assistant that acts for one end user. */
export interface Agent {
  /** The key's record, or one that stands for an access token: what is limited and counted. */
  readonly key: SecretKeyRecord;
  /** End user whose connections these are; undefined: connections of nobody in particular. */
  readonly endUserId: string | undefined;
  /** At most one of a provider. */
  readonly connections: readonly ConnectionRef[];
  /** Tools that it may be given; undefined: all. */
  readonly tools: readonly string[] | undefined;
  /** Providers that it has no connection of, although it may. */
  readonly missing: readonly MissingConnection[];
}

/** Why an agent has no connection of a provider. */
export interface MissingConnection {
  readonly provider: ProviderId;
  /** Integration in which its user can connect; undefined: there are several connections, of which none is the one for assistants. */
  readonly integrationId: string | undefined;
}

/** Headers that a client may send with the address, as for proxied calls and at Nango's own address for assistants (MC-10). */
const NAMING = { 'provider-config-key': 'integrationId', 'connection-id': 'connectionId' } as const;

/**
 * The agent, with those of its connections alone that the request's headers name; all of them where it names none.
 *
 * @throws GatewayError `invalid_headers` for a header that is there twice, `unknown_connection` where it has no such connection
 */
export function agentNamedBy(agent: Agent, { headers }: Pick<GatewayRequest, 'headers'>): Agent {
  const wanted = Object.entries(NAMING).flatMap(([header, member]) => {
    const [value, ...others] = headerValues(headers, header);
    if (others.length > 0) throw refusal('invalid_headers', [{ path: `headers.${header}`, message: 'send it once' }]);
    return value === undefined ? [] : [{ member, value }];
  });
  if (wanted.length === 0) return agent;
  const connections = agent.connections.filter((one) => wanted.every(({ member, value }) => one[member] === value));
  if (connections.length > 0) return { ...agent, connections, missing: [] };
  const message = 'This assistant has no connection that Provider-Config-Key and Connection-Id name. Leave them out.';
  throw new GatewayError('unknown_connection', message);
}
