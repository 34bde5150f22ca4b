import * as z from 'zod';
import { type CountedConnections, deadOf } from '../../gateway/connections/census.rules.ts';
import { isoTime } from '../integrations/integration-routes.ts';
import { count, time } from '../openapi/answer-parts.ts';
import { documented } from '../openapi/documented.ts';
import { CONNECTION, INTEGRATION } from '../openapi/sample.ts';
import { type AnswerOf, type Route, route } from '../route.ts';
import { refreshesByDay, statusByDay, undatedDeaths } from './by-day.ts';
import { type ComingEnd, comingEnds } from './coming-ends.ts';
import type { CrowdedAccount, OverviewFacts } from './facts.ts';
import { readFacts } from './read-facts.ts';

const day = documented(() => z.string().meta({ format: 'date', description: 'A day in UTC.' }));
const ref = documented(() => ({ connection_id: z.string(), provider_config_key: z.string() }));

const overview = documented(() =>
  z.object({
    read_at: time(),
    covered: z
      .object({
        connections: count().meta({ description: 'The newest connections, which every count is of.' }),
        complete: z.boolean().meta({ description: 'Whether these are all.' }),
        in_detail: count().meta({
          description: 'How many of them were read in full: ends and refreshes are of these.',
        }),
      })
      .meta({ description: 'How much of the account was read.' }),
    integrations: count(),
    statuses: z.object({ active: count(), reauthorization_required: count() }),
    causes: z
      .array(z.object({ cause: z.string(), count: count() }))
      .meta({ description: 'Of dead connections, most first.' }),
    totals: z
      .object({
        active: count(),
        reauthorization_required: count(),
        causes: z.array(z.object({ cause: z.string(), count: count() })),
        counted_at: time(),
      })
      .nullable()
      .meta({
        description:
          'All connections as last counted, where covered is not complete; null where it is, before the first count, and for a key limited to some integrations.',
      }),
    status_by_day: z
      .array(z.object({ day: day(), active: count(), reauthorization_required: count() }))
      .meta({ description: 'Today’s connections at the end of each of the last 14 days.' }),
    undated_deaths: count().meta({ description: 'Dead connections that count as dead from the day they were made.' }),
    refreshes_by_day: z
      .array(z.object({ day: day(), renewed: count(), refused: count() }))
      .meta({ description: 'The latest refresh of each connection, of the last 7 days; earlier ones are not kept.' }),
    ending: z
      .array(
        z.object({
          ...ref(),
          end_user: z.object({ id: z.string(), email: z.string().nullable() }).nullable(),
          ends_at: time(),
          reason: z.enum(['testing_mode', 'time_limited_access']),
        }),
      )
      .meta({ description: 'Known to end within 7 days, the next one first.' }),
    rejected_integrations: z
      .array(z.object({ unique_key: z.string(), display_name: z.string(), error: z.string(), since: time() }))
      .meta({ description: 'Their OAuth client is refused by the provider.' }),
    crowded_accounts: z
      .array(z.object({ ...ref(), email: z.string().nullable(), live: count(), limit: count() }))
      .meta({ description: 'Provider accounts near the limit of refresh tokens, each by its newest connection.' }),
  }),
);

const STATUS_DAYS = 14;
const REFRESH_DAYS = 7;
const ENDING_DAYS = 7;
const DAY_SEC = 86_400;
/** Rejected integrations that are shown; the list of integrations has them all. */
const REJECTED_MAX = 200;

/** An overview in the API's spelling, with how much of the account it covers. */
function overviewOnTheWire(facts: OverviewFacts, nowMs: number): AnswerOf<typeof overview> {
  const { integrations, connections, details } = facts;
  const nowEpochSec = Math.floor(nowMs / 1000);
  const dead = connections.filter(({ status }) => status !== 'active');
  const ending = comingEnds(details, integrations, nowEpochSec + ENDING_DAYS * DAY_SEC);
  return {
    read_at: isoTime(nowEpochSec),
    covered: { connections: connections.length, complete: facts.isComplete, in_detail: details.length },
    integrations: integrations.length,
    statuses: { active: connections.length - dead.length, reauthorization_required: dead.length },
    causes: causesOf(dead.map(({ cause }) => cause ?? 'unknown')),
    totals: facts.counted === undefined ? null : totalsOnTheWire(facts.counted),
    status_by_day: statusByDay(connections, details, STATUS_DAYS, nowMs).map((one) => ({
      day: one.day,
      active: one.active,
      reauthorization_required: one.dead,
    })),
    undated_deaths: undatedDeaths(connections, details),
    refreshes_by_day: refreshesByDay(details, REFRESH_DAYS, nowMs),
    ending: ending.map(endingOnTheWire),
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

/** A count of all connections, in the API's spelling. */
function totalsOnTheWire(counted: CountedConnections) {
  return {
    active: counted.active,
    reauthorization_required: deadOf(counted),
    causes: Object.entries(counted.causes)
      .map(([cause, count]) => ({ cause, count }))
      .sort((a, b) => b.count - a.count),
    counted_at: isoTime(counted.countedAtEpochSec),
  };
}

/** Most frequent first. */
function causesOf(causes: readonly string[]): readonly { cause: string; count: number }[] {
  return [...Map.groupBy(causes, (cause) => cause)]
    .map(([cause, all]) => ({ cause, count: all.length }))
    .sort((a, b) => b.count - a.count);
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
      summary: 'What is alive, what is not, and what needs somebody, with how many connections it covers',
      description:
        'Reads at most the 10,000 newest connections, and 200 of them in full; covered says how many there were, and totals has a count of all where these are more. A key limited to some integrations sees those.',
      answer: z.object({ data: overview() }).meta({ id: 'Overview' }),
      errors: [],
      example: {
        answer: {
          data: {
            read_at: '2026-03-01T12:00:00.000Z',
            covered: { connections: 12, complete: true, in_detail: 12 },
            integrations: 1,
            statuses: { active: 11, reauthorization_required: 1 },
            causes: [{ cause: 'user_revoked', count: 1 }],
            totals: null,
            status_by_day: [{ day: '2026-03-01', active: 11, reauthorization_required: 1 }],
            undated_deaths: 0,
            refreshes_by_day: [{ day: '2026-03-01', renewed: 9, refused: 1 }],
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
      return { data: overviewOnTheWire(facts, services.clock.nowMs()) };
    },
  }),
];
