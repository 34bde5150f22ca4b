import * as z from 'zod';
import type { ListedConnection } from '../../gateway/connections/ports.ts';
import { GatewayError, refusal } from '../../gateway/core/errors.ts';
import { connectionRefKey } from '../../gateway/core/identifiers.ts';
import { AUDIT_LIST_DEFAULT, AUDIT_LIST_MAX, AUDIT_READS_MAX, EVENT_RETENTION_SEC } from '../../gateway/core/limits.ts';
import { listedCompletelySince } from '../../gateway/events/audit-walk.rules.ts';
import {
  LIFECYCLE_EVENT_TYPES,
  type LifecycleEvent,
  reportedIds,
  type StoredEvent,
} from '../../gateway/events/lifecycle-event.rules.ts';
import { eventData, formerCause, success, time } from '../../gateway/openapi/answer-parts.ts';
import { documented } from '../../gateway/openapi/documented.ts';
import type { AnswerOf } from '../../gateway/openapi/operation.ts';
import { CONNECTION, INTEGRATION } from '../../gateway/openapi/sample.ts';
import { nameOf } from '../calls/name-connections.ts';
import { ListPage } from '../list-page.ts';
import { type Route, route } from '../route.ts';
import { integerParam, rowCursor } from '../schemas/common.ts';
import type { Services } from '../services.ts';
import { type ActorNames, namesOfActors } from './actor-names.ts';

const TIME_RULE = 'send a time such as 2026-03-01T12:00:00Z';
const moment = z
  .string({ error: TIME_RULE })
  .pipe(z.iso.datetime({ offset: true, error: TIME_RULE }))
  .transform((text) => Date.parse(text));
const word = z.string({ error: 'send one value' }).min(1, 'must not be empty').max(300, 'has at most 300 characters');

/** Query of `GET /events`. */
const auditQuery = z.strictObject({
  actor: word.optional(),
  type: z.enum(LIFECYCLE_EVENT_TYPES, { error: `must be one of ${LIFECYCLE_EVENT_TYPES.join(', ')}` }).optional(),
  object: word.optional(),
  since: moment.optional(),
  until: moment.optional(),
  limit: integerParam(1, AUDIT_LIST_MAX).optional(),
  cursor: rowCursor,
});

/** Body of `PUT /account/operator`. */
const operatorBody = z.strictObject({
  id_token: z.string().min(1, 'must not be empty').max(8192, 'has at most 8192 characters'),
});

const auditEvent = documented(() =>
  z
    .object({
      event_id: z.string(),
      type: z.enum(LIFECYCLE_EVENT_TYPES),
      time: time(),
      actor: z.string().nullable().meta({
        description:
          '`key:`, `iam:`, `operator:`, `session:` or `stack:`, then an id or name; null for the gateway’s own work.',
      }),
      actor_name: z
        .string()
        .nullable()
        .meta({ description: 'The operator’s e-mail address or the key’s name; null if unknown.' }),
      provider_config_key: z.string().nullable(),
      connection_id: z.string().nullable(),
      connection_name: z.string().nullable().meta({
        description:
          'Name, e-mail address or id of its end user, or the connection’s id where nothing else is known; null where there is no connection, or no longer.',
      }),
      end_user_id: z.string().nullable(),
      cause: formerCause(),
      request_id: z.string(),
      data: eventData(),
    })
    .meta({ id: 'AuditEvent' }),
);

/** Names of people and things in events. */
interface Names {
  readonly actors: ActorNames;
  /** By the key of their connection; without deleted ones. */
  readonly connections: ReadonlyMap<string, ListedConnection>;
}

/** Names the connections of events, each read once. */
async function namesFor(
  { search }: Pick<Services, 'search'>,
  events: readonly StoredEvent[],
  actors: ActorNames,
): Promise<Names> {
  const refs = events.flatMap(({ subject }) => ('connectionId' in subject ? [subject] : []));
  const found = refs.length === 0 ? [] : await search.summaries(refs);
  return { actors, connections: new Map(found.map((one) => [connectionRefKey(one), one])) };
}

/** The name of an event's connection; undefined for events of a deleted one with the same id. */
function connectionName({ subject, occurredAt }: StoredEvent, { connections }: Names): string | undefined {
  const connection = 'connectionId' in subject ? connections.get(connectionRefKey(subject)) : undefined;
  return connection === undefined || occurredAt < connection.createdAt ? undefined : nameOf(connection);
}

function auditOnTheWire(event: StoredEvent, names: Names): AnswerOf<typeof auditEvent> {
  const { subject, actor } = event;
  return {
    event_id: event.eventId,
    type: event.eventType,
    time: event.occurredAt,
    actor: actor ?? null,
    actor_name: names.actors.get(actor ?? '') ?? null,
    provider_config_key: 'integrationId' in subject ? subject.integrationId : null,
    connection_id: 'connectionId' in subject ? subject.connectionId : null,
    connection_name: connectionName(event, names) ?? null,
    end_user_id: event.endUserId ?? null,
    cause: event.cause ?? null,
    request_id: event.requestId,
    data: event.detail,
  };
}

type Wanted = Pick<z.output<typeof auditQuery>, 'actor' | 'type' | 'object'>;

/** Whether an event matches the filter; texts match as a whole, in any case. */
export function isWanted(event: LifecycleEvent, wanted: Wanted, names: ActorNames): boolean {
  const { subject, actor = 'gateway' } = event;
  const is = (asked: string | undefined, ...texts: readonly (string | undefined)[]) =>
    asked === undefined || texts.some((text) => text?.toLowerCase() === asked.toLowerCase());
  return (
    (wanted.type === undefined || wanted.type === event.eventType) &&
    is(wanted.actor, actor, actor.split(':')[0], names.get(actor)) &&
    is(
      wanted.object,
      'integrationId' in subject ? subject.integrationId : undefined,
      'connectionId' in subject ? subject.connectionId : undefined,
      event.endUserId,
      ...reportedIds(event),
      event.cause,
      ...Object.values(event.says ?? {}),
    )
  );
}

