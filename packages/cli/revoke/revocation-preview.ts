import type { ConnectionSummary, GatewayClient, Integration } from '../../client/src/index.ts';
import { inParallel } from '../bulk/in-parallel.ts';
import { withRetries } from '../bulk/with-retries.ts';
import { filterOf, type Selection } from './selection.ts';

const AT_A_TIME = 8;

/** The effect of ending the grants of a selection. */
export interface RevocationPreview {
  readonly selected: readonly ConnectionSummary[];
  /** Connections of this account that are not meant and would end too, since they share a grant. */
  readonly alsoEnding: readonly ConnectionSummary[];
  /** How many connections of other accounts of the gateway would end too. */
  readonly ofOtherAccounts: number;
  /** Selected ones whose account is unknown, because no identity was granted. */
  readonly unknown: number;
}

/**
 * Finds the connections that share grants with a selection: Google ends every grant of one account and Cloud project at once, so
 * revoking one connection may end others. Only reads.
 */
export async function previewRevocation(gateway: GatewayClient, selection: Selection): Promise<RevocationPreview> {
  const all = await everyConnection(gateway);
  const wanted = filterOf(selection).integrationId;
  const selected = all.filter(({ providerConfigKey }) => wanted === undefined || wanted.includes(providerConfigKey));
  const grantOf = grantNames(await clientsOf(gateway));
  const groups = new Map<string | undefined, ConnectionSummary[]>();
  for (const one of all.filter(isAlive)) {
    const grant = grantOf(one);
    groups.set(grant, [...(groups.get(grant) ?? []), one]);
  }
  const isSelected = new Set(selected);
  const alsoEnding: ConnectionSummary[] = [];
  let ofOtherAccounts = 0;
  await inParallel(groups, AT_A_TIME, async ([grant, members]) => {
    const [first] = members.filter((one) => isSelected.has(one));
    if (grant === undefined || first === undefined) return;
    alsoEnding.push(...members.filter((one) => !isSelected.has(one)));
    const { sharesGrantWith } = await withRetries(() => gateway.connections.get(first));
    // The gateway counts over all accounts; connections that are not ours belong to others.
    ofOtherAccounts += Math.max(0, (sharesGrantWith ?? 0) + 1 - members.length);
  });
  const unknown = selected.filter((one) => isAlive(one) && one.providerAccount === undefined).length;
  return { selected, alsoEnding, ofOtherAccounts, unknown };
}

async function everyConnection(gateway: GatewayClient): Promise<ConnectionSummary[]> {
  const all: ConnectionSummary[] = [];
  for await (const one of gateway.connections.all({ limit: 1000 })) all.push(one);
  return all;
}

function isAlive({ status }: ConnectionSummary): boolean {
  return status === 'active';
}

async function clientsOf(gateway: GatewayClient): Promise<Map<string, Integration>> {
  const found = new Map<string, Integration>();
  await inParallel(await gateway.integrations.list(), AT_A_TIME, async ({ uniqueKey }) => {
    const one = await withRetries(() => gateway.integrations.get(uniqueKey, { include: ['credentials'] }));
    found.set(uniqueKey, one);
  });
  return found;
}

/** Names a connection's grant: Cloud project (the client id up to its hyphen) and account; undefined where it is not known. */
function grantNames(integrations: ReadonlyMap<string, Integration>) {
  return ({ providerConfigKey, providerAccount }: ConnectionSummary): string | undefined => {
    const integration = integrations.get(providerConfigKey);
    if (providerAccount === undefined || integration === undefined) return undefined;
    const project = integration.clientId?.split('-')[0] ?? `${integration.credentialsSource} client`;
    return JSON.stringify([project, providerAccount.subject]);
  };
}
