import { type FindConnectionDependencies, findConnection } from '../../gateway/connections/find-connection.ts';
import { refuseAgentic } from '../../gateway/core/agentic.ts';
import { epochSecNow } from '../../gateway/core/clock.ts';
import { GatewayError, type Problem, refusal } from '../../gateway/core/errors.ts';
import { type ConnectionRef, sha256Hex, ulid } from '../../gateway/core/identifiers.ts';
import { managedFrom, type StackResource } from '../../gateway/core/managed-by.rules.ts';
import type { Random } from '../../gateway/core/ports.ts';
import type { Integration } from '../../gateway/integrations/integration.rules.ts';
import { deadConnection } from '../../gateway/tokens/access-tokens.ts';
import { createWithin } from '../../management/creations/create-within.ts';
import type { CreationGate } from '../../management/creations/ports.ts';
import { type Feed, type FeedRef, type FeedSettings, newProgress } from './feed.rules.ts';
import { type Asking, newFeedEvent } from './feed-event.ts';
import { type FeedResource, feedResourceText, providerOfResource, scopeProblem } from './feed-resource.rules.ts';
import { FEED_REQUEST_BUDGET_MS, FEEDS_PER_CONNECTION_MAX } from './limits.rules.ts';
import type { FeedStore } from './ports.ts';
import { type FeedTurn, type FeedWorkDependencies, workOnFeed } from './work-on-feed.ts';

export interface CreateFeedDependencies extends FindConnectionDependencies {
  readonly random: Random;
  readonly parts: { readonly feeds: FeedWorkDependencies };
  readonly creations: CreationGate;
}

/**
 * Starts to watch a resource. When the returned state is not `starting`, the feed's place in the history is stored, so it contains
 * every later change. A second request for the same resource returns the first feed, also while its connection needs a new
 * authorization.
 *
 * @throws GatewayError errors of `findConnection`, `reauthorization_required` for a new feed, `invalid_body` for a resource of the other
 * provider, one outside the granted scopes or one that Google refuses, `conflict` for one feed too many
 */
export async function createFeed(
  deps: CreateFeedDependencies,
  connectionRef: ConnectionRef,
  resource: FeedResource,
  settings: FeedSettings,
  asking: Asking,
  stack?: StackResource,
): Promise<{ readonly feed: Feed; readonly created: boolean }> {
  const { connection, integration } = await findConnection(deps, connectionRef);
  refuseAgentic(integration, 'Feeds call REST APIs');
  const problems = resourceProblems(integration, resource);
  if (problems.length > 0) throw refusal('invalid_body', problems);
  if (connection.death !== undefined) {
    const existing = await existingFeed(deps, connectionRef, resource);
    if (existing === undefined) throw deadConnection(connection.death);
    return { feed: existing, created: false };
  }
  const refused = scopeProblem(resource, connection.grantedScopes);
  if (refused !== undefined) throw refusal('invalid_body', [{ path: 'resource', message: refused }]);
  const nowMs = deps.clock.nowMs();
  const { accountId, integrationId, connectionId } = connectionRef;
  const feed: Feed = {
    ...newProgress(Math.floor(nowMs / 1000)),
    ...settings,
    accountId,
    feedId: ulid(nowMs, deps.random.bytes(10)),
    connection: { accountId, integrationId, connectionId },
    endUserId: connection.endUser?.id,
    resource,
    epoch: 0,
    lease: undefined,
    createdAt: new Date(nowMs).toISOString(),
    managedBy: stack && managedFrom(stack),
  };
  // A resource that the provider refuses leaves no feed behind: concurrent requests for it wait, and get the same error (CF-31).
  const place = `feed ${integrationId} ${connectionId}`;
  // As digests, because a calendar's id is an e-mail address.
  const gates = [`${place} ${feedResourceText(resource)}`, place].map((text) => `feed ${sha256Hex(text)}`);
  return createWithin(deps.creations, accountId, gates[0] ?? place, async () => {
    const made = await createWithin(deps.creations, accountId, gates[1] ?? place, async () => ({
      ...(await deps.parts.feeds.feeds.create(feed, newFeedEvent(deps, 'FeedCreated', feed, asking))),
      id: undefined,
    }));
    return {
      ...(await begin(deps, feed, made, { ...asking, deadlineMs: nowMs + FEED_REQUEST_BUDGET_MS })),
      id: undefined,
    };
  });
}

/** The connection's feed of a resource. It outlives the grant, so a consumer that starts meanwhile finds it, paused. */
async function existingFeed(
  deps: CreateFeedDependencies,
  { accountId, integrationId, connectionId }: ConnectionRef,
  resource: FeedResource,
): Promise<Feed | undefined> {
  const connection = { accountId, integrationId, connectionId };
  const feeds = await deps.parts.feeds.feeds.siblings({ accountId, feedId: '', connection });
  return feeds.find((one) => feedResourceText(one.resource) === feedResourceText(resource));
}

/** The first pull of a new feed, or the existing feed. */
async function begin(
  deps: CreateFeedDependencies,
  feed: Feed,
  made: Awaited<ReturnType<FeedStore['create']>>,
  work: Asking & { readonly deadlineMs: number },
): Promise<{ readonly feed: Feed; readonly created: boolean }> {
  const { accountId } = feed;
  if (made.kind === 'full') {
    throw new GatewayError(
      'conflict',
      `This connection has ${FEEDS_PER_CONNECTION_MAX} feeds, the maximum. Delete one first.`,
    );
  }
  if (made.kind === 'existing') {
    const existing = await deps.parts.feeds.feeds.read({ accountId, feedId: made.feedId });
    if (existing === undefined)
      throw new GatewayError('conflict', 'The feed is being deleted at this moment. Try again.');
    return { feed: existing, created: false };
  }
  const { actor, ...request } = work;
  const turn = await workOnFeed(deps.parts.feeds, feed, request);
  if (turn.kind === 'refused') await refuse(deps, turn, { requestId: request.requestId, actor });
  return { feed: await current(deps, feed), created: true };
}

/** Whether an integration has such a resource. */
export function resourceProblems(integration: Integration, resource: FeedResource): Problem[] {
  if (providerOfResource(resource) === integration.provider) return [];
  return [{ path: 'resource', message: `an integration of ${integration.provider} has no such resource` }];
}

/** Google's refusal is returned at once, and leaves no feed behind. */
async function refuse(
  deps: CreateFeedDependencies,
  { feed, status }: Extract<FeedTurn, { kind: 'refused' }>,
  asking: Asking,
): Promise<never> {
  const event = newFeedEvent(deps, 'FeedDeleted', feed, { says: { reason: 'resource_refused' }, ...asking });
  await deps.parts.feeds.feeds.remove(feed, epochSecNow(deps.clock), event);
  throw refusal('invalid_body', [
    {
      path: 'resource',
      message: `Google refuses it to this connection (${status}): it does not exist, or the account or the granted scopes do not give access to it`,
    },
  ]);
}

async function current(deps: CreateFeedDependencies, ref: FeedRef): Promise<Feed> {
  const feed = await deps.parts.feeds.feeds.read(ref);
  if (feed === undefined) throw unknownFeed();
  return feed;
}

/** The same for a missing, a deleted and another account's feed. */
export function unknownFeed(): GatewayError {
  return new GatewayError('not_found', 'There is no feed with this id.');
}
