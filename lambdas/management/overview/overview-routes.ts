import * as z from 'zod';
import { daysBetween } from '../../gateway/calls/usage.rules.ts';
import { deadOf } from '../../gateway/connections/census.rules.ts';
import { INCIDENT_STATES } from '../../gateway/connections/incidents.rules.ts';
import { COMING_END_DAYS } from '../../gateway/core/limits.ts';
import { count, texts, time } from '../../gateway/openapi/answer-parts.ts';
import { documented } from '../../gateway/openapi/documented.ts';
import type { AnswerOf } from '../../gateway/openapi/operation.ts';
import { CONNECTION, INTEGRATION } from '../../gateway/openapi/sample.ts';
import { isoTime, isoTimeOrNull, type Route, route } from '../route.ts';
import { readAttention } from './attention.ts';
import { ATTENTION_KINDS, type Attention } from './attention-row.ts';
import { changesByDay, changesOnTheWire, statusByDay } from './by-day.ts';
import {
  type ComingEnd,
  type CrowdedAccount,
  type IntegrationState,
  type OverviewFacts,
  readFacts,
} from './read-facts.ts';

const day = documented(() => z.string().meta({ format: 'date', description: 'A day in UTC.' }));
const ref = documented(() => ({ connection_id: z.string(), provider_config_key: z.string() }));
const byCause = documented(() => z.array(z.object({ cause: z.string(), count: count() })));

/** Daily counts of connections' changes. */
export const changesAnswer = documented(() => ({
  created: count(),
  deleted: count(),
  died: count().meta({ description: 'Connections that came to need a new authorization.' }),
  died_by_cause: byCause().meta({ description: 'Most frequent first.' }),
  mended: count().meta({ description: 'Connections that were authorized again.' }),
  refreshes: z
    .object({
      renewed: count(),
      refused: count().meta({ description: 'The grant was found dead.' }),
      client_refused: count(),
      failed: count().meta({ description: 'Tried again later.' }),
    })
    .meta({ description: 'Refresh attempts by result.' }),
}));

const stopped = documented(() => ({
  failing: count().meta({ description: 'Google refuses their calls.' }),
  refused_by_provider: count().meta({ description: 'Google does not renew their tokens.' }),
  client_refused: count().meta({ description: 'Google refuses the OAuth client of their integration.' }),
  dead: count().meta({ description: 'They need a new authorization.' }),
}));

const attentionAnswer = documented(() =>
  z
    .object({
      kind: z.enum(ATTENTION_KINDS).meta({
        description:
          'client: an OAuth client that Google refuses. delegation: a Workspace domain that does not list a service account. incident: connections of one integration that stopped for one reason, within an hour or one by one. webhook, feed: one that fails. security_events: a registered Cloud project whose security events do not come. approval: calls that wait for a person, and approved ones that did not begin or whose outcome is not known. budget: a day’s budget, or Google’s quota of the day, of which 80 or 100 % is used. account: near the limit of refresh tokens. key: not used for 90 days.',
      }),
      severity: z.enum(['error', 'warning']).meta({
        description: 'error: something does not work. warning: it will not for long, or nobody needs it.',
      }),
      title: z.string().meta({ description: 'What is wrong.' }),
      explanation: z.string(),
      who: z.enum(['end_user', 'developer', 'workspace_admin']).meta({ description: 'Who can fix it.' }),
      steps: texts().meta({ description: 'What to do, in order.' }),
      warning: z
        .string()
        .nullable()
        .meta({ description: 'What goes wrong if a later step comes before the first one.' }),
      since: time().nullable(),
      until: time().nullable().meta({ description: 'Of an incident: when the last connection stopped.' }),
      count: count().meta({ description: 'Connections, or other things of the kind.' }),
      total: count().nullable().meta({
        description: 'Of an incident: all connections of this integration, state and reason, also from other times.',
      }),
      provider_config_key: z.string().nullable(),
      state: z.enum(INCIDENT_STATES).nullable().meta({ description: 'Of an incident.' }),
      reason: z.string().nullable().meta({
        description: 'Cause of death, Google’s reason or error code, or the budget, such as integration.day.units.',
      }),
      id: z
        .string()
        .nullable()
        .meta({ description: 'Of the connection, webhook, feed, key or Cloud project, where it is about one.' }),
    })
    .meta({ id: 'Attention' }),
);

