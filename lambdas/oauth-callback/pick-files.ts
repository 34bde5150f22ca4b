import type { ConnectSession, PendingAuthorization } from '../gateway/authorization/connect-session.rules.ts';
import { FlowFailure } from '../gateway/authorization/flow-failure.ts';
import { otherAccount } from '../gateway/authorization/identify-account.ts';
import { readPickedIds } from '../gateway/authorization/pick.rules.ts';
import type { PickStore } from '../gateway/authorization/ports.ts';
import { filesPicked } from '../gateway/authorization/store-connection.ts';
import type { PickedFile, PickingAccount, PickRecord } from '../gateway/connections/authorized-session.rules.ts';
import type { Connection } from '../gateway/connections/connection.rules.ts';
import type { ConnectionStore } from '../gateway/connections/ports.ts';
import { GatewayError } from '../gateway/core/errors.ts';
import type { GatewayRequest, Upstream } from '../gateway/core/http-message.ts';
import { ulid } from '../gateway/core/identifiers.ts';
import { PICK_CONFIRM_BUDGET_MS, PICK_CONFIRM_CONCURRENCY } from '../gateway/core/limits.ts';
import type { Clock, Random, TokenCipher } from '../gateway/core/ports.ts';
import { sessionActor } from '../gateway/events/lifecycle-event.rules.ts';
import type { Integration } from '../gateway/integrations/integration.rules.ts';
import type { FilePicker, ProviderEndpoints, ProviderId } from '../gateway/providers/provider.rules.ts';
import { missingScopes } from '../gateway/providers/scopes.rules.ts';
import { sendAsUser } from '../gateway/tokens/access-tokens.ts';
import type { ConnectionRefresher } from '../gateway/tokens/refresher.ts';
import { requestedTokens } from '../gateway/tokens/requested-tokens.ts';
import {
  exchangeSmall,
  readWithToken,
  refusesToken,
  type SmallAnswer,
  smallRead,
} from '../gateway/tokens/whole-answer.ts';

export interface PickDependencies {
  readonly connections: Pick<ConnectionStore, 'read'>;
  readonly picks: PickStore;
  readonly refresher: Pick<ConnectionRefresher, 'refresh'>;
  readonly upstream: Upstream;
  readonly endpointsOf: (provider: ProviderId) => ProviderEndpoints;
  readonly cipher: TokenCipher;
  readonly clock: Clock;
  readonly random: Random;
}

/**
 * The ids that a callback of kind `pick` brought; other kinds are not read (PK-11).
 *
 * @throws FlowFailure `malformed_answer`, and `pick_cancelled` when nothing was picked (PK-14)
 */
export function requirePickedIds(query: GatewayRequest['query']): readonly string[] {
  const picked = readPickedIds(query);
  if (picked.kind === 'malformed') throw new FlowFailure('malformed_answer', { detail: picked.message });
  if (picked.ids.length === 0) throw new FlowFailure('pick_cancelled');
  return picked.ids;
}

/** A pick that has come back, with the token its code was exchanged for. */
export interface ReturnedPick {
  readonly pending: PendingAuthorization;
  readonly session: ConnectSession;
  readonly integration: Integration;
  readonly picker: FilePicker;
  readonly ids: readonly string[];
  readonly accessToken: string;
  readonly grantedScopes: readonly string[];
  readonly requestId: string;
}

/** A pick by the right account, with its files tried. */
export interface JudgedPick {
  readonly record: PickRecord;
  /** The connection it is for, if that exists already. */
  readonly existing: Connection | undefined;
}

/**
 * Determines the account of a pick, by both tokens where there are two, and which of its files the connection can open. A pick by
 * another account than the connection's is refused. Its token is discarded but not revoked, because that would end that
 * account's other grants (PK-13).
 *
 * @throws FlowFailure
 */
export async function judgePick(deps: PickDependencies, returned: ReturnedPick): Promise<JudgedPick> {
  const { pending, picker, ids } = returned;
  if (missingScopes([picker.scope], returned.grantedScopes).length > 0) throw new FlowFailure('only_sign_in');
  const account = await requireAccount(deps, returned.integration, picker, returned.accessToken);
  const own = pending.isReconnect ? await ownToken(deps, returned) : undefined;
  if (own !== undefined && own.account.permissionId !== account.permissionId) {
    throw otherAccount(own.connection.providerAccount?.email ?? own.account.email, account.email);
  }
  // Where the connection has no token yet, the pick's token becomes its own.
  const token = own !== undefined && pending.pick?.access === 'online' ? own.accessToken : returned.accessToken;
  const files = await confirmFiles(deps, returned.integration, picker, ids, token);
  const nowMs = deps.clock.nowMs();
  const record: PickRecord = {
    pickId: ulid(nowMs, deps.random.bytes(10)),
    files,
    account,
    actor: sessionActor(returned.session),
    pickedAtEpochSec: Math.floor(nowMs / 1000),
  };
  return { record, existing: own?.connection };
}

/**
 * Adds a pick to a connection that keeps its tokens.
 *
 * @throws FlowFailure
 */
