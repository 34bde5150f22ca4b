import { fieldsOf, number, optionalText, recordList, text, type Unread } from '../http/fields.ts';
import type { ConnectionRef } from '../http/headers.ts';
import type { CallOptions, Manage } from './manage.ts';
import type * as wire from './wire.ts';

/** Grants of deleted connections that the provider has not ended yet. */
export interface PendingRevocations {
  readonly pending: number;
  /** False where there are more than were counted. */
  readonly complete: boolean;
  readonly oldest: readonly PendingRevocation[];
}

/** One grant that is still to be ended. */
export interface PendingRevocation extends ConnectionRef {
  /** ISO 8601 UTC. */
  readonly requestedAt: string;
  readonly retryAt: string | undefined;
  readonly failedAttempts: number;
}

/** Revocations requested by deletions. Methods throw GatewayError, NetworkError and TimeoutError. */
export class Revocations {
  readonly #manage: Manage;

  constructor(manage: Manage) {
    this.#manage = manage;
  }

  /**
   * How many grants of deleted connections the provider has not ended yet; the gateway asks again until it has.
   *
   * @param options `integrationId`: only of these integrations; `limit`: how many to show in full, at most 100
   *
   * @example
   * const { pending } = await client.revocations.pending();
   */
  async pending(
    options?: CallOptions & { integrationId?: string | readonly string[]; limit?: number },
  ): Promise<PendingRevocations> {
    const { integrationId } = options ?? {};
    const query = {
      integrationId: typeof integrationId === 'object' ? integrationId.join(',') : integrationId,
      limit: options?.limit,
    };
    const { data } = await this.#manage('listPendingRevocations', { query, options });
    const fields = fieldsOf(data, 'data');
    return {
      pending: number(fields, 'pending'),
      complete: fields.complete === true,
      oldest: recordList(fields, 'oldest').map(readPending),
    };
  }
}

function readPending(fields: Unread<wire.PendingRevocations['data']['oldest'][number]>): PendingRevocation {
  return {
    providerConfigKey: text(fields, 'provider_config_key'),
    connectionId: text(fields, 'connection_id'),
    requestedAt: text(fields, 'requested_at'),
    retryAt: optionalText(fields, 'retry_at'),
    failedAttempts: number(fields, 'failed_attempts'),
  };
}