const overview = documented(() =>
  z.object({
    read_at: time(),
    counted_at: time().nullable().meta({
      description:
        'When all connections were last counted: one or two minutes after a change in a small account, up to a quarter of an hour in a large one. statuses and causes include later changes; failing, refused_by_provider and ends are from this count. Null before the first count.',
    }),
    integrations: count(),
    statuses: z.object({
      active: count(),
      reauthorization_required: count(),
      failing: count().meta({ description: 'Active connections whose calls Google refuses.' }),
      refused_by_provider: count().meta({ description: 'Active connections whose tokens Google does not renew.' }),
    }),
    health: z
      .object({
        working: count().meta({ description: 'Their calls work, as far as is known.' }),
        ...stopped(),
      })
      .meta({
        description:
          'Every connection in one of them: dead or client_refused as of now, failing and refused_by_provider as of the last count; all others work.',
      }),
    by_integration: z
      .array(
        z.object({
          unique_key: z.string(),
          display_name: z.string(),
          working: count(),
          ...stopped(),
          week: z
            .object({ created: count(), deleted: count(), died: count(), mended: count() })
            .meta({ description: 'What became of its connections in the last seven days, today included.' }),
        }),
      )
      .meta({ description: 'The same for each integration.' }),
    attention: z.array(attentionAnswer()).meta({
      description:
        'Everything that needs somebody: what does not work first, then the newest first. Incidents are from the last count. Webhooks, keys and quotas are there for callers that may change the whole account; of more than 500 feeds, the newest are looked at.',
    }),
    causes: byCause().meta({ description: 'Causes of dead connections, most frequent first.' }),
    status_by_day: z.array(z.object({ day: day(), active: count(), reauthorization_required: count() })).meta({
      description:
        'Connections at the end of each of the last 14 days, starting with the first day on which changes were counted.',
    }),
    changes_by_day: z
      .array(z.object({ day: day(), ...changesAnswer() }))
      .meta({ description: 'Changes of connections on the same days.' }),
    ending_total: count().meta({ description: 'Number of connections known to end within 7 days.' }),
    ending_by_day: z.array(z.object({ day: day(), count: count() })),
    ending: z
      .array(
        z.object({
          ...ref(),
          end_user: z.object({ id: z.string(), email: z.string().nullable() }).nullable(),
          ends_at: time(),
          reason: z.enum(['testing_mode', 'time_limited_access']),
        }),
      )
      .meta({ description: 'The first 20 of them to end.' }),
    rejected_integrations: z
      .array(z.object({ unique_key: z.string(), display_name: z.string(), error: z.string(), since: time() }))
      .meta({ description: 'Integrations whose OAuth client the provider refuses.' }),
    crowded_accounts: z
      .array(z.object({ ...ref(), email: z.string().nullable(), live: count(), limit: count() }))
      .meta({ description: 'Provider accounts near the limit of refresh tokens, each by its newest connection.' }),
  }),
);

const DAY_SEC = 86_400;
/** Rejected integrations that are shown; the list of integrations has all of them. */
const REJECTED_MAX = 200;

/** An overview in the API's spelling. */
function overviewOnTheWire(
  facts: OverviewFacts,
  attention: readonly Attention[],
  nowMs: number,
): AnswerOf<typeof overview> {
  const { states, integrations, active, causes, endsByDay } = facts;
  const nowEpochSec = Math.floor(nowMs / 1000);
  const dead = deadOf({ causes });
  const changes = changesByDay(facts.changes, facts.days);
  const isoDay = (epochSec: number) => isoTime(epochSec).slice(0, 10);
  const comingDays = daysBetween(isoDay(nowEpochSec), isoDay(nowEpochSec + COMING_END_DAYS * DAY_SEC));
  const ends = comingDays.map((one) => ({ day: one, count: endsByDay[one] ?? 0 }));
  return {
    read_at: isoTime(nowEpochSec),
    counted_at: isoTimeOrNull(facts.countedAtEpochSec),
    integrations: integrations.length,
    statuses: { active, reauthorization_required: dead, failing: facts.failing, refused_by_provider: facts.refused },
    health: states.map(stateOnTheWire).reduce(
      (sum, one) => ({
        working: sum.working + one.working,
        failing: sum.failing + one.failing,
        refused_by_provider: sum.refused_by_provider + one.refused_by_provider,
        client_refused: sum.client_refused + one.client_refused,
        dead: sum.dead + one.dead,
      }),
      NONE,
    ),
    by_integration: states.map((one) => {
      const { created, deleted, died, mended } = changesOnTheWire(one.week);
      return {
        unique_key: one.integrationId,
        display_name: one.integration?.displayName ?? one.integrationId,
        ...stateOnTheWire(one),
        week: { created, deleted, died, mended },
      };
    }),
    attention: attention.map(attentionOnTheWire),
    causes: Object.entries(causes)
      .map(([cause, count]) => ({ cause, count }))
      .sort((a, b) => b.count - a.count),
    status_by_day: statusByDay({ active, dead }, changes).map((one) => ({
      day: one.day,
      active: one.active,
      reauthorization_required: one.dead,
    })),
    changes_by_day: changes.map((one) => ({ day: one.day, ...changesOnTheWire(one.counts) })),
    ending_total: ends.reduce((sum, { count }) => sum + count, 0),
    ending_by_day: ends,
    ending: facts.ends.map(endingOnTheWire),
    rejected_integrations: integrations
      .flatMap(({ integrationId, displayName, clientFault }) =>
        clientFault === undefined
          ? []
          : [
              {
                unique_key: integrationId,
                display_name: displayName,
                error: clientFault.error,
                since: isoTime(clientFault.sinceEpochSec),
              },
            ],
      )
      .slice(0, REJECTED_MAX),
    crowded_accounts: facts.crowded.map(crowdedOnTheWire),
  };
}

