import type { ConnectionRef } from '../gateway/core/identifiers.ts';
import type { SecretKeyRecord } from '../gateway/keys/credentials.rules.ts';
import type { ProviderId } from '../gateway/providers/provider.rules.ts';

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
