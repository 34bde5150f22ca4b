import * as z from 'zod';
import type { UsageQuery, UsageRow } from '../../gateway/calls/ports.ts';
import { readUsage } from '../../gateway/calls/read-usage.ts';
import { dayOf, daysBetween } from '../../gateway/calls/usage.rules.ts';
import { VERDICTS } from '../../gateway/calls/verdict.rules.ts';
import { addChanges, type ChangeCounts } from '../../gateway/connections/change-counts.rules.ts';
import { GatewayError, refusal } from '../../gateway/core/errors.ts';
import { USAGE_DAYS_DEFAULT, USAGE_DAYS_MAX } from '../../gateway/core/limits.ts';
import { count, texts, time } from '../../gateway/openapi/answer-parts.ts';
import { documented } from '../../gateway/openapi/documented.ts';
import type { AnswerOf } from '../../gateway/openapi/operation.ts';
import { INTEGRATION } from '../../gateway/openapi/sample.ts';
import { reaches, requireReach } from '../authenticate.ts';
import { readMinutes } from '../calls/read-minutes.ts';
import { refuseUnknownFilter } from '../integrations/unknown-integrations.ts';
import { changesOnTheWire } from '../overview/by-day.ts';
import { changesAnswer } from '../overview/overview-routes.ts';
import { type Caller, type Route, route } from '../route.ts';
import { connectionId, integrationId } from '../schemas/common.ts';

const DAY_RULE = 'send a day such as 2026-03-01';
const day = z.string({ error: DAY_RULE }).pipe(z.iso.date({ error: DAY_RULE }));
const firstDay = day.optional().meta({ description: 'First day, UTC.' });
const lastDay = day.optional().meta({ description: 'Last day, UTC, included.' });
const FORMER_DAYS = { from: 'since', to: 'until' };
const BY_RULE = 'must be integration, connection or key';

/** Query of `GET /usage`. */
const usageQuery = z
  .strictObject({
    since: firstDay,
    until: lastDay,
    by: z.enum(['integration', 'connection', 'key'], { error: BY_RULE }).optional(),
    provider_config_key: integrationId.optional(),
    connection_id: connectionId.optional(),
  })
  .superRefine((query, context) => {
    const problem = (path: string, message: string) => context.addIssue({ code: 'custom', path: [path], message });
    if (query.by === 'connection' && query.provider_config_key === undefined) {
      problem('provider_config_key', 'say of which integration’s connections');
    }
    if (query.connection_id !== undefined && query.by !== 'connection')
      problem('connection_id', 'goes with by=connection');
    if (query.provider_config_key !== undefined && query.by === 'key') {
      problem('provider_config_key', 'calls of a key are counted over all integrations; leave this out');
    }
  });

/** What `ok` counts, of a day and of a minute. */
const OK_CALLS =
  'Answered with less than 400 and sent whole, or waiting for approval; an approved call is counted again when it is made.';

const usageRow = documented(() =>
  z
    .object({
      day: z.string().meta({ format: 'date', description: 'UTC.' }),
      provider_config_key: z.string().nullable(),
      connection_id: z.string().nullable(),
      key_id: z.string().nullable().meta({ description: 'First 12 characters of the secret key’s id.' }),
      calls: count(),
      ok: count().meta({ description: OK_CALLS }),
      provider_refused: count().meta({ description: 'Google answered 4xx, other than 429.' }),
      provider_failed: count().meta({ description: 'Google answered 5xx.' }),
      rate_limited: count().meta({ description: 'Google answered 429.' }),
      gateway_refused: count().meta({ description: 'The gateway answered the call itself.' }),
      gateway_failed: count().meta({ description: 'Those of them that it answered with 5xx.' }),
      broken_off: count().meta({ description: 'The answer was cut off.' }),
      bytes_in: count(),
      bytes_out: count(),
      mean_ms: count(),
      refreshed: count().meta({ description: 'Calls that waited for a new access token.' }),
      units: count().meta({
        description:
          'Units that the calls took of Google’s quotas, as Google prices its methods; a method that is not known counts as the dearest.',
      }),
    })
    .meta({ id: 'UsageRow' }),
);

