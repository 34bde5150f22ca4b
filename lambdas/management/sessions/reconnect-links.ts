import type { ReconnectBatch, ReconnectBatchStore } from '../../gateway/authorization/ports.ts';
import type { ConnectionFilter, EndUser } from '../../gateway/connections/connection.rules.ts';
import type { ConnectionStore } from '../../gateway/connections/ports.ts';
import { GatewayError } from '../../gateway/core/errors.ts';
import {
  type ConnectionRef,
  connectionRefKey,
  type IntegrationRef,
  sha256Hex,
  ulid,
} from '../../gateway/core/identifiers.ts';
import {
  CONNECT_SESSION_LIFETIME_SEC,
  RECONNECT_LINK_LIFETIME_SEC,
  RECONNECT_LINKS_CONCURRENCY,
  RECONNECT_LINKS_MAX,
} from '../../gateway/core/limits.ts';
import { nameForEndUsers } from '../../gateway/integrations/integration.rules.ts';
import { type Language, languageOf } from '../../gateway/languages/language.rules.ts';
import { reconnectMessage } from '../../gateway/languages/reconnect-messages.rules.ts';
import { nameOf } from '../calls/name-connections.ts';
import { type CreateSessionDependencies, createConnectSession } from './create-connect-session.ts';

export interface ReconnectLinksDependencies extends CreateSessionDependencies {
  readonly reconnectBatches: ReconnectBatchStore;
}

export interface NewReconnectLinks {
  readonly accountId: string;
  /** At most `RECONNECT_LINKS_MAX`. */
  readonly refs: readonly ConnectionRef[];
  readonly lifetimeSec: number;
  /** The operator's text with `{link}`, `{name}`, `{integration}` and `{expires}`; undefined = the gateway's own. */
  readonly message: string | undefined;
  /** Language for end users whose own is unknown. */
  readonly language: Language | undefined;
  readonly requestId: string;
  readonly actor: string;
}

/** A link, shown this once. */
export interface ReconnectLink extends ConnectionRef {
  readonly endUser: EndUser | undefined;
  readonly providerEmail: string | undefined;
  readonly link: string;
  /**
   * Language of names in the message, and of the message itself where the operator wrote none; undefined where none is known or named,
   * which means English.
   */
  readonly language: Language | undefined;
  readonly subject: string;
  readonly message: string;
}

/** A connection that got none, and why. */
export interface RefusedLink extends ConnectionRef {
  readonly reason: string;
}

/**
 * Creates a connect session for each of some connections, to be sent to their end users: single use, for the connection's provider
 * account, valid for days. Connections that cannot have a link are listed with the reason, and the others get theirs.
 */
export async function createReconnectLinks(
  deps: ReconnectLinksDependencies,
  wanted: NewReconnectLinks,
): Promise<{
  readonly batch: ReconnectBatch;
  readonly links: readonly ReconnectLink[];
  readonly refused: readonly RefusedLink[];
}> {
  const nowMs = deps.clock.nowMs();
  const endsAtEpochSec = Math.floor(nowMs / 1000) + wanted.lifetimeSec;
  const batchId = ulid(nowMs, deps.random.bytes(10));
  const unique = [...new Map(wanted.refs.map((ref) => [connectionRefKey(ref), ref])).values()];
  const made: (ReconnectLink & { readonly token: string })[] = [];
  const refused: RefusedLink[] = [];
  await eachOf(unique, async (ref) => {
    try {
      made.push(await createLink(deps, wanted, ref, { batchId, endsAtEpochSec }));
    } catch (error) {
      if (!(error instanceof GatewayError)) throw error;
      refused.push({ ...ref, reason: error.problems?.[0]?.message ?? error.message });
    }
  });
  const batch: ReconnectBatch = {
    accountId: wanted.accountId,
    batchId,
    createdAt: new Date(nowMs).toISOString(),
    createdBy: wanted.actor,
    endsAtEpochSec,
    links: made.map(({ integrationId, connectionId, token }) => ({
      integrationId,
      connectionId,
      sessionHash: sha256Hex(token),
    })),
    revokedAt: undefined,
  };
  if (made.length > 0) await deps.reconnectBatches.create(batch);
  const inOrder = <T extends ConnectionRef>(all: readonly T[]): T[] => {
    const byKey = new Map(all.map((one) => [connectionRefKey(one), one]));
    return unique.flatMap((ref) => byKey.get(connectionRefKey(ref)) ?? []);
  };
  return { batch, links: inOrder(made.map(({ token: _, ...link }) => link)), refused: inOrder(refused) };
}

