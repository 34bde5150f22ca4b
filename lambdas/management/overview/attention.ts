import { ATTENTION } from '../../features/attention.ts';
import { FEATURES } from '../../features/index.ts';
import type { ReachedShare } from '../../gateway/calls/ports.ts';
import { readLastUses } from '../../gateway/calls/read-usage.ts';
import { explainCallFault } from '../../gateway/connections/call-fault.rules.ts';
import { isDeclaredTesting } from '../../gateway/connections/health.rules.ts';
import type { Incident } from '../../gateway/connections/incidents.rules.ts';
import { AMOUNT_KINDS, type Amounts, readBudget } from '../../gateway/core/budget.ts';
import { epochSecNow } from '../../gateway/core/clock.ts';
import { DEATH_CAUSES } from '../../gateway/core/grant-death.ts';
import { keyIdOf } from '../../gateway/core/identifiers.ts';
import { KEY_UNUSED_SEC } from '../../gateway/core/limits.ts';
import { ownMember } from '../../gateway/core/own-member.ts';
import { explainClientFault, explainRefusal } from '../../gateway/integrations/client-fault.rules.ts';
import { type Integration, treatedAsTestingSince } from '../../gateway/integrations/integration.rules.ts';
import { readKeyLimits } from '../../gateway/keys/key-limits.rules.ts';
import { type DelegatedDomain, domainDeath } from '../../gateway/tokens/delegation.rules.ts';
import { deathText } from '../../gateway/tokens/diagnosis.rules.ts';
import { reaches } from '../authenticate.ts';
import type { Caller } from '../route.ts';
import {
  ATTENTION_KINDS,
  type Attention,
  type AttentionKind,
  counted,
  hasWholeAccount,
  type Looked,
  type Reads,
} from './attention-row.ts';
import { budgetRows } from './budget-rows.ts';
import { higherLimitRows } from './higher-limits.ts';
import type { IntegrationState, OverviewFacts } from './read-facts.ts';

/** One entry per kind: the source of its rows. */
const SOURCES: Readonly<
  Record<AttentionKind, (looked: Looked) => Promise<readonly Attention[]> | readonly Attention[]>
> = {
  client: ({ facts, reads }) => facts.states.flatMap((one) => refusedClient(one, reads)),
  async delegation({ reads, facts, nowEpochSec }) {
    const delegated = facts.integrations.filter(({ delegation }) => delegation !== undefined);
    const rows = await Promise.all(
      delegated.map(async (integration) => {
        const domains = await reads.delegatedDomains.list(integration);
        return domains.flatMap((domain) => lostDomain(domain, integration, reads, nowEpochSec));
      }),
    );
    return rows.flat();
  },
  incident: ({ facts, reads }) => facts.incidents.flatMap((one) => incidentRow(one, facts.states, reads)),
  async server_tools({ reads, caller, facts }) {
    // Who has no agentic integration has fetched nothing: it costs no read.
    if (!hasWholeAccount(caller) || !facts.integrations.some(({ agentic }) => agentic === true)) return [];
    const { hiddenTools } = await reads.serverTools();
    const rows = await hiddenTools(reads, caller.accountId);
    return rows.map((row) => ({ kind: 'server_tools', severity: 'warning', who: 'developer', ...row }));
  },
  async budget({ reads, caller, facts, nowEpochSec }) {
    const shares = await reads.reachedShares.ofAccount(caller.accountId);
    const isWhole = hasWholeAccount(caller);
    const reached = shares.filter(({ integrationId }) =>
      integrationId === undefined ? isWhole : reaches(caller, integrationId),
    );
    const ending = higherLimitRows(facts.integrations, reads.providers, nowEpochSec);
    if (reached.length === 0) return ending;
    const keys = reached.some(({ says }) => says.key_id !== undefined)
      ? await reads.secretKeys.list(caller.accountId)
      : [];
    const names = {
      key: (id: string) => keys.find((key) => keyIdOf(key) === id)?.name,
      integration: (id: string) => facts.integrations.find((one) => one.integrationId === id)?.displayName,
    };
    const budgets = {
      key(id: string) {
        const limits = keys.find((key) => keyIdOf(key) === id)?.limits;
        return limits === undefined ? undefined : readKeyLimits(limits);
      },
      integration: (id: string) => readBudget(facts.integrations.find((one) => one.integrationId === id)?.budget),
    };
    return [
      ...budgetRows(
        reached.filter((share) => isAsSet(share, budgets)),
        names,
        nowEpochSec,
      ),
      ...ending,
    ];
  },
  ...ATTENTION,
  account: ({ facts }) => facts.crowded.map(crowdedAccount),
  async key({ reads, caller, nowEpochSec }) {
    if (!hasWholeAccount(caller)) return [];
    const [keys, proxied] = await Promise.all([
      reads.secretKeys.list(caller.accountId),
      readLastUses({ ...reads.usage, clock: reads.clock }, caller.accountId),
    ]);
    const longAgo = nowEpochSec - KEY_UNUSED_SEC;
    return keys.flatMap((key): Attention[] => {
      const madeAt = Math.floor(Date.parse(key.createdAt) / 1000);
      const usedAt = Math.max(key.lastUsedAtEpochSec ?? 0, proxied.get(keyIdOf(key)) ?? 0);
      if (madeAt > longAgo || usedAt > longAgo) return [];
      return [
        {
          kind: 'key',
          severity: 'warning',
          title: `The secret key ${key.name} has not been used for 90 days`,
          explanation:
            usedAt === 0
              ? 'No use of it is on record.'
              : 'Anyone who finds it could still call with it, and no program of yours would miss it.',
          who: 'developer',
          steps: ['Revoke it if nothing needs it any longer.'],
          sinceEpochSec: Math.max(usedAt, madeAt),
          count: 1,
          reason: 'unused',
          id: key.keyHash,
        },
      ];
    });
  },
};