const usageAnswer = documented(() =>
  z.object({
    from: z.string(),
    to: z.string(),
    rows: z.array(usageRow()),
    counted_until: time().nullable().meta({
      description: 'Calls that ended before are in the rows; null before the first minute is counted.',
    }),
    missing_calls: count().meta({
      description:
        'Calls of these days, of any caller, that AWS invoked the proxy for and that left no line to be counted by, compared hour by hour.',
    }),
    incomplete: z.array(z.object({ from: time(), to: time() })).meta({
      description: 'Times of these days whose calls could not be counted before the log of the proxy forgot them.',
    }),
  }),
);

function rowOnTheWire({ day, subject, counts }: UsageRow): AnswerOf<typeof usageRow> {
  const calls = counts.calls ?? 0;
  return {
    day,
    provider_config_key: 'integrationId' in subject ? subject.integrationId : null,
    connection_id: subject.kind === 'connection' ? subject.connectionId : null,
    key_id: subject.kind === 'key' ? subject.keyId : null,
    calls,
    ok: counts.ok ?? 0,
    provider_refused: counts.providerRefused ?? 0,
    provider_failed: counts.providerFailed ?? 0,
    rate_limited: counts.rateLimited ?? 0,
    gateway_refused: counts.gatewayRefused ?? 0,
    gateway_failed: counts.gatewayFailed ?? 0,
    broken_off: counts.brokenOff ?? 0,
    bytes_in: counts.bytesIn ?? 0,
    bytes_out: counts.bytesOut ?? 0,
    mean_ms: calls === 0 ? 0 : Math.round((counts.totalMs ?? 0) / calls),
    refreshed: counts.refreshed ?? 0,
    units: counts.units ?? 0,
  };
}

/** Query of `GET /usage/connections`. */
export const connectionCountsQuery = z.strictObject({
  since: firstDay,
  until: lastDay,
  provider_config_key: integrationId.optional(),
});

/** The requested days. @throws GatewayError `invalid_query_params` */
function daysOf(query: { readonly since?: string | undefined; readonly until?: string | undefined }, nowMs: number) {
  const to = query.until ?? dayOf(nowMs);
  const from = query.since ?? dayOf(Date.parse(to) - (USAGE_DAYS_DEFAULT - 1) * 24 * 3600 * 1000);
  const days = daysBetween(from, to);
  if (days.length === 0) throw refusal('invalid_query_params', [{ path: 'since', message: 'must not be after until' }]);
  if (days.length > USAGE_DAYS_MAX) {
    throw refusal('invalid_query_params', [{ path: 'since', message: `ask for at most ${USAGE_DAYS_MAX} days` }]);
  }
  return { from, to, days };
}

const minuteAnswer = documented(() =>
  z
    .object({
      time: time().meta({ description: 'When the minute began.' }),
      calls: count(),
      ok: count().meta({ description: OK_CALLS }),
      provider_failed: count().meta({ description: 'Google answered 5xx.' }),
      rate_limited: count().meta({ description: 'Google answered 429.' }),
      gateway_failed: count().meta({ description: 'The gateway answered 5xx itself.' }),
      refused: count().meta({ description: 'Google or the gateway answered with another 4xx.' }),
      broken_off: count().meta({ description: 'The answer was cut off.' }),
    })
    .meta({ id: 'MinuteOfCalls' }),
);