async function createLink(
  deps: ReconnectLinksDependencies,
  wanted: NewReconnectLinks,
  ref: ConnectionRef,
  { batchId, endsAtEpochSec }: Pick<ReconnectBatch, 'batchId' | 'endsAtEpochSec'>,
): Promise<ReconnectLink & { readonly token: string }> {
  const connection = await deps.connections.read(ref);
  if (connection === undefined || connection.status === 'deleted') {
    throw new GatewayError('unknown_connection', 'There is no such connection under this integration.');
  }
  if (connection.providerAccount === undefined && wanted.lifetimeSec > CONNECT_SESSION_LIFETIME_SEC) {
    // For days, nothing would distinguish the owner's account from the account of another recipient of the link.
    throw new GatewayError(
      'account_not_known',
      `It is unknown whose Google account this is: its link may be valid for at most ${CONNECT_SESSION_LIFETIME_SEC / 60} minutes.`,
    );
  }
  // The language of the consent's page. Where none is known or named, the browser's applies to the page.
  const language = languageOf(connection.language ?? '') ?? wanted.language;
  const session = await createConnectSession(deps, {
    accountId: ref.accountId,
    endUser: undefined,
    tags: {},
    allowedIntegrations: [ref.integrationId],
    defaults: {},
    reconnect: { integrationId: ref.integrationId, connectionId: ref.connectionId },
    allowAccountChange: false,
    returnUrl: undefined,
    confirm: false,
    language,
    lifetimeSec: wanted.lifetimeSec,
    batchId,
    requestId: wanted.requestId,
    actor: wanted.actor,
  });
  const integration = await deps.integrations.get(integrationOf(ref));
  const { endUser, providerAccount } = connection;
  const expiresAtMs = endsAtEpochSec * 1000;
  const name = endUser?.displayName ?? undefined;
  const words = {
    link: session.connectLink,
    name: name ?? endUser?.email ?? providerAccount?.email ?? '',
    integration: integration === undefined ? ref.integrationId : nameForEndUsers(integration, language),
    expires: `${new Date(expiresAtMs).toISOString().slice(0, 16).replace('T', ' ')} UTC`,
  };
  const own = reconnectMessage(language ?? 'en', {
    name: name === undefined ? undefined : shown(name),
    integration: shown(words.integration),
    link: words.link,
    expiresAtMs,
  });
  return {
    ...ref,
    endUser,
    providerEmail: providerAccount?.email ?? undefined,
    link: session.connectLink,
    language,
    subject: own.subject,
    message: wanted.message === undefined ? own.text : filled(wanted.message, words),
    token: session.token,
  };
}

function integrationOf({ accountId, integrationId }: ConnectionRef): IntegrationRef {
  return { accountId, integrationId };
}

/** A text with its placeholders filled once: inserted text is not processed again. */
export function filled(text: string, words: Readonly<Record<string, string>>): string {
  return text.replace(/\{(\w+)\}/g, (all, name: string) =>
    Object.hasOwn(words, name) ? shown(words[name] ?? all) : all,
  );
}

