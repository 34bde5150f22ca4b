import * as z from 'zod';
import { windowOf } from '../../gateway/calls/admission.ts';
import { billableOf } from '../../gateway/calls/billing.rules.ts';
import type { ReachedShare } from '../../gateway/calls/ports.ts';
import type { Forecast, QuotaDay } from '../../gateway/calls/quota.rules.ts';
import { type ProjectUse, type QuotaUse, readQuota, type SpenderUse } from '../../gateway/calls/read-quota.ts';
import { providerDayMs, sharesOf, toolDayOf, toolProjectId } from '../../gateway/calls/tool-day.rules.ts';
import { cloudProjectOf } from '../../gateway/core/identifiers.ts';
import { DAY_WINDOW_SEC } from '../../gateway/core/limits.ts';
import type { Integration } from '../../gateway/integrations/integration.rules.ts';
import { count, texts, time } from '../../gateway/openapi/answer-parts.ts';
import { documented } from '../../gateway/openapi/documented.ts';
import type { AnswerOf } from '../../gateway/openapi/operation.ts';
import { INTEGRATION } from '../../gateway/openapi/sample.ts';
import { PRICES } from '../../gateway/providers/google/prices.rules.ts';
import {
  declaredQuota,
  endOfOwnLimits,
  type NamedProject,
  type ProjectQuota,
  QUOTA_TIERS,
  quotaOfProject,
  tierOf,
} from '../../gateway/providers/project-quota.rules.ts';
import { isProviderId } from '../../gateway/providers/provider.rules.ts';
import { reaches } from '../authenticate.ts';
import { type Route, route } from '../route.ts';
import type { Services } from '../services.ts';

const share = documented(() => z.number().min(0).meta({ description: 'Of the limit; 1 is all of it.' }));

/** A day's use of a limit. */
const dayPart = documented(() =>
  z.object({
    used: count(),
    limit: count().nullable().meta({ description: 'The daily threshold; null where none is set.' }),
    share: share().nullable(),
    forecast: count().meta({ description: 'What will have been used when the day ends.' }),
    forecast_share: share().nullable(),
  }),
);

/** A number of today, and at the end of the day. */
const expected = documented(() => z.object({ used: count(), forecast: count() }));

const spender = documented(() => ({ units: count(), bytes_out: count() }));