/** Calls by day. */
export const usageRoutes: readonly Route[] = [
  route({
    method: 'GET',
    pattern: '/usage',
    access: { right: 'read' },
    query: usageQuery,
    formerQuery: FORMER_DAYS,
    describe: documented(() => ({
      id: 'readUsage',
      tag: 'Calls',
      summary: 'Get proxied calls per day, counted by integration, connection or key',
      description: `Days in UTC, first and last included; by default the last ${USAGE_DAYS_DEFAULT}, at most ${USAGE_DAYS_MAX}. A call is counted within five minutes of its end, from a line that it leaves in the log of the proxy. by=connection needs provider_config_key, connection_id needs by=connection, and by=key takes neither. Counts are kept for 400 days, those of connections for 92.`,
      answer: z
        .object({
          data: usageAnswer(),
        })
        .meta({ id: 'Usage' }),
      errors: ['forbidden'],
      example: {
        query: { since: '2026-03-01', until: '2026-03-01', by: 'integration' },
        answer: {
          data: {
            from: '2026-03-01',
            to: '2026-03-01',
            rows: [
              {
                day: '2026-03-01',
                provider_config_key: INTEGRATION,
                connection_id: null,
                key_id: null,
                calls: 1204,
                ok: 1188,
                provider_refused: 12,
                provider_failed: 1,
                rate_limited: 0,
                gateway_refused: 3,
                gateway_failed: 0,
                broken_off: 0,
                bytes_in: 20418,
                bytes_out: 9120455,
                mean_ms: 164,
                refreshed: 14,
                units: 121300,
              },
            ],
            counted_until: '2026-03-01T17:42:00.000Z',
            missing_calls: 0,
            incomplete: [],
          },
        },
      },
    })),
    async handle({ caller, query }, services) {
      const { from, to, days } = daysOf(query, services.clock.nowMs());
      const of = queryOf(caller, query);
      const read = await readUsage({ ...services.usage, clock: services.clock }, caller.accountId, days, of);
      const rows = read.rows.filter(({ subject }) => {
        if (!('integrationId' in subject)) return true;
        const wanted = query.provider_config_key ?? subject.integrationId;
        return wanted === subject.integrationId && reaches(caller, subject.integrationId);
      });
      const wanted = query.provider_config_key;
      // A deleted one still has its counts.
      if (wanted !== undefined && rows.length === 0 && reaches(caller, wanted)) {
        await refuseUnknownFilter(services, caller, [wanted]);
      }
      return {
        data: {
          from,
          to,
          rows: rows.map(rowOnTheWire),
          counted_until: read.countedUntilMs === undefined ? null : isoTime(read.countedUntilMs),
          missing_calls: read.missing,
          incomplete: read.gaps.map(({ fromMs, toMs }) => ({ from: isoTime(fromMs), to: isoTime(toMs) })),
        },
      };
    },
  }),
  route({
    method: 'GET',
    pattern: '/usage/minutes',
    access: { right: 'read' },
    query: z.strictObject({ provider_config_key: integrationId.optional() }),
    describe: documented(() => ({
      id: 'readLastHour',
      tag: 'Calls',
      summary:
        'Get the proxied calls of the last hour by minute, and whether Google, the gateway or callers make them fail',
      description:
        'The hour ends with the last minute that is counted, some three minutes ago. verdict says what more than half of the failed calls have in common: provider for 5xx of Google, or no usable answer from it; quota for 429 of Google; gateway for 5xx of the gateway; callers for any other 4xx; mixed where there is no such kind. healthy: fewer than one call in a hundred failed. Reasons in evidence are those of the newest 200 failed calls in the call log.',
      answer: z
        .object({
          data: z.object({
            minutes: z.array(minuteAnswer()),
            counted_until: time().nullable().meta({
              description: 'Calls that ended before are counted; null before the first minute is.',
            }),
            verdict: z.enum(VERDICTS),
            text: z.string().meta({ description: 'The verdict in a sentence.' }),
            evidence: texts().meta({ description: 'What the verdict rests on, in sentences.' }),
          }),
        })
        .meta({ id: 'LastHour' }),
      errors: [],
      example: {
        answer: {
          data: {
            minutes: [
              {
                time: '2026-03-01T11:58:00.000Z',
                calls: 40,
                ok: 28,
                provider_failed: 12,
                rate_limited: 0,
                gateway_failed: 0,
                refused: 0,
                broken_off: 0,
              },
            ],
            counted_until: '2026-03-01T11:59:00.000Z',
            verdict: 'provider',
            text: 'It is Google: it answered 12 of the 12 failed calls with 5xx.',
            evidence: [
              'Of 40 calls, 12 got 5xx from Google, 0 got 429 from Google, 0 got 5xx from the gateway, 0 were refused with another 4xx.',
              'Calls failed at 11:58 UTC only.',
              'Of the newest 12 failed calls: Google answered 503 backendError (12).',
            ],
          },
        },
      },
    })),
    async handle({ caller, query }, services) {
      const { accountId, integrationIds } = caller;
      const wanted = query.provider_config_key;
      if (wanted !== undefined) {
        requireReach(caller, wanted);
        await refuseUnknownFilter(services, caller, [wanted]);
      }
      const deps = { ...services.usage, calls: services.calls, clock: services.clock };
      const hour = await readMinutes(deps, accountId, wanted === undefined ? integrationIds : [wanted]);
      return {
        data: {
          minutes: hour.minutes.map(({ startMs, calls, ok, failures }) => ({
            time: isoTime(startMs),
            calls,
            ok,
            ...failures,
          })),
          counted_until: hour.countedUntilMs === undefined ? null : isoTime(hour.countedUntilMs),
          verdict: hour.verdict,
          text: hour.text,
          evidence: [...hour.evidence],
        },
      };
    },
  }),
  route({
    method: 'GET',
    pattern: '/usage/connections',
    access: { right: 'read' },
    query: connectionCountsQuery,
    formerQuery: FORMER_DAYS,
    describe: documented(() => ({
      id: 'readConnectionCounts',
      tag: 'Calls',
      summary:
        'Get what happened to connections per day: created, deleted, dead by cause, reconnected, and how refreshes ended',
      description: `For each integration, and in total for all that the key can access. Days in UTC, first and last included; by default the last ${USAGE_DAYS_DEFAULT}, at most ${USAGE_DAYS_MAX}. Counts are kept for 400 days. Refreshes in the last seconds of a process that ended are missing.`,
      answer: z
        .object({
          data: z.object({
            from: z.string(),
            to: z.string(),
            rows: z.array(
              z.object({
                day: z.string().meta({ format: 'date', description: 'UTC.' }),
                provider_config_key: z.string(),
                ...changesAnswer(),
              }),
            ),
            total: z.object(changesAnswer()),
          }),
        })
        .meta({ id: 'ConnectionCounts' }),
      errors: ['unknown_integration'],
      example: {
        query: { since: '2026-03-01', until: '2026-03-01' },
        answer: {
          data: {
            from: '2026-03-01',
            to: '2026-03-01',
            rows: [{ day: '2026-03-01', provider_config_key: INTEGRATION, ...CHANGES }],
            total: CHANGES,
          },
        },
      },
    })),
    async handle({ caller, query }, services) {
      const { from, to, days } = daysOf(query, services.clock.nowMs());
      const wanted = query.provider_config_key;
      if (wanted !== undefined) requireReach(caller, wanted);
      const read = await Promise.all(days.map((one) => services.changeCounts.ofDay(caller.accountId, one)));
      const rows = read
        .flat()
        .filter(({ integrationId }) => (wanted ?? integrationId) === integrationId && reaches(caller, integrationId));
      if (wanted !== undefined && rows.length === 0) await refuseUnknownFilter(services, caller, [wanted]);
      const total = rows.reduce<ChangeCounts>((sum, { counts }) => addChanges(sum, counts), {});
      return {
        data: {
          from,
          to,
          rows: rows.map((one) => ({
            day: one.day,
            provider_config_key: one.integrationId,
            ...changesOnTheWire(one.counts),
          })),
          total: changesOnTheWire(total),
        },
      };
    },
  }),
];

const CHANGES = {
  created: 2,
  deleted: 0,
  died: 1,
  died_by_cause: [{ cause: 'user_revoked', count: 1 }],
  mended: 0,
  refreshes: { renewed: 240, refused: 1, client_refused: 0, failed: 0 },
};

function isoTime(epochMs: number): string {
  return new Date(epochMs).toISOString();
}

function queryOf(caller: Caller, query: z.output<typeof usageQuery>): UsageQuery {
  const { by = 'integration', provider_config_key: integrationId, connection_id: connectionId } = query;
  if (by === 'connection' && integrationId !== undefined) {
    requireReach(caller, integrationId);
    return { by, integrationId, connectionId };
  }
  if (by === 'key' && caller.integrationIds !== undefined) {
    throw new GatewayError(
      'forbidden',
      'Calls by key concern the whole account; this secret key is limited to some integrations.',
    );
  }
  return by === 'key' ? { by } : { by: 'integration' };
}