/** Names from before validation: line ends and direction characters are removed (PR-16). */
function shown(text: string): string {
  return text.replaceAll(/[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu, ' ');
}

/** The outcome of a link. */
export type LinkState = 'waiting' | 'came_back' | 'expired' | 'revoked' | 'deleted';

export interface FollowedLink {
  readonly integrationId: string;
  readonly connectionId: string;
  readonly state: LinkState;
  /** Name of the connection; its id where it was deleted. */
  readonly name: string;
  /** Of the connection; undefined where it was deleted. */
  readonly endUser: EndUser | undefined;
  /** ISO 8601 UTC; undefined until then. */
  readonly cameBackAt: string | undefined;
}

/** Which users returned: a connection counts as soon as its user consented again, by this link or another way. */
export async function followLinks(
  deps: { readonly connections: ConnectionStore; readonly clock: { nowMs(): number } },
  batch: ReconnectBatch,
): Promise<FollowedLink[]> {
  const followed = new Map<string, FollowedLink>();
  const sinceEpochSec = Math.floor(Date.parse(batch.createdAt) / 1000);
  await eachOf(batch.links, async ({ integrationId, connectionId, revokedAt = batch.revokedAt }) => {
    const ref = { accountId: batch.accountId, integrationId, connectionId };
    const connection = await deps.connections.read(ref);
    const isGone = connection === undefined || connection.status === 'deleted';
    const isBack = !isGone && connection.consentedAtEpochSec >= sinceEpochSec;
    const isOver = batch.endsAtEpochSec * 1000 <= deps.clock.nowMs();
    const closed: LinkState = revokedAt !== undefined ? 'revoked' : isOver ? 'expired' : 'waiting';
    followed.set(connectionRefKey(ref), {
      integrationId,
      connectionId,
      state: isGone ? 'deleted' : isBack ? 'came_back' : closed,
      name: isGone ? connectionId : nameOf(connection),
      endUser: isGone ? undefined : connection.endUser,
      cameBackAt: isBack ? new Date(connection.consentedAtEpochSec * 1000).toISOString() : undefined,
    });
  });
  return batch.links.flatMap((link) => followed.get(connectionRefKey({ accountId: batch.accountId, ...link })) ?? []);
}

/** Withdraws links of a batch, all or those within the caller's reach: from then on they open nothing (CS-20). */
export async function revokeLinks(
  deps: Pick<ReconnectLinksDependencies, 'sessions' | 'reconnectBatches' | 'clock'>,
  batch: ReconnectBatch,
): Promise<void> {
  await eachOf(batch.links, ({ sessionHash }) => deps.sessions.delete(sessionHash));
  const hashes = new Set(batch.links.map(({ sessionHash }) => sessionHash));
  await deps.reconnectBatches.markRevoked(batch, hashes, new Date(deps.clock.nowMs()).toISOString());
}

/**
 * The next dead connections of a selection, for links.
 *
 * @param position where the selection before ended
 */
export async function selectDead(
  connections: ConnectionStore,
  accountId: string,
  filter: ConnectionFilter,
  position: string | undefined,
): Promise<{ readonly refs: readonly ConnectionRef[]; readonly next: string | undefined }> {
  const refs: ConnectionRef[] = [];
  let from = position;
  do {
    const wanted = RECONNECT_LINKS_MAX - refs.length;
    const read = await connections.list(accountId, { ...filter, status: 'reauthorization_required' }, wanted, from);
    refs.push(...read.connections);
    from = read.next;
  } while (from !== undefined && refs.length < RECONNECT_LINKS_MAX);
  return { refs, next: from };
}

/** Does the same with each, some at a time. */
export async function eachOf<T>(all: readonly T[], work: (one: T) => Promise<void>): Promise<void> {
  const waiting = [...all];
  const run = async () => {
    for (let one = waiting.shift(); one !== undefined; one = waiting.shift()) await work(one);
  };
  await Promise.all(Array.from({ length: RECONNECT_LINKS_CONCURRENCY }, run));
}

/** Default lifetime of a link. */
export const DEFAULT_LINK_LIFETIME_SEC = RECONNECT_LINK_LIFETIME_SEC.default;
