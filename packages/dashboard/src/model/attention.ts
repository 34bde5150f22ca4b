import { ATTENTION } from '../features/attention.ts';
import type { Attention } from '../gateway/library.ts';
import { connectionHref, domainsHref, integrationHref } from '../ui/link.tsx';
import { isSecretFault } from './client-fault.ts';
import { NO_FILTER, writeFilter } from './connection-filter.ts';
import type { AttentionButton } from './feature-slots.ts';
import { type QuotaBar, quotasRunningOut } from './quota.ts';

/** A kind is one entry: where its rows are fixed. */
const BUTTONS: Readonly<Record<string, (of: Attention) => AttentionButton | undefined>> = {
  client: ({ providerConfigKey = '', reason }) =>
    isSecretFault(reason)
      ? { label: 'Replace the client secret', href: `${integrationHref(providerConfigKey)}?do=rotate` }
      : { label: 'Open the integration', href: integrationHref(providerConfigKey) },
  delegation: ({ providerConfigKey = '' }) => ({
    label: 'Open its domains',
    href: domainsHref(providerConfigKey),
  }),
  incident: incidentButton,
  budget: budgetButton,
  account: ({ providerConfigKey = '', id = '' }) => ({
    label: 'Open its newest connection',
    href: connectionHref({ providerConfigKey, connectionId: id }),
  }),
  key: () => ({ label: 'Show the keys', href: '/keys' }),
  ...Object.assign({}, ...Object.values(ATTENTION)),
};

/** The button of a row; undefined for a kind that this version does not know. */
export function attentionButton(of: Attention): AttentionButton | undefined {
  return Object.hasOwn(BUTTONS, of.kind) ? BUTTONS[of.kind]?.(of) : undefined;
}

/** Where the overview shows Google's quotas. */
export const QUOTAS_ANCHOR = 'quotas';

/** The rows of the overview: what the gateway reports, and quotas that will not last the day. Projects get the names of their integrations. */
export function attentionRows(attention: readonly Attention[], bars: readonly QuotaBar[]): Attention[] {
  const named = attention.map((one) => {
    const names = isAboutQuota(one) ? bars.find(({ cloudProject }) => cloudProject === one.id)?.names : undefined;
    return names === undefined || names.length === 0 ? one : { ...one, title: `${one.title} (${names.join(', ')})` };
  });
  const rows = [...named, ...quotasRunningOut(bars, attention).map(quotaRow)];
  return [...rows.filter(isError), ...rows.filter((one) => !isError(one))];
}

function isError({ severity }: Attention): boolean {
  return severity === 'error';
}

function isAboutQuota({ reason = '' }: Attention): boolean {
  return reason.startsWith('quota.');
}

function quotaRow({ label, names, share, says, of, cloudProject }: QuotaBar): Attention {
  const whose = names.length === 0 ? '' : ` (${names.join(', ')})`;
  return {
    kind: 'budget',
    severity: share >= 1 ? 'error' : 'warning',
    title: `${label}${whose}: ${share >= 1 ? 'the day is used up' : 'will run out before the day ends'}`,
    explanation: says,
    who: 'developer',
    steps: ['Hold back what can wait until Google’s next day.'],
    warning: undefined,
    since: undefined,
    until: undefined,
    count: names.length,
    total: undefined,
    providerConfigKey: undefined,
    state: undefined,
    reason: `quota.${of}`,
    id: cloudProject,
  };
}

/** Whether the app has to be published before anything else lasts. */
export function isAboutTesting({ kind, steps }: Attention): boolean {
  return kind === 'incident' && steps[0]?.startsWith('Publish the app') === true;
}

function incidentButton(incident: Attention): AttentionButton {
  const { providerConfigKey = '', state, reason = '', total, count } = incident;
  const all = total ?? count;
  const of = { ...NO_FILTER, integration: providerConfigKey };
  if (state !== 'dead') {
    const status = state === 'failing' ? 'failing' : 'refused_by_provider';
    return {
      label: all === 1 ? 'Show the connection' : `Show the ${all} connections`,
      href: `/connections?${writeFilter({ ...of, status })}`,
    };
  }
  const query = writeFilter({ ...of, status: 'reauthorization_required', cause: reason });
  // Users of a service account cannot reconnect: their rows have no step with a link.
  if (!incident.steps.some((step) => step.includes('reconnect link'))) {
    return { label: all === 1 ? 'Show the connection' : `Show the ${all} connections`, href: `/connections?${query}` };
  }
  query.set('do', 'reconnect');
  return {
    label: all === 1 ? 'Create a reconnect link' : `Create ${all} reconnect links`,
    href: `/connections?${query}`,
  };
}

/** Links to the holder of the budget, or to Google's quotas. */
function budgetButton({ providerConfigKey, reason = '', id }: Attention): AttentionButton | undefined {
  if (reason.startsWith('quota.')) return { label: 'Show the quotas', href: `/#${QUOTAS_ANCHOR}` };
  if (reason.startsWith('key.')) return { label: 'Show the key', href: `/keys?key=${encodeURIComponent(id ?? '')}` };
  if (providerConfigKey === undefined) return undefined;
  if (reason.startsWith('integration.')) {
    return { label: 'Show the integration', href: integrationHref(providerConfigKey) };
  }
  return id === undefined
    ? {
        label: 'Show the connections',
        href: `/connections?${writeFilter({ ...NO_FILTER, integration: providerConfigKey })}`,
      }
    : { label: 'Show the connection', href: connectionHref({ providerConfigKey, connectionId: id }) };
}