const quotaAnswer = documented(() =>
  z.object({
    counted_until: time().nullable().meta({
      description: 'Calls that ended before are counted; null before the first minute is counted.',
    }),
    day: z.string().meta({ format: 'date', description: 'Google’s day: it begins at midnight Pacific Time.' }),
    resets_at: time().meta({ description: 'When Google’s next day begins.' }),
    projects: z
      .array(
        z
          .object({
            provider: z.string(),
            cloud_project: z.string().meta({ description: 'Number of the Google Cloud project of the OAuth client.' }),
            integrations: texts().meta({ description: 'Integrations that use this project now.' }),
            counted_in: z.enum(['units', 'requests']).meta({
              description: 'Older Cloud projects count requests of Drive: all units here are requests then.',
            }),
            units: dayPart().meta({ description: 'Units of Google’s quota; for Calendar a call is one.' }),
            bytes_out: dayPart().meta({ description: 'Bytes of answers.' }),
            calls: expected().meta({ description: 'Calls, a batch counted once.' }),
            answered: expected().meta({
              description: 'Calls with a 2xx answer.',
            }),
            tier: z.enum(QUOTA_TIERS),
            limits_end: z.string().nullable().meta({
              format: 'date',
              description: 'When the limits in quota end or ended.',
            }),
            background_units: count().meta({
              description: 'Units of today that feeds and checks took, among the others.',
            }),
            busiest_minute: z
              .object({ at: time(), units: count(), limit: count().nullable(), share: share().nullable() })
              .nullable()
              .meta({ description: 'Of the last hour; null if nothing was called.' }),
            units_per_minute_and_user: count()
              .nullable()
              .meta({ description: 'Google’s quota of one user in a minute.' }),
            reached: z
              .array(z.object({ of: z.enum(['units', 'bytes_out']), percent: z.int(), at: time() }))
              .meta({ description: 'Shares of the day that QuotaReached has reported, in order of time.' }),
          })
          .meta({ id: 'ProjectQuota' }),
      )
      .meta({ description: 'By API and Cloud project, the fullest first.' }),
    billing: z
      .array(
        z.object({
          provider: z.string(),
          billing_account: z.string().nullable(),
          cloud_projects: texts(),
          answered: expected(),
          allowance: count().nullable().meta({ description: 'A day; null = not known.' }),
          above_allowance: expected().nullable().meta({ description: 'Null = not known.' }),
          usd: z
            .object({ used: z.number(), forecast: z.number() })
            .nullable()
            .meta({ description: 'Null = not known; no price is estimated.' }),
          charged_from: z.string().meta({ format: 'date' }),
          prices_read_on: z.string().meta({
            format: 'date',
          }),
        }),
      )
      .nullable()
      .meta({
        description:
          'Projects in the tier scaled by billing account; null for a key that is limited to some integrations.',
      }),
    tools: z
      .array(
        z.object({
          provider: z.string(),
          cloud_project: z.string(),
          integrations: texts(),
          used: count().meta({ description: 'Requests of all keys today.' }),
          limit: count(),
          share: share(),
          keys: count().meta({ description: 'Keys that share one half.' }),
          per_key: count().meta({ description: 'What each may always use.' }),
          common: z.object({ used: count(), limit: count() }).meta({ description: 'First come, first served.' }),
        }),
      )
      .meta({ description: 'Requests to Google’s MCP servers.' }),
    integrations: z
      .array(z.object({ provider_config_key: z.string(), ...spender() }))
      .meta({ description: 'What proxied calls took today by integration, most first.' }),
    keys: z
      .array(z.object({ key_id: z.string(), ...spender() }))
      .nullable()
      .meta({
        description:
          'The same by secret key, by the first 12 characters of its id; null for a key that is limited to some integrations.',
      }),
  }),
);

/** The used share of a limit. */
function shareOf(used: number, limit: number | undefined): number | null {
  return limit === undefined ? null : Math.round((used / limit) * 10_000) / 10_000;
}

function dayPartOf({ spent, atEnd }: ProjectUse['units'], limit: number | undefined): AnswerOf<typeof dayPart> {
  return {
    used: Math.round(spent),
    limit: limit ?? null,
    share: shareOf(spent, limit),
    forecast: atEnd,
    forecast_share: shareOf(atEnd, limit),
  };
}

function expectedOf({ spent, atEnd }: Forecast): AnswerOf<typeof expected> {
  return { used: Math.round(spent), forecast: Math.round(atEnd) };
}

type BillingAnswer = NonNullable<AnswerOf<typeof quotaAnswer>['billing']>[number];

/** Projects in the tier scaled, by who pays for them: a project that names no billing account stands alone. */
function billingOf(projects: readonly ProjectUse[], named: readonly NamedProject[]): BillingAnswer[] {
  const scaled = projects.flatMap((use) => {
    const own = declaredQuota(named, use);
    const { billingAccount }: Readonly<Record<string, unknown>> = { ...own };
    const prices = isProviderId(use.provider) ? PRICES[use.provider] : undefined;
    if (tierOf(own) !== 'scaled' || prices === undefined) return [];
    return [{ use, prices, account: typeof billingAccount === 'string' ? billingAccount : null }];
  });
  const groups = Map.groupBy(scaled, ({ use, account }) =>
    JSON.stringify([use.provider, account ?? [use.cloudProject]]),
  );
  return [...groups.values()].flatMap((group) => {
    const [first] = group;
    if (first === undefined) return [];
    const { prices, account, use } = first;
    const { answered, above, usd } = billableOf(
      group.map((one) => one.use.answered),
      prices,
    );
    return [
      {
        provider: use.provider,
        billing_account: account,
        cloud_projects: group.map((one) => one.use.cloudProject),
        answered: expectedOf(answered),
        allowance: prices.answersADay ?? null,
        above_allowance: above === undefined ? null : expectedOf(above),
        usd: usd === undefined ? null : { used: usd.spent, forecast: usd.atEnd },
        charged_from: prices.chargedFrom,
        prices_read_on: prices.readOn,
      },
    ];
  });
}