export async function widenConnection(
  deps: PickDependencies,
  { pending, session, requestId }: ReturnedPick,
  { record, existing }: JudgedPick,
): Promise<void> {
  const { accountId, integrationId, connectionId } = pending;
  const ref = { accountId, integrationId, connectionId };
  const event = filesPicked(deps, ref, record, { endUserId: (session.endUser ?? existing?.endUser)?.id, requestId });
  const outcome = {
    integrationId,
    connectionId,
    errorType: undefined,
    message: undefined,
    missingScopes: [],
    pickId: record.pickId,
  };
  const saved = await deps.picks.save(ref, record, { sessionHash: session.sessionHash, outcome }, event);
  if (saved === 'session_over') throw new FlowFailure('session_used');
  if (saved === 'connection_ended') throw new FlowFailure('connection_ended');
}

/** A working token of the connection, and its account. @throws FlowFailure */
async function ownToken(
  deps: PickDependencies,
  { pending, integration, picker, requestId }: ReturnedPick,
): Promise<{ readonly connection: Connection; readonly accessToken: string; readonly account: PickingAccount }> {
  const { accountId, integrationId, connectionId } = pending;
  const stored = await deps.connections.read({ accountId, integrationId, connectionId });
  if (stored === undefined || stored.status === 'deleted') throw new FlowFailure('connection_deleted');
  if (stored.status !== 'active') throw new FlowFailure('connection_ended');
  const sent = await asItsUser(deps, stored, integration, picker, requestId);
  const account = sent.kind === 'dead' ? 'refused' : accountIn(sent.answer);
  if (sent.kind === 'dead' || account === 'refused') throw new FlowFailure('connection_ended');
  if (account === 'unknown') throw new FlowFailure('provider_unreachable');
  return { ...sent.token, account };
}

async function asItsUser(
  deps: PickDependencies,
  connection: Connection,
  integration: Integration,
  picker: FilePicker,
  requestId: string,
) {
  try {
    const { apiOrigin } = deps.endpointsOf(integration.provider);
    return await sendAsUser(deps.upstream, requestedTokens(deps, { connection, integration }, requestId), {
      exchange: (send) => exchangeSmall(send, smallRead(apiOrigin, picker.aboutPath)),
      isRefused: refusesToken,
    });
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    const kind = error.code === 'unknown_connection' ? 'connection_deleted' : 'provider_unreachable';
    throw new FlowFailure(kind, { cause: error });
  }
}

async function requireAccount(
  { upstream, endpointsOf }: PickDependencies,
  { provider }: Integration,
  { aboutPath }: FilePicker,
  accessToken: string,
): Promise<PickingAccount> {
  const account = accountIn(await readWithToken(upstream, endpointsOf(provider).apiOrigin, aboutPath, accessToken));
  if (account === 'refused') throw new FlowFailure('account_unproven');
  if (account === 'unknown') throw new FlowFailure('provider_unreachable');
  return account;
}

/** The account of a token, from the API itself; `refused`: the token is invalid, `unknown`: no usable answer. */
function accountIn(answer: SmallAnswer): PickingAccount | 'refused' | 'unknown' {
  if (answer.kind !== 'answered') return 'unknown';
  if (answer.status === 401) return 'refused';
  const user = answer.status === 200 ? member(parsed(answer.text), 'user') : undefined;
  const permissionId = member(user, 'permissionId');
  const email = member(user, 'emailAddress');
  if (typeof permissionId !== 'string' || permissionId === '') return 'unknown';
  return { permissionId, email: typeof email === 'string' ? email : null };
}

/**
 * Opens each file with the connection's token, ten at a time; files that fail or are not reached in time are listed as unconfirmed
 * (PK-12).
 */
async function confirmFiles(
  deps: PickDependencies,
  integration: Integration,
  picker: FilePicker,
  ids: readonly string[],
  accessToken: string,
): Promise<PickedFile[]> {
  const untilMs = deps.clock.nowMs() + PICK_CONFIRM_BUDGET_MS;
  const files: PickedFile[] = ids.map((id) => ({ id, mimeType: undefined, confirmed: false }));
  const rest = ids.entries();
  const work = async (): Promise<void> => {
    for (const [index, id] of rest) {
      if (deps.clock.nowMs() >= untilMs) return;
      files[index] = await confirmFile(deps, integration, picker, id, accessToken);
    }
  };
  await Promise.all(Array.from({ length: PICK_CONFIRM_CONCURRENCY }, work));
  return files;
}

async function confirmFile(
  { upstream, endpointsOf }: PickDependencies,
  { provider }: Integration,
  { filesPath }: FilePicker,
  id: string,
  accessToken: string,
): Promise<PickedFile> {
  const path = `${filesPath}${id}?fields=id%2CmimeType&supportsAllDrives=true`;
  const answer = await readWithToken(upstream, endpointsOf(provider).apiOrigin, path, accessToken);
  const file = answer.kind === 'answered' && answer.status === 200 ? parsed(answer.text) : undefined;
  if (member(file, 'id') !== id) return { id, mimeType: undefined, confirmed: false };
  const mimeType = member(file, 'mimeType');
  return { id, mimeType: typeof mimeType === 'string' ? mimeType.slice(0, 255) : undefined, confirmed: true };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function member(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null
    ? Object.entries(value).find(([key]) => key === name)?.[1]
    : undefined;
}
