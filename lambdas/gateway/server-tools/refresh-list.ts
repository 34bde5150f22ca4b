import { epochSecNow } from '../core/clock.ts';
import { readCapped, type Upstream } from '../core/http-message.ts';
import { SERVER_TOOLS_FETCH_TIMEOUT_MS } from '../core/limits.ts';
import type { Clock, Logger, Random } from '../core/ports.ts';
import { newEvent } from '../events/lifecycle-event.rules.ts';
import type { ProviderEndpoints } from '../providers/authorization-server.rules.ts';
import type { ProviderId } from '../providers/provider-ids.rules.ts';
import { KNOWN_SERVERS } from './known-tools.rules.ts';
import {
  compared,
  type EndpointKind,
  LIST_MAX_BYTES,
  type PinnedList,
  readToolList,
  type ServerTool,
} from './pins.rules.ts';
import type { PinnedListRef, PinnedListStore } from './ports.ts';
import { readServerAnswer, serverRequest } from './server-message.rules.ts';

export interface RefreshListDependencies {
  readonly pinnedLists: PinnedListStore;
  readonly upstream: Upstream;
  readonly endpointsOf: (provider: ProviderId) => ProviderEndpoints;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
}

/** Pages of one list, at most: a server that never ends has no list. */
const PAGES_MAX = 5;

/** Address of one of a server's endpoints (GA-4); undefined where the deployment has none. */
export function endpointUrl(toolServerEndpoint: string | undefined, kind: EndpointKind): URL | undefined {
  if (toolServerEndpoint === undefined) return undefined;
  return new URL(kind === 'full' ? toolServerEndpoint : `${toolServerEndpoint}self`);
}

/**
 * Asks a server for its tools, without a credential, and pins what it says (GA-22). A server that cannot be asked changes nothing.
 *
 * @param before the list as it was read
 * @returns the list as it is now; undefined where nobody could ever be asked
 */
export async function refreshList(
  deps: RefreshListDependencies,
  ref: PinnedListRef,
  before: PinnedList | undefined,
  requestId: string,
): Promise<PinnedList | undefined> {
  const { clock, random, logger, pinnedLists } = deps;
  const now = await fetchTools(deps, ref).catch((error: unknown) => {
    logger.error('a list of tools could not be fetched', { requestId, accountId: ref.accountId }, error);
    return undefined;
  });
  if (now === undefined) return before;
  const known = new Set(KNOWN_SERVERS[ref.provider]?.tools.map(({ name }) => name));
  const { list, began } = compared(before, now, known, epochSecNow(clock));
  const event =
    began.length === 0
      ? undefined
      : newEvent(clock, random, 'ServerToolsChanged', {
          subject: { accountId: ref.accountId },
          sequence: 0,
          says: { provider: ref.provider, tools: began.join(',') },
          requestId,
        });
  const isWritten = await pinnedLists.write(ref, list, before?.version, event);
  // Somebody else has pinned the same moment: what they wrote counts.
  return isWritten ? list : ((await pinnedLists.read(ref)) ?? before);
}

/** @throws Error for what is no list */
async function fetchTools(
  { upstream, endpointsOf }: RefreshListDependencies,
  { provider, endpoint }: PinnedListRef,
): Promise<readonly ServerTool[] | undefined> {
  const url = endpointUrl(endpointsOf(provider).toolServerEndpoint, endpoint);
  if (url === undefined) return undefined;
  const tools: ServerTool[] = [];
  let cursor: unknown;
  for (let page = 0; page < PAGES_MAX; page++) {
    const { headers, body } = serverRequest('tools/list', cursor === undefined ? {} : { cursor });
    const response = await upstream.send({
      origin: url.origin,
      method: 'POST',
      path: url.pathname,
      headers,
      body,
      firstByteTimeoutMs: SERVER_TOOLS_FETCH_TIMEOUT_MS,
      idleTimeoutMs: SERVER_TOOLS_FETCH_TIMEOUT_MS,
      totalTimeoutMs: SERVER_TOOLS_FETCH_TIMEOUT_MS,
    });
    const text = await readCapped(response.body, LIST_MAX_BYTES);
    if (text === undefined) {
      response.abandon();
      throw new Error(`The list has more than ${LIST_MAX_BYTES} bytes`);
    }
    const answer = readServerAnswer(response.headers, Buffer.from(text));
    const read = answer.kind === 'result' ? readToolList(answer.result) : undefined;
    if (read === undefined || answer.kind !== 'result')
      throw new Error(`The server answered ${response.status} and no list`);
    tools.push(...read);
    cursor = answer.result.nextCursor;
    if (cursor === undefined || cursor === null) break;
  }
  if (JSON.stringify(tools).length > LIST_MAX_BYTES) throw new Error(`The list has more than ${LIST_MAX_BYTES} bytes`);
  return tools;
}