type ProjectAnswer = AnswerOf<typeof quotaAnswer>['projects'][number];

function projectOnTheWire(
  use: ProjectUse,
  integrations: readonly string[],
  quota: ProjectQuota | undefined,
  states: Pick<ProjectAnswer, 'reached' | 'tier' | 'limits_end'>,
): ProjectAnswer {
  const { busiest } = use;
  return {
    counted_in: quota?.countsRequests === true ? 'requests' : 'units',
    provider: use.provider,
    cloud_project: use.cloudProject,
    integrations: [...integrations],
    units: dayPartOf(use.units, quota?.perDay),
    bytes_out: dayPartOf(use.bytesOut, quota?.bytesOutPerDay),
    background_units: use.backgroundUnits,
    busiest_minute:
      busiest === undefined
        ? null
        : {
            at: isoTime(busiest.startMs),
            units: busiest.units,
            limit: quota?.perMinute ?? null,
            share: shareOf(busiest.units, quota?.perMinute),
          },
    units_per_minute_and_user: quota?.perMinuteAndUser ?? null,
    calls: expectedOf(use.calls),
    answered: expectedOf(use.answered),
    ...states,
  };
}

/** Reports about a project's day, in order of time. */
function reachedBy(
  { provider, cloudProject }: ProjectUse,
  shares: readonly ReachedShare[],
  { date }: QuotaDay,
): ProjectAnswer['reached'] {
  return shares
    .filter(({ says }) => says.provider === provider && says.cloud_project === cloudProject && says.day === date)
    .map(({ says, reportedAtEpochSec }) => ({
      of: says.quota === 'bytes_out' ? ('bytes_out' as const) : ('units' as const),
      percent: Number(says.percent),
      at: isoTime(reportedAtEpochSec * 1000),
    }))
    .sort((a, b) => a.at.localeCompare(b.at) || a.percent - b.percent);
}

const NONE = { spent: 0, atEnd: 0 };

/** The projects of these integrations, and of calls; those without a call have no use. */
function withUnused(used: QuotaUse['projects'], named: readonly NamedProject[]): ProjectUse[] {
  const isUsed = ({ provider, cloudProject }: NamedProject) =>
    used.some((one) => one.provider === provider && one.cloudProject === cloudProject);
  const unused = new Map(
    named.filter((one) => !isUsed(one)).map((one) => [`${one.provider} ${one.cloudProject}`, one] as const),
  );
  return [
    ...used,
    ...[...unused.values()].map(({ provider, cloudProject }) => ({
      provider,
      cloudProject,
      units: NONE,
      bytesOut: NONE,
      calls: NONE,
      answered: NONE,
      backgroundUnits: 0,
      busiest: undefined,
    })),
  ];
}

function isoTime(epochMs: number): string {
  return new Date(epochMs).toISOString();
}

interface ProjectOfIntegration extends NamedProject {
  readonly integrationId: string;
  readonly isAgentic: boolean;
}

