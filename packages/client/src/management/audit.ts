import { fieldsList, optionalText, text, textRecord, type Unread } from '../http/fields.ts';
import type { CallOptions, Manage } from './manage.ts';
import type * as wire from './wire.ts';

/** Something that happened in the account. */
export interface AuditEvent {
  readonly eventId: string;
  /** Such as `ConnectionDeleted`. */
  readonly type: string;
  /** ISO 8601 UTC. */
  readonly time: string;
  /** `key:`, `operator:` or `session:`, then an id; undefined for the gateway's own work. */
  readonly actor: string | undefined;
  /** The operator's e-mail address or the key's name. */
  readonly actorName: string | undefined;
  readonly providerConfigKey: string | undefined;
  readonly connectionId: string | undefined;
  /** Display name of the connection; undefined without one, or when it is deleted. */
  readonly connectionName: string | undefined;
  readonly endUserId: string | undefined;
  /** Why a grant died. Of other types deprecated, gone in 0.4.0: read `data`. */
  readonly cause: string | undefined;
  readonly requestId: string | undefined;
  /** Members of the event, as on the bus and as `data` of its webhook: see the type `<type>Event`. */
  readonly data: Readonly<Record<string, string>>;
}

/** Which events. Times are ISO 8601. */
export interface AuditFilter {
  /** `key:…`, `operator:…`, a kind of actor (`operator`, `key`, `session`, `gateway`), or a name. */
  actor?: string;
  type?: string;
  /** Id of an integration, a connection or an end user; `key:…`. */
  object?: string;
  since?: string;
  until?: string;
  /** At most so many, up to 200. @default 50 */
  limit?: number;
  cursor?: string;
}

/** A page of the audit trail, newest first. It may be empty and still have a next one. */
export interface AuditPage {
  readonly events: readonly AuditEvent[];
  /** `cursor` of the next page. */
  readonly nextCursor: string | undefined;
  /** After an upgrade: events from before this time may be missing. ISO 8601; undefined where nothing is missing. */
  readonly completeSince: string | undefined;
}

/**
 * The account's audit trail.
 *
 * @throws (every method) GatewayError, NetworkError, TimeoutError, UnexpectedAnswerError
 */
export class AuditTrail {
  readonly #manage: Manage;

  constructor(manage: Manage) {
    this.#manage = manage;
  }

  /**
   * One page, newest first.
   *
   * @example
   * const { events } = await client.audit.list({ limit: 20 });
   */
  async list(filter: AuditFilter = {}, options?: CallOptions): Promise<AuditPage> {
    const answer = await this.#manage('listEvents', { query: { ...filter }, options });
    return {
      events: fieldsList(answer.data, 'data').map(readEvent),
      nextCursor: optionalText(answer, 'next_cursor'),
      completeSince: optionalText(answer, 'complete_since'),
    };
  }

  /**
   * Every event that fits, newest first, read page by page.
   *
   * @example
   * for await (const { type, actor } of client.audit.all()) console.log(type, actor);
   */
  async *all(filter: Omit<AuditFilter, 'cursor'> = {}, options?: CallOptions): AsyncGenerator<AuditEvent> {
    let cursor: string | undefined;
    do {
      const page = await this.list({ ...filter, ...(cursor === undefined ? {} : { cursor }) }, options);
      yield* page.events;
      cursor = page.nextCursor;
    } while (cursor !== undefined);
  }

  /**
   * Shows how the operator is called whose ID token this is; for dashboards.
   *
   * @example
   * await client.audit.introduceOperator('eyJhbGciOiJSUzI1NiJ9…');
   */
  async introduceOperator(idToken: string, options?: CallOptions): Promise<void> {
    await this.#manage('introduceOperator', { body: { id_token: idToken }, options });
  }
}

/** An event as an answer has it. @throws UnexpectedAnswerError */
export function readEvent(fields: Unread<wire.AuditEvent>): AuditEvent {
  return {
    eventId: text(fields, 'event_id'),
    type: text(fields, 'type'),
    time: text(fields, 'time'),
    actor: optionalText(fields, 'actor'),
    actorName: optionalText(fields, 'actor_name'),
    providerConfigKey: optionalText(fields, 'provider_config_key'),
    connectionId: optionalText(fields, 'connection_id'),
    connectionName: optionalText(fields, 'connection_name'),
    endUserId: optionalText(fields, 'end_user_id'),
    cause: optionalText(fields, 'cause'),
    requestId: optionalText(fields, 'request_id'),
    data: textRecord(fields, 'data'),
  };
}