/** Everything that needs attention, errors first, then the newest first. */
export async function readAttention(reads: Reads, caller: Caller, facts: OverviewFacts): Promise<readonly Attention[]> {
  const looked = { reads, caller, facts, nowEpochSec: epochSecNow(reads.clock) };
  const rows = (await Promise.all(kindsOf(reads).map((kind) => SOURCES[kind](looked)))).flat();
  const gravity = ({ severity, kind }: Attention) =>
    (severity === 'error' ? 0 : ATTENTION_KINDS.length) + ATTENTION_KINDS.indexOf(kind);
  return rows.sort(
    (a, b) =>
      gravity(a) - gravity(b) || (b.untilEpochSec ?? b.sinceEpochSec ?? 0) - (a.untilEpochSec ?? a.sinceEpochSec ?? 0),
  );
}

/** Kinds of problems, without those of features that are left out. */
function kindsOf({ without }: Reads): readonly AttentionKind[] {
  const left = FEATURES.filter(({ id }) => without.has(id)).flatMap(({ attention }) => attention);
  return ATTENTION_KINDS.filter((kind) => !left.includes(kind));
}

interface DayBudgets {
  key(id: string): { readonly day?: Amounts | undefined } | undefined;
  integration(id: string): { readonly day?: Amounts | undefined } | undefined;
}

/** True while the reported budget is unchanged; raising it clears the alert. Connections are not read for this. */
function isAsSet({ says, integrationId, connectionId }: ReachedShare, { key, integration }: DayBudgets): boolean {
  const kind = AMOUNT_KINDS.find((one) => says.budget?.endsWith(`.${one}`) === true);
  if (kind === undefined || connectionId !== undefined) return true;
  const now = says.key_id !== undefined ? key(says.key_id) : integration(integrationId ?? '');
  return String(now?.day?.[kind]) === says.most;
}

function refusedClient({ integration, clientRefused }: IntegrationState, { endpointsOf }: Reads): Attention[] {
  if (integration?.clientFault === undefined) return [];
  const { error, sinceEpochSec } = integration.clientFault;
  const { server } = endpointsOf(integration.provider);
  const { explanation, remedy } = explainClientFault(error, server);
  return [
    {
      kind: 'client',
      severity: 'error',
      title: `${server.displayName} refuses the OAuth client of ${integration.displayName}: ${counted(clientRefused, 'connection')} cannot be renewed`,
      explanation,
      who: 'developer',
      steps: [remedy],
      sinceEpochSec,
      count: clientRefused,
      integrationId: integration.integrationId,
      reason: error,
    },
  ];
}

/** The common reason of an incident, and the order of its fix. */
function incidentRow(incident: Incident, states: readonly IntegrationState[], { endpointsOf }: Reads): Attention[] {
  const { integrationId, state, reason, firstEpochSec, lastEpochSec } = incident;
  const of = states.find((one) => one.integrationId === integrationId);
  const total = of === undefined ? 0 : totalOf(of, incident);
  // Connections that recovered or were deleted since the count are no longer shown.
  const count = Math.min(incident.count, total);
  if (of?.integration === undefined || count === 0) return [];
  const { integration } = of;
  const { server } = endpointsOf(integration.provider);
  const cause = DEATH_CAUSES.find((one) => one === reason) ?? 'unknown';
  const texts = {
    dead: () => deathText(cause, server, integration.delegation !== undefined) ?? deathText('unknown', server),
    failing: () => explainCallFault(reason, server),
    refused_by_provider: () => ({ who: 'developer' as const, ...explainRefusal(reason, server) }),
  };
  const { who, explanation, remedy } = texts[state]();
  const what = { dead: 'needs a new authorization', failing: 'fails', refused_by_provider: 'is not renewed' };
  const many = { dead: 'need a new authorization', failing: 'fail', refused_by_provider: 'are not renewed' };
  const mend = state === 'dead' ? stepsOf(integration, cause, remedy, count) : { steps: [remedy], warning: undefined };
  return [
    {
      kind: 'incident',
      severity: 'error',
      title: `${counted(count, 'connection')} of ${integration.displayName} ${count === 1 ? what[state] : many[state]}`,
      explanation: incident.certain ? explanation : `Probably: ${explanation}`,
      who,
      ...mend,
      ...(firstEpochSec === 0 ? {} : { sinceEpochSec: firstEpochSec }),
      ...(lastEpochSec === 0 ? {} : { untilEpochSec: lastEpochSec }),
      count,
      total,
      integrationId,
      state,
      reason,
    },
  ];
}