/** The day of requests to MCP servers, by API and Cloud project of agentic integrations. */
async function toolDays(
  named: readonly ProjectOfIntegration[],
  { callTotals, clock }: Services,
): Promise<AnswerOf<typeof quotaAnswer>['tools']> {
  const projects = Map.groupBy(
    named.filter(({ isAgentic }) => isAgentic),
    (one) => toolProjectId(one.provider, one.cloudProject),
  );
  const window = windowOf(providerDayMs(clock.nowMs()), DAY_WINDOW_SEC);
  const all = [...projects].map(async ([id, integrations]) => {
    const [first] = integrations;
    if (first === undefined) return [];
    // Calls count against the numbers of their own integration, so others of the project do not matter.
    const day = toolDayOf(declaredQuota(integrations, first));
    const { own, common } = sharesOf(day);
    // Counters pass the limit: each process that the provider refuses adds what it believes to be left.
    const read = async (kind: 'day_tools' | 'day_tools_common', most: number) =>
      Math.min(await callTotals.read({ kind, id }, window), most);
    const [used, ofCommon] = await Promise.all([read('day_tools', day.perDay), read('day_tools_common', common)]);
    return [
      {
        provider: first.provider,
        cloud_project: first.cloudProject,
        integrations: integrations.map(({ integrationId }) => integrationId),
        used,
        limit: day.perDay,
        share: shareOf(used, day.perDay) ?? 0,
        keys: day.keys,
        per_key: own,
        common: { used: ofCommon, limit: common },
      },
    ];
  });
  return (await Promise.all(all)).flat();
}

type QuotaOf = (provider: string, cloudProject: string) => ProjectQuota | undefined;

/** The Cloud project of an integration's OAuth client; nothing where it has none, or its id does not say. */
async function projectOf(integration: Integration, { clientIds }: Services): Promise<ProjectOfIntegration[]> {
  const { provider, integrationId, quota } = integration;
  const clientId = integration.clientId ?? (await clientIds.clientIdOf(integration));
  if (clientId === undefined) return [];
  const cloudProject = cloudProjectOf(clientId);
  return cloudProject === clientId
    ? []
    : [{ provider, cloudProject, integrationId, quota, isAgentic: integration.agentic === true }];
}

function usesOf(spenders: readonly SpenderUse[], kind: SpenderUse['kind']) {
  return spenders
    .filter((one) => one.kind === kind)
    .map(({ id, units, bytesOut }) => ({ id, units, bytes_out: bytesOut }));
}

const EXAMPLE = documented(() => ({
  counted_until: '2026-03-01T17:42:00.000Z',
  day: '2026-03-01',
  resets_at: '2026-03-02T08:00:00.000Z',
  projects: [
    {
      provider: 'google-drive',
      cloud_project: '123456789012',
      integrations: [INTEGRATION],
      counted_in: 'units',
      units: { used: 121300000, limit: 400000000, share: 0.3033, forecast: 266000000, forecast_share: 0.665 },
      bytes_out: {
        used: 9120455000,
        limit: 1000000000000,
        share: 0.0091,
        forecast: 20010000000,
        forecast_share: 0.02,
      },
      calls: { used: 1213000, forecast: 2660000 },
      answered: { used: 1201000, forecast: 2634000 },
      tier: 'standard',
      limits_end: null,
      background_units: 2880000,
      busiest_minute: { at: '2026-03-01T17:12:00.000Z', units: 240500, limit: 1000000, share: 0.2405 },
      units_per_minute_and_user: 325000,
      reached: [],
    },
  ],
  billing: [
    {
      provider: 'google-calendar',
      billing_account: '01ABCD-234567-89EFAB',
      cloud_projects: ['210987654321'],
      answered: { used: 910000, forecast: 1240000 },
      allowance: 1000000,
      above_allowance: { used: 0, forecast: 240000 },
      usd: null,
      charged_from: '2027-04-01',
      prices_read_on: '2026-11-28',
    },
  ],
  tools: [
    {
      provider: 'google-calendar',
      cloud_project: '123456789012',
      integrations: ['assistant-calendar'],
      used: 1240,
      limit: 5000,
      share: 0.248,
      keys: 20,
      per_key: 125,
      common: { used: 640, limit: 2500 },
    },
  ],
  integrations: [{ provider_config_key: INTEGRATION, units: 121300000, bytes_out: 9120455000 }],
  keys: [{ key_id: 'f3a1c5d2e4b6', units: 121300000, bytes_out: 9120455000 }],
}));

