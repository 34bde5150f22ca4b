import type { ConnectionRef } from '../gateway/core/identifiers.ts';
import type { SecretKeyRecord } from '../gateway/keys/credentials.rules.ts';

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
}