/** What happened in the account, and who did it. */
export const auditRoutes: readonly Route[] = [
  route({
    method: 'GET',
    pattern: '/events',
    access: { right: 'read', account: true },
    query: auditQuery,
    describe: documented(() => ({
      id: 'listEvents',
      tag: 'Service',
      summary: 'List the audit trail of the account, newest first',
      description:
        'The audit trail of the account and all its connections. `actor` is an actor as in the answer, its name, or its kind: `key`, `iam`, `operator`, `session`, `stack`, or `gateway` for the gateway’s own work, such as detecting that a grant has ended. Events are kept for 400 days. Each has in data what the bus and webhooks carry of it. A page may be shorter than limit, or empty, and still have a next page.',
      answer: z
        .object({
          data: z.array(auditEvent()),
          next_cursor: z
            .string()
            .nullable()
            .meta({ description: 'Send as cursor for the next page; null at the end.' }),
          complete_since: time().nullable().meta({
            description:
              'Set after an upgrade from a version without this list: events from before this time are added bit by bit, and those of connections that no longer exist stay missing. null: nothing is missing.',
          }),
        })
        .meta({ id: 'AuditPage' }),
      errors: [],
      example: {
        query: { actor: 'first.operator@example.com', since: '2026-03-01T00:00:00Z' },
        answer: {
          data: [
            {
              event_id: '01JN8Z4H9V6Q3W2X1Y0ZABCDEF',
              type: 'ConnectionDeleted',
              time: '2026-03-01T12:00:00.000Z',
              actor: 'operator:8c1f2f0e-6a0d-4d53-9a53-5a6f7c1f2b3a',
              actor_name: 'first.operator@example.com',
              provider_config_key: INTEGRATION,
              connection_id: CONNECTION,
              connection_name: null,
              end_user_id: 'user-42',
              cause: null,
              request_id: '5d6f3a52-9f0e-4f8e-9a53-5a6f7c1f2b3a',
              data: {
                event_id: '01JN8Z4H9V6Q3W2X1Y0ZABCDEF',
                sequence: '6',
                time: '2026-03-01T12:00:00.000Z',
                account_id: 'default',
                integration_id: INTEGRATION,
                connection_id: CONNECTION,
                end_user_id: 'user-42',
                actor: 'operator:8c1f2f0e-6a0d-4d53-9a53-5a6f7c1f2b3a',
              },
            },
          ],
          next_cursor: null,
          complete_since: null,
        },
      },
    })),
    async handle({ caller, query }, services) {
      const { accountId } = caller;
      if (query.since !== undefined && query.until !== undefined && query.since > query.until) {
        throw refusal('invalid_query_params', [{ path: 'since', message: 'must not be after until' }]);
      }
      const limit = query.limit ?? AUDIT_LIST_DEFAULT;
      const names = await namesOfActors(services, accountId);
      const walk = await services.auditList.walk(accountId);
      const completeSinceMs = listedCompletelySince(walk, services.clock.nowMs() - EVENT_RETENTION_SEC * 1000);
      const found: StoredEvent[] = [];
      const reply = async (next: string | undefined) =>
        answer(found, next, await namesFor(services, found, names), completeSinceMs);
      let before: string | undefined = query.cursor;
      for (let reads = 0; reads < AUDIT_READS_MAX; reads++) {
        const range = { sinceMs: query.since, untilMs: query.until, before };
        const page = await services.auditList.page(accountId, range, AUDIT_LIST_MAX);
        for (const event of page.events) {
          if (found.length === limit) return reply(found.at(-1)?.eventId);
          if (isWanted(event, query, names)) found.push(event);
        }
        before = page.next;
        if (before === undefined) break;
      }
      return reply(before);
    },
  }),
  route({
    method: 'PUT',
    pattern: '/account/operator',
    access: { right: 'full', account: true },
    body: operatorBody,
    describe: documented(() => ({
      id: 'introduceOperator',
      tag: 'Service',
      summary: 'Set the name under which the audit trail shows the signed-in operator',
      description: 'For the dashboard: takes the ID token of the same sign-in and stores its e-mail address.',
      answer: success(),
      errors: ['invalid_operator_token'],
      example: { body: { id_token: 'eyJhbGciOiJSUzI1NiJ9.e30.c2lnbmF0dXJl' }, answer: { success: true } },
    })),
    async handle({ caller, body }, services) {
      const { operator } = caller;
      if (operator === undefined || services.operatorTokens === undefined) {
        throw new GatewayError('forbidden', 'Only an operator who signed in has an ID token.');
      }
      const email = await services.operatorTokens.emailIn(body.id_token, operator.subject);
      if (email === undefined) {
        throw refusal('invalid_body', [{ path: 'id_token', message: 'send the ID token of this sign-in' }]);
      }
      await services.operatorNames.put(caller.accountId, operator.subject, email);
      return { success: true };
    },
  }),
];

/** One page; one that exceeds the size of a response ends early, and the next one continues. */
function answer(
  events: readonly StoredEvent[],
  next: string | undefined,
  names: Names,
  completeSinceMs: number | undefined,
) {
  const page = new ListPage<AnswerOf<typeof auditEvent>>();
  const isCut = events.some((event) => !page.take(auditOnTheWire(event, names)));
  const last = isCut ? events[page.items.length - 1]?.eventId : next;
  return {
    data: page.items,
    next_cursor: last ?? null,
    complete_since: completeSinceMs === undefined ? null : new Date(completeSinceMs).toISOString(),
  };
}