/** Today's use of Google's quotas. */
export const quotaRoute: Route = route({
  method: 'GET',
  pattern: '/quota',
  access: { right: 'read' },
  describe: documented(() => ({
    id: 'readQuota',
    tag: 'Calls',
    summary: 'Get what today’s calls took of Google’s quotas by Cloud project and API, and what the day will come to',
    description:
      'Google counts units and bytes of a Cloud project by the day, for each API, and refuses or charges what is above its limits. The limits are those that Cloud projects have had since May 2026, unless `quota` of an integration says what its project has. A call is counted within five minutes of its end, what feeds and checks call for themselves included. The forecast is what was used so far and what the remaining hours took a week before, or on average since the first call, adjusted to how today compares with that day. It needs a day of calls before it means much.',
    answer: z.object({ data: quotaAnswer() }).meta({ id: 'Quota' }),
    errors: [],
    example: { answer: { data: EXAMPLE() } },
  })),
  async handle({ caller }, services) {
    const all = await services.integrations.list(caller.accountId);
    const everywhere = (await Promise.all(all.map((one) => projectOf(one, services)))).flat();
    const named = everywhere.filter(({ integrationId }) => reaches(caller, integrationId));
    const providerOf = (provider: string) => (isProviderId(provider) ? services.providers[provider] : undefined);
    const nowMs = services.clock.nowMs();
    const quotaOf: QuotaOf = (provider, cloudProject) =>
      quotaOfProject(everywhere, { provider, cloudProject }, providerOf(provider)?.quota, nowMs);
    const use = await readQuota(
      { ...services.usage, clock: services.clock },
      caller.accountId,
      (provider, cloudProject) => quotaOf(provider, cloudProject)?.countsRequests === true,
    );
    const integrationsOf = ({ provider, cloudProject }: ProjectUse) =>
      named
        .filter((one) => one.provider === provider && one.cloudProject === cloudProject)
        .map(({ integrationId }) => integrationId);
    const shares = await services.reachedShares.ofAccount(caller.accountId);
    const isLimited = caller.integrationIds !== undefined;
    const statesOf = (one: ProjectUse) => {
      const own = declaredQuota(everywhere, one);
      const standard = providerOf(one.provider)?.quota;
      const endMs = standard && endOfOwnLimits(standard, own);
      return {
        reached: reachedBy(one, shares, use.day),
        tier: tierOf(own),
        limits_end: endMs === undefined ? null : isoTime(endMs).slice(0, 10),
      };
    };
    const used = withUnused(use.projects, named);
    const projects = used
      .map((one) => projectOnTheWire(one, integrationsOf(one), quotaOf(one.provider, one.cloudProject), statesOf(one)))
      // A limited key must not see projects that none of its integrations uses.
      .filter(({ integrations }) => !isLimited || integrations.length > 0)
      .sort(byFullness);
    return {
      data: {
        counted_until: use.countedUntilMs === undefined ? null : isoTime(use.countedUntilMs),
        day: use.day.date,
        resets_at: isoTime(use.day.endMs),
        projects,
        billing: isLimited ? null : billingOf(used, everywhere),
        tools: await toolDays(named, services),
        integrations: usesOf(use.spenders, 'integration')
          .filter(({ id }) => reaches(caller, id))
          .map(({ id, ...uses }) => ({ provider_config_key: id, ...uses })),
        keys: isLimited ? null : usesOf(use.spenders, 'key').map(({ id, ...uses }) => ({ key_id: id, ...uses })),
      },
    };
  },
});

function byFullness(a: ProjectAnswer, b: ProjectAnswer): number {
  const fullness = ({ units, bytes_out: bytes }: ProjectAnswer) => Math.max(units.share ?? 0, bytes.share ?? 0);
  return (
    fullness(b) - fullness(a) || a.provider.localeCompare(b.provider) || a.cloud_project.localeCompare(b.cloud_project)
  );
}
