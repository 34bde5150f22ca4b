import { newEvent } from '../../gateway/events/lifecycle-event.rules.ts';
import { PROVIDER_IDS, type ProviderId } from '../../gateway/providers/provider.rules.ts';
import { KNOWN_SERVERS, offeredName } from '../../gateway/server-tools/known-tools.rules.ts';
import {
  acceptedBy,
  ENDPOINT_KINDS,
  type EndpointKind,
  type PinnedList,
  type PinnedTool,
  toolHash,
} from '../../gateway/server-tools/pins.rules.ts';
import type { PinnedListRef } from '../../gateway/server-tools/ports.ts';
import { type RefreshListDependencies, refreshList } from '../../gateway/server-tools/refresh-list.ts';

function stateOf(
  { accepted, waiting, gone }: PinnedTool,
  isKnown: boolean,
): 'offered' | 'changed' | 'new' | 'unknown' | 'gone' {
  if (gone === true) return 'gone';
  if (!isKnown) return 'unknown';
  if (waiting === undefined) return 'offered';
  return accepted === undefined ? 'new' : 'changed';
}

function describedOnTheWire(tool: PinnedTool['accepted']) {
  if (tool === undefined) return null;
  return { hash: toolHash(tool), description: tool.description, input_schema: { ...tool.inputSchema } };
}

function listOnTheWire({ provider, endpoint }: PinnedListRef, list: PinnedList) {
  const server = KNOWN_SERVERS[provider];
  const tools = list.tools.map((one) => {
    const known = server?.tools.find(({ name }) => name === one.name);
    return {
      name: one.name,
      offered_as: (server && known && offeredName(server, one.name)) ?? null,
      class: known?.class ?? null,
      state: stateOf(one, known !== undefined),
      accepted: describedOnTheWire(one.accepted),
      waiting: describedOnTheWire(one.waiting),
    };
  });
  return { provider, endpoint, fetched_at: new Date(list.fetchedAtEpochSec * 1000).toISOString(), tools };
}

function refsOf(accountId: string, providers: readonly ProviderId[]): readonly PinnedListRef[] {
  return providers.flatMap((provider) => ENDPOINT_KINDS.map((endpoint) => ({ accountId, provider, endpoint })));
}

const knownProviders = PROVIDER_IDS.filter((id) => KNOWN_SERVERS[id] !== undefined);

/** The pinned lists of an account, as far as there are any. */
async function pinnedListsOf(
  { pinnedLists }: Pick<RefreshListDependencies, 'pinnedLists'>,
  accountId: string,
): Promise<readonly { readonly ref: PinnedListRef; readonly list: PinnedList }[]> {
  const refs = refsOf(accountId, knownProviders);
  const lists = await Promise.all(refs.map((ref) => pinnedLists.read(ref)));
  return refs.flatMap((ref, at) => {
    const list = lists[at];
    return list === undefined ? [] : [{ ref, list }];
  });
}

/** Names of known tools that wait for an operator in a list. */
function waitingIn({ provider }: PinnedListRef, { tools }: PinnedList): readonly string[] {
  const known = new Set(KNOWN_SERVERS[provider]?.tools.map(({ name }) => name));
  return tools.flatMap(({ name, waiting }) => (waiting !== undefined && known.has(name) ? [name] : []));
}

/** The lists of an account in the API's spelling. @param fetch asks the servers first */
export async function showLists(
  services: RefreshListDependencies,
  accountId: string,
  fetch: { readonly requestId: string } | undefined,
) {
  if (fetch === undefined) {
    return (await pinnedListsOf(services, accountId)).map(({ ref, list }) => listOnTheWire(ref, list));
  }
  const shown = refsOf(accountId, knownProviders).map(async (ref) => {
    const list = await refreshList(services, ref, await services.pinnedLists.read(ref), fetch.requestId);
    return list === undefined ? [] : [listOnTheWire(ref, list)];
  });
  return (await Promise.all(shown)).flat();
}

/** Accepts tools in the form that was seen: all of them or none. What it cannot do is a word, since errors of this module are of its own class. */
export async function acceptTools(
  services: RefreshListDependencies,
  of: { readonly accountId: string; readonly provider: string | undefined; readonly endpoint: EndpointKind },
  tools: readonly { readonly name: string; readonly hash: string }[],
  by: { readonly requestId: string; readonly actor: string },
) {
  const { accountId, endpoint } = of;
  const provider = knownProviders.find((id) => id === of.provider);
  const ref = provider && { accountId, provider, endpoint };
  const before = ref && (await services.pinnedLists.read(ref));
  if (ref === undefined || before === undefined) return 'not_found';
  const list = acceptedBy(before, Object.fromEntries(tools.map(({ name, hash }) => [name, hash])));
  const event = newEvent(services.clock, services.random, 'ServerToolsAccepted', {
    subject: { accountId },
    sequence: 0,
    says: { provider: ref.provider, tools: tools.map(({ name }) => name).join(',') },
    ...by,
  });
  if (list === undefined || !(await services.pinnedLists.write(ref, list, before.version, event))) return 'conflict';
  return listOnTheWire(ref, list);
}

/** Rows of the overview about tools that are hidden from assistants until somebody accepts them. */
export async function hiddenTools(services: Pick<RefreshListDependencies, 'pinnedLists'>, accountId: string) {
  const lists = await pinnedListsOf(services, accountId);
  return lists.flatMap(({ ref, list }) => {
    const names = waitingIn(ref, list);
    return names.length === 0 ? [] : [hiddenRow(ref, names)];
  });
}

function hiddenRow({ provider, endpoint }: PinnedListRef, names: readonly string[]) {
  const what = names.length === 1 ? 'A tool' : `${names.length} tools`;
  return {
    title: `${what} of ${provider} changed and ${names.length === 1 ? 'is' : 'are'} hidden from assistants`,
    explanation: `Google’s MCP server describes them in another way than you accepted, or they are new: ${names.join(', ')}. A description can steer an assistant, so nobody sees it before you do.`,
    steps: [
      'Compare what was accepted with what waits: gateway agents tools',
      `Accept what you agree with: gateway agents accept-tools ${provider} ${names.join(' ')}${endpoint === 'full' ? '' : ' --self'}`,
    ],
    count: names.length,
    reason: endpoint,
  };
}
