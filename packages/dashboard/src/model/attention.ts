import type { Attention } from '../gateway/library.ts';
import { approvalHref } from '../pages/approvals/approval-href.ts';
import { connectionHref, domainsHref, integrationHref, webhookHref } from '../ui/link.tsx';
import { isSecretFault } from './client-fault.ts';
import { NO_FILTER, writeFilter } from './connection-filter.ts';

/** A button and where it leads. */
export interface AttentionButton {
  readonly label: string;
  readonly href: string;
}

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
  webhook: ({ id = '' }) => ({ label: 'See its deliveries', href: webhookHref(id) }),
  feed: () => ({ label: 'Show the feeds', href: '/feeds' }),
  security_events: ({ providerConfigKey = '' }) => ({
    label: 'Open the integration',
    href: integrationHref(providerConfigKey),
  }),
  approval: ({ id }) => ({
    label: id === undefined ? 'Show the approvals' : 'Show the call',
    href: id === undefined ? '/approvals' : approvalHref(id),
  }),
  budget: budgetButton,
  account: ({ providerConfigKey = '', id = '' }) => ({
    label: 'Open its newest connection',
    href: connectionHref({ providerConfigKey, connectionId: id }),
  }),
  key: () => ({ label: 'Show the keys', href: '/keys' }),
};

/** The button of a row; undefined for a kind that this version does not know. */
export function attentionButton(of: Attention): AttentionButton | undefined {
  return Object.hasOwn(BUTTONS, of.kind) ? BUTTONS[of.kind]?.(of) : undefined;
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

/** Links to the holder of the budget; Google's quota has no page of its own. */
function budgetButton({ providerConfigKey, reason = '', id }: Attention): AttentionButton | undefined {
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