function totalOf({ failing, refused, causes }: IntegrationState, { state, reason }: Incident): number {
  if (state === 'dead') return ownMember(causes, reason) ?? 0;
  return state === 'failing' ? failing : refused;
}

/** Causes that end new grants, too, while they persist. */
const INVITING: Readonly<Record<string, string>> = {
  refresh_token_limit:
    'Each new connection of such an account ends its oldest one: the user has to remove the app at Google first.',
  account_token_limit: 'Each new grant ends another one: the user has to remove apps that they no longer use first.',
  session_length_over:
    'The new grants end as soon as the Workspace’s session ends again, unless an administrator exempts the app.',
  admin_restricted: 'Until the administrator allows the app, Google refuses to connect these accounts.',
  context_aware_access: 'Until the administrator exempts the app, Google ends new grants too.',
  advanced_protection: 'While the account is in the program, Google ends new grants too.',
};

function stepsOf(
  integration: Integration,
  cause: string,
  remedy: string,
  count: number,
): { readonly steps: readonly string[]; readonly warning: string | undefined } {
  // A service account's connection has no person behind it: a link would ask its user for a consent that changes nothing.
  if (integration.delegation !== undefined) return { steps: [remedy], warning: undefined };
  const links = `Create ${counted(count, 'reconnect link')} and send ${count === 1 ? 'it to its user' : 'each to its user'}.`;
  if (integration.clientFault !== undefined) {
    return {
      steps: ['Have the OAuth client accepted again.', remedy, links],
      warning: 'The provider refuses the OAuth client of the integration: nobody can connect before this is fixed.',
    };
  }
  if (isDeclaredTesting(integration) || treatedAsTestingSince(integration) !== undefined) {
    const publish =
      'Publish the app in the Google Cloud console (Google Auth Platform, Audience), then set it to In production here.';
    return {
      steps: cause === 'testing_mode_expired' ? [publish, links] : [publish, remedy, links],
      warning: 'The app is still in Testing: grants that are given now end after seven days again.',
    };
  }
  if (cause === 'testing_mode_expired') {
    return { steps: ['Check in the Google Cloud console that the app is published.', links], warning: undefined };
  }
  return { steps: [remedy, links], warning: Object.hasOwn(INVITING, cause) ? INVITING[cause] : undefined };
}

/** A Workspace domain that does not list the service account: none of its users' connections work. */
function lostDomain(
  domain: DelegatedDomain,
  { integrationId, displayName, provider }: Integration,
  { endpointsOf }: Reads,
  nowEpochSec: number,
): Attention[] {
  const death = domainDeath(domain, nowEpochSec, endpointsOf(provider).server);
  if (death === undefined) return [];
  const isPending = death.cause === 'delegation_pending';
  return [
    {
      kind: 'delegation',
      severity: isPending ? 'warning' : 'error',
      title: isPending
        ? `${domain.domain} does not list the service account of ${displayName} yet`
        : `${domain.domain} does not list the service account of ${displayName}`,
      explanation: death.likelyCauses[0]?.explanation ?? '',
      who: 'workspace_admin',
      steps: [
        'Send the administrator of the domain a link: its page has what to list.',
        'Check the domain; else Google is asked again every ten minutes.',
      ],
      sinceEpochSec: domain.sinceEpochSec,
      count: 1,
      integrationId,
      reason: death.cause,
      id: domain.domain,
    },
  ];
}

function crowdedAccount({ connection, limit }: OverviewFacts['crowded'][number]): Attention {
  const account = connection.providerAccount?.email ?? connection.connectionId;
  return {
    kind: 'account',
    severity: 'warning',
    title: `${account} has ${limit.live} of ${limit.limit} live refresh tokens under one client`,
    explanation: 'At the limit, each new connection silently ends the oldest one of the account.',
    who: 'developer',
    steps: ['Delete connections of the account that are no longer used.'],
    count: 1,
    integrationId: connection.integrationId,
    reason: 'refresh_token_limit',
    id: connection.connectionId,
  };
}