const NONE = { working: 0, failing: 0, refused_by_provider: 0, client_refused: 0, dead: 0 };

function stateOnTheWire({ working, failing, refused, clientRefused, causes }: IntegrationState): typeof NONE {
  return {
    working,
    failing,
    refused_by_provider: refused,
    client_refused: clientRefused,
    dead: deadOf({ causes }),
  };
}

function attentionOnTheWire(one: Attention): AnswerOf<typeof attentionAnswer> {
  return {
    kind: one.kind,
    severity: one.severity,
    title: one.title,
    explanation: one.explanation,
    who: one.who,
    steps: [...one.steps],
    warning: one.warning ?? null,
    since: isoTimeOrNull(one.sinceEpochSec),
    until: isoTimeOrNull(one.untilEpochSec),
    count: one.count,
    total: one.total ?? null,
    provider_config_key: one.integrationId ?? null,
    state: one.state ?? null,
    reason: one.reason ?? null,
    id: one.id ?? null,
  };
}

function endingOnTheWire({ connection, end }: ComingEnd) {
  return {
    connection_id: connection.connectionId,
    provider_config_key: connection.integrationId,
    end_user: connection.endUser === undefined ? null : { id: connection.endUser.id, email: connection.endUser.email },
    ends_at: isoTime(end.atEpochSec),
    reason: end.kind,
  };
}

function crowdedOnTheWire({ connection, limit }: CrowdedAccount) {
  return {
    connection_id: connection.connectionId,
    provider_config_key: connection.integrationId,
    email: connection.providerAccount?.email ?? null,
    live: limit.live,
    limit: limit.limit,
  };
}

/** The state of the account at a glance. */
export const overviewRoutes: readonly Route[] = [
  route({
    method: 'GET',
    pattern: '/overview',
    access: { right: 'read' },
    describe: documented(() => ({
      id: 'getOverview',
      tag: 'Connections',
      summary: 'Get the overview: how many connections work, how many do not, and what needs attention',
      description:
        'Computed from counters and the last count of all connections, so it costs the same for any number of connections. A key that is limited to some integrations sees only those.',
      answer: z.object({ data: overview() }).meta({ id: 'Overview' }),
      errors: [],
      example: {
        answer: {
          data: {
            read_at: '2026-03-01T12:00:00.000Z',
            counted_at: '2026-03-01T11:59:00.000Z',
            integrations: 1,
            statuses: { active: 11, reauthorization_required: 1, failing: 0, refused_by_provider: 0 },
            health: { working: 11, failing: 0, refused_by_provider: 0, client_refused: 0, dead: 1 },
            by_integration: [
              {
                unique_key: INTEGRATION,
                display_name: 'Calendar of our app',
                working: 11,
                failing: 0,
                refused_by_provider: 0,
                client_refused: 0,
                dead: 1,
                week: { created: 2, deleted: 0, died: 1, mended: 0 },
              },
            ],
            attention: [
              {
                kind: 'incident',
                severity: 'error',
                title: '1 connection of Calendar of our app needs a new authorization',
                explanation: 'The user removed the app from their Google account.',
                who: 'end_user',
                steps: [
                  'Ask the user whether they want to connect again; if they removed the app, that was their choice.',
                  'Create 1 reconnect link and send it to its user.',
                ],
                warning: null,
                since: '2026-03-01T09:12:00.000Z',
                until: '2026-03-01T09:12:00.000Z',
                count: 1,
                total: 1,
                provider_config_key: INTEGRATION,
                state: 'dead',
                reason: 'user_revoked',
                id: null,
              },
            ],
            causes: [{ cause: 'user_revoked', count: 1 }],
            status_by_day: [{ day: '2026-03-01', active: 11, reauthorization_required: 1 }],
            changes_by_day: [
              {
                day: '2026-03-01',
                created: 2,
                deleted: 0,
                died: 1,
                died_by_cause: [{ cause: 'user_revoked', count: 1 }],
                mended: 0,
                refreshes: { renewed: 240, refused: 1, client_refused: 0, failed: 0 },
              },
            ],
            ending_total: 1,
            ending_by_day: [{ day: '2026-03-08', count: 1 }],
            ending: [
              {
                connection_id: CONNECTION,
                provider_config_key: INTEGRATION,
                end_user: { id: 'user-42', email: 'first.user@example.com' },
                ends_at: '2026-03-08T11:50:00.000Z',
                reason: 'testing_mode',
              },
            ],
            rejected_integrations: [],
            crowded_accounts: [],
          },
        },
      },
    })),
    async handle({ caller }, services) {
      const facts = await readFacts(services, caller.accountId, caller.integrationIds);
      const attention = await readAttention(services, caller, facts);
      return { data: overviewOnTheWire(facts, attention, services.clock.nowMs()) };
    },
  }),
];
