import type { RefreshResult } from '../connections/change-counts.rules.ts';
import type { Connection } from '../connections/connection.rules.ts';
import type { ConnectionStore } from '../connections/ports.ts';
import { isNamed } from '../connections/refresh-refusal.rules.ts';
import { BoundedCache } from '../core/bounded-cache.ts';
import { epochSecNow } from '../core/clock.ts';
import { connectionRefKey, integrationRefKey, sha256Hex } from '../core/identifiers.ts';
import {
  CACHE_MAX_ENTRIES,
  FORCED_REFRESH_COOL_DOWN_SEC,
  LEASE_CLOCK_TOLERANCE_SEC,
  REFRESH_POLL_MS,
} from '../core/limits.ts';
import type { Clock, Metrics, Random, TokenCipher } from '../core/ports.ts';
import type { Integration } from '../integrations/integration.rules.ts';
import type { IntegrationStore } from '../integrations/ports.ts';
import { accessTokenContext, refreshTokenContext } from './ciphertexts.rules.ts';
import { recordClientChange, recordDeadGrant, reportClientFault, reportRefusal } from './diagnosis.ts';
import { type RefreshTiming, tokenFreshness } from './freshness.rules.ts';
import {
  type HeldAttempt,
  type LeaseHolderDependencies,
  pause,
  putOff,
  type RefreshOutcome,
  releaseUntouched,
  type SubjectRefresher,
  timedOut,
} from './lease.ts';
import { noteTesting, reportClientRecovered } from './note-grant.ts';
import { RereadBound } from './reread-bound.ts';
import { callTokenEndpoint } from './token-endpoint.ts';
import type { TokenJudgement } from './token-response.rules.ts';
import { adoptEscrow, newerEscrow, storeRefreshedTokens } from './token-write.ts';

/** Refreshes under a lease: one token call (and its permitted retries), then one write fenced by the lease's epoch. */
export class LeaseHolder {
  readonly #deps: LeaseHolderDependencies;

  constructor(deps: LeaseHolderDependencies) {
    this.#deps = deps;
  }

  async refresh(attempt: HeldAttempt): Promise<RefreshOutcome> {
    const outcome = await this.#refresh(attempt);
    this.#deps.metrics.count('Refresh', { outcome: outcome.kind, cause: causeOf(outcome) });
    const result = resultOf(outcome);
    if (result !== undefined) await this.#deps.changes?.refreshed(attempt.integration, result);
    return outcome;
  }

  async #refresh(attempt: HeldAttempt): Promise<RefreshOutcome> {
    const { connection, integration, refreshToken } = attempt;
    if (attempt.adopt || attempt.lostHash !== undefined) {
      const escrowed = await newerEscrow(this.#deps, connection);
      if (escrowed !== undefined) return adoptEscrow(this.#deps, attempt, escrowed);
    }
    if (attempt.adopt && connection.death !== undefined) {
      // There was nothing to adopt, and no request to ask the provider again.
      await releaseUntouched(this.#deps, attempt, true);
      return { kind: 'dead', connection, death: connection.death };
    }
    if (connection.delegated === true) {
      const bySubject = this.#deps.delegation;
      return (
        bySubject?.refresh(this.#deps, attempt) ?? reportClientFault(this.#deps, attempt, 'credentials_missing', true)
      );
    }
    const call = await callTokenEndpoint(this.#deps, {
      integration,
      clientId: connection.clientId,
      refreshToken,
      callTimeoutMs: this.#deps.timing.callTimeoutMs,
      untilMs: attempt.callUntilMs,
    });
    switch (call.kind) {
      case 'client_changed':
        return recordClientChange(this.#deps, attempt);
      case 'no_credentials':
        return reportClientFault(this.#deps, attempt, 'credentials_missing', true);
      case 'unanswered':
        return putOff(this.#deps, attempt, { reason: call.reason, retryAfterSec: undefined, closed: !call.ambiguous });
      case 'judged':
        return this.#apply(attempt, call.judgement, call.ambiguous);
    }
  }

  async #apply(attempt: HeldAttempt, judgement: TokenJudgement, ambiguous: boolean): Promise<RefreshOutcome> {
    switch (judgement.kind) {
      case 'tokens': {
        const outcome = await storeRefreshedTokens(this.#deps, attempt, judgement.tokens);
        await reportClientRecovered(this.#deps, attempt);
        if (outcome.kind === 'fresh') await this.#noteTesting(attempt, outcome.connection);
        return outcome;
      }
      case 'dead_grant':
        return recordDeadGrant(this.#deps, attempt, judgement, ambiguous);
      case 'client_fault':
        return reportClientFault(this.#deps, attempt, judgement.error, !ambiguous);
      case 'refused':
        return reportRefusal(this.#deps, attempt, judgement.error, !ambiguous);
      case 'transient':
        return putOff(this.#deps, attempt, {
          reason: judgement.reason,
          retryAfterSec: judgement.retryAfterSec,
          // A 200 that cannot be read may have rotated the token.
          closed: !ambiguous && judgement.reason !== 'unusable_token_response',
          answer: { error: judgement.reason, isRefusal: false },
        });
    }
  }

  /** The app may have moved to Testing or the grant may be older than the record of it. */
  async #noteTesting({ integration, requestId }: HeldAttempt, connection: Connection): Promise<void> {
    try {
      await noteTesting(this.#deps, integration, connection, false);
    } catch (error) {
      this.#deps.logger.error('a grant could not be noted', { requestId }, error);
    }
  }
}

/** How an attempt is counted; undefined for one that shared another's result. */
function resultOf(outcome: RefreshOutcome): RefreshResult | undefined {
  switch (outcome.kind) {
    case 'fresh':
      return outcome.accessToken === undefined ? undefined : 'renewed';
    case 'dead':
      return 'refused';
    case 'client_fault':
      return 'clientRefused';
    case 'transient':
      return 'failed';
    default:
      return undefined;
  }
}

function causeOf(outcome: RefreshOutcome): string {
  switch (outcome.kind) {
    case 'dead':
      return outcome.death.cause;
    case 'client_fault':
      return outcome.error;
    case 'transient':
      return outcome.reason;
    default:
      return 'none';
  }
}

/**
 * One running task per key, whose result all concurrent callers share. An entry is removed when the task settles or at its own
 * deadline, so that a task that never settles blocks no caller for ever (F12).
 */
class SingleFlight<T> {
  readonly #running = new Map<string, Promise<T>>();

  /** @param onDeadline the result for all waiting callers when the task has not settled in time; its late result is dropped */
  run(key: string, work: () => Promise<T>, deadlineMs: number, onDeadline: () => T): Promise<T> {
    const running = this.#running.get(key);
    if (running !== undefined) return running;
    const result = bounded(work, deadlineMs, onDeadline).finally(() => this.#running.delete(key));
    this.#running.set(key, result);
    return result;
  }
}

async function bounded<T>(work: () => Promise<T>, deadlineMs: number, onDeadline: () => T): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const deadline = new Promise<T>((resolve) => {
    timer = setTimeout(() => resolve(onDeadline()), deadlineMs);
  });
  try {
    return await Promise.race([work(), deadline]);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Results of one process's own refreshes: callers come with rows that are seconds old, and without this each of them would write to the
 * table, or ask the provider, for the same result.
 */
class RefreshMemory {
  readonly #backOffs = new BoundedCache<BackOff>(CACHE_MAX_ENTRIES);
  readonly #faults = new BoundedCache<{ readonly error: string; readonly retryAtEpochSec: number }>(CACHE_MAX_ENTRIES);

  note(connection: Connection, outcome: RefreshOutcome, nowEpochSec: number): void {
    const key = stateKey(connection);
    if (outcome.kind === 'transient') {
      const retryAtEpochSec = nowEpochSec + outcome.retryAfterSec;
      const refused = outcome.refused === true ? outcome.reason : undefined;
      this.#backOffs.set(key, { retryAtEpochSec, refused }, retryAtEpochSec * 1000);
      return;
    }
    this.#backOffs.delete(key);
    if (outcome.kind === 'client_fault') {
      const retryAtEpochSec = nowEpochSec + outcome.retryAfterSec;
      this.#faults.set(
        integrationRefKey(connection),
        { error: outcome.error, retryAtEpochSec },
        retryAtEpochSec * 1000,
      );
    } else if (outcome.kind === 'fresh') {
      this.#faults.delete(integrationRefKey(connection));
    }
  }

  /** Somebody has fixed the integration's OAuth client. */
  forgetFault(integration: Integration): void {
    this.#faults.delete(integrationRefKey(integration));
  }

  /** The connection's back-off as seen by this process; undefined when unknown. */
  backOff(connection: Connection, nowEpochSec: number): BackOff | undefined {
    return this.#backOffs.get(stateKey(connection), nowEpochSec * 1000);
  }

  /** The fault of the integration's OAuth client while it cools down: as stored, or as this process has just seen. */
  clientFault(integration: Integration, nowEpochSec: number): RefreshOutcome | undefined {
    const own = this.#faults.get(integrationRefKey(integration), nowEpochSec * 1000);
    const stored = integration.clientFault;
    const fault = stored !== undefined && stored.retryAtEpochSec > nowEpochSec ? stored : own;
    if (fault === undefined) return undefined;
    return {
      kind: 'client_fault',
      error: fault.error,
      retryAfterSec: Math.max(1, fault.retryAtEpochSec - nowEpochSec),
    };
  }
}

interface BackOff {
  /** No request before this, epoch seconds. */
  readonly retryAtEpochSec: number;
  /** The provider's error code, where it refused the connection. */
  readonly refused: string | undefined;
}

/** A back-off belongs to the tokens that failed: new ones start again. */
function stateKey(connection: Connection): string {
  return `${connectionRefKey(connection)}#${connection.tokenEpoch}`;
}

export type { RefreshOutcome } from './lease.ts';

export interface RefreshOptions {
  /** Wait for another holder's result; callers with a working token do not. */
  readonly wait: boolean;
  /** Ask the provider past a back-off, and even for a connection marked dead, on an operator's request. */
  readonly force: boolean;
  /** The provider's API has refused the access token: refreshed at most once per cool-down over all processes (TK-6). */
  readonly afterRefusal?: boolean;
  /** Look for escrowed tokens first, also for a connection marked dead, which is then not refreshed again. */
  readonly adopt?: boolean;
  /** Set when the refresh serves a call: the use is stored with the tokens. */
  readonly usedAtEpochSec?: number;
  /** Waiting and token calls end within this, where the caller has less time than a lease. */
  readonly budgetMs?: number;
  readonly requestId: string;
}

export interface RefresherDependencies {
  readonly connections: ConnectionStore;
  readonly integrations: Pick<IntegrationStore, 'get'>;
  /** @default none: connections without a person are not refreshed */
  readonly delegation?: Pick<SubjectRefresher, 'settled'>;
  readonly cipher: TokenCipher;
  readonly holder: LeaseHolder;
  readonly clock: Clock;
  readonly random: Random;
  readonly metrics: Metrics;
  readonly timing: RefreshTiming;
  /** Names this process in leases. @default random, created with the first lease, because most starts of a function end without one */
  readonly owner?: string;
  /** Waits some milliseconds. @default a timer */
  readonly pause?: (ms: number) => Promise<void>;
}

/**
 * Refreshes connections: one attempt per connection in this process, one across processes.
 *
 *   caller 1 ──┐
 *   caller 2 ──┼─ one promise ── take lease ──┬─ taken:   token call ── store under epoch ── fresh
 *   caller 3 ──┘                              └─ refused: look at the winner's row ── adopt, or wait for it
 */
export class ConnectionRefresher {
  readonly #deps: RefresherDependencies;
  readonly #inFlight = new SingleFlight<RefreshOutcome>();
  readonly #memory = new RefreshMemory();
  readonly #rereads: RereadBound;
  #owner: string | undefined;

  constructor(deps: RefresherDependencies) {
    this.#deps = deps;
    this.#rereads = new RereadBound(deps.clock);
  }

  /** @param known the connection as last seen; the lease proves whether that is still so */
  refresh(known: Connection, integration: Integration, options: RefreshOptions): Promise<RefreshOutcome> {
    // A caller that must not wait may not join one that waits, nor one that forces a request one that may not.
    const mode = [options.wait, options.force, options.adopt, options.afterRefusal].map(Boolean).join();
    const { waitMs, leaseSec } = this.#deps.timing;
    const deadlineMs = (options.wait ? (options.budgetMs ?? waitMs) : 0) + leaseSec * 1000;
    return this.#inFlight.run(
      `${connectionRefKey(known)}#${mode}`,
      () => this.#run(known, integration, options),
      deadlineMs,
      timedOut,
    );
  }

  async #run(known: Connection, app: Integration, options: RefreshOptions): Promise<RefreshOutcome> {
    const { clock, random, metrics, timing } = this.#deps;
    let integration = app;
    const deadlineMs = clock.nowMs() + (options.budgetMs ?? timing.waitMs);
    let connection = known;
    for (let round = 0; ; round++) {
      const settled = this.#settledWithoutCall(connection, known, integration, options);
      if (settled !== undefined) {
        if (!isRefusal(settled) || !this.#rereads.take(known)) return settled;
        const current = await this.#deps.connections.read(connection);
        if (current === undefined) return { kind: 'gone' };
        connection = current;
        if (settled.kind === 'client_fault') integration = await this.#currentOf(integration);
        continue;
      }
      if (clock.nowMs() > deadlineMs) {
        metrics.count('RefreshWaitTimedOut');
        return { kind: 'transient', reason: 'refresh_in_progress', retryAfterSec: 1 };
      }
      if (!isLeased(connection, clock, timing)) {
        const lost =
          connection.delegated === true ? await this.#deps.delegation?.settled(connection, options.force) : undefined;
        if (lost !== undefined) return lost;
        const attempt = await this.#attempt(connection, integration, options, deadlineMs);
        if (attempt.outcome !== undefined && isFinal(attempt.outcome, clock)) {
          const better = await this.#storedByAnother(attempt.outcome, known);
          this.#memory.note(connection, better ?? attempt.outcome, epochSecNow(clock));
          return better ?? attempt.outcome;
        }
        const current =
          attempt.outcome === undefined
            ? attempt.current
            : 'connection' in attempt.outcome
              ? attempt.outcome.connection
              : undefined;
        if (current === undefined) return { kind: 'gone' };
        connection = current;
        if (!isLeased(connection, clock, timing)) continue;
        if (settlesNow(connection, known, clock)) continue;
      }
      if (!options.wait) return { kind: 'busy', connection };
      const pauseMs = Math.min(REFRESH_POLL_MS * 1.5 ** Math.min(round, 6), 500);
      await (this.#deps.pause ?? pause)(pauseMs * (0.5 + random.number() / 2));
      const current = await this.#deps.connections.read(connection);
      if (current === undefined) return { kind: 'gone' };
      connection = current;
    }
  }

  /** The stored integration. When it is no longer marked, the faults cached by this process are cleared. */
  async #currentOf(remembered: Integration): Promise<Integration> {
    const { accountId, integrationId } = remembered;
    const current = await this.#deps.integrations.get({ accountId, integrationId });
    if (current !== undefined && current.clientFault === undefined) this.#memory.forgetFault(current);
    return current ?? remembered;
  }

  /** A process delayed past its lease fails late: another one may have done the work by then. */
  async #storedByAnother(outcome: RefreshOutcome, known: Connection): Promise<RefreshOutcome | undefined> {
    if (outcome.kind !== 'transient') return undefined;
    const current = await this.#deps.connections.read(known);
    if (current === undefined || !settlesNow(current, known, this.#deps.clock)) return undefined;
    return { kind: 'fresh', connection: current, accessToken: undefined };
  }

  /** The outcome from the rows and this process's own results. */
  #settledWithoutCall(
    connection: Connection,
    known: Connection,
    integration: Integration,
    options: RefreshOptions,
  ): RefreshOutcome | undefined {
    const now = epochSecNow(this.#deps.clock);
    if (connection.status === 'deleted') return { kind: 'gone' };
    // Erased tokens cannot be asked for again.
    const isErased = connection.encryptedRefreshToken === undefined;
    if (connection.death !== undefined && (isErased || (!options.force && options.adopt !== true))) {
      return { kind: 'dead', connection, death: connection.death };
    }
    if (settlesNow(connection, known, this.#deps.clock)) return { kind: 'fresh', connection, accessToken: undefined };
    if (options.force || options.adopt === true) return undefined;
    const fault = this.#memory.clientFault(integration, now);
    if (fault !== undefined) return fault;
    const own = this.#memory.backOff(connection, now);
    const retryAt = Math.max(connection.retryAtEpochSec ?? 0, own?.retryAtEpochSec ?? 0);
    if (retryAt > now) return backedOff(connection, own, retryAt - now);
    const quietUntil = (connection.forcedRefreshAtEpochSec ?? 0) + FORCED_REFRESH_COOL_DOWN_SEC;
    const { clock, timing } = this.#deps;
    // Another process has asked and got no usable token; while it still asks, its answer is awaited.
    if (options.afterRefusal === true && quietUntil > now && !isLeased(connection, clock, timing)) {
      return backedOff(connection, own, quietUntil - now);
    }
    return undefined;
  }

  async #attempt(
    known: Connection,
    integration: Integration,
    options: RefreshOptions,
    deadlineMs: number,
  ): Promise<{ readonly outcome?: RefreshOutcome; readonly current?: Connection | undefined }> {
    const { connections, cipher, holder, clock, random, timing } = this.#deps;
    const encrypted = known.encryptedRefreshToken;
    if (encrypted === undefined) return { outcome: { kind: 'gone' } };
    // Before the lease, because a failing key service must leave no lease behind. The second call loads the key that will encrypt the
    // answer, so that tokens are only requested when they can be stored (F51).
    const [refreshToken] = await Promise.all([
      cipher.decrypt(refreshTokenContext(known), encrypted),
      cipher.encrypt(accessTokenContext(known), ''),
    ]);
    const startedMs = clock.nowMs();
    this.#owner ??= this.#deps.owner ?? Buffer.from(random.bytes(16)).toString('base64url');
    const result = await connections.takeLease(known, {
      owner: this.#owner,
      attemptId: Buffer.from(random.bytes(16)).toString('base64url'),
      attemptHash: sha256Hex(refreshToken),
      nowEpochSec: Math.floor(startedMs / 1000),
      // Rounded up: a lease must last at least as long as the calls and writes planned within it.
      expiresAtEpochSec: Math.ceil(startedMs / 1000) + timing.leaseSec,
      ...(options.afterRefusal === true ? { afterRefusal: true } : {}),
      evenIfDead: options.force || options.adopt === true,
    });
    if (!result.taken) return { current: result.current };
    return {
      outcome: await holder.refresh({
        connection: known,
        integration,
        lease: result.lease,
        refreshToken,
        lostHash: result.lostHash,
        adopt: options.adopt === true,
        usedAtEpochSec: options.usedAtEpochSec,
        callUntilMs: Math.min(startedMs + timing.callBudgetMs, options.budgetMs === undefined ? Infinity : deadlineMs),
        writeUntilMs: startedMs + timing.writeBudgetMs,
        requestId: options.requestId,
      }),
    };
  }
}

/** A refusal that was reported before, here or elsewhere: callers check first whether it is over. */
function isRefusal({ kind }: RefreshOutcome): boolean {
  return kind === 'client_fault' || kind === 'transient' || kind === 'dead';
}

/** Not asked again yet. While the provider refuses the connection, every answer names the same error. */
function backedOff({ refreshRefusal }: Connection, own: BackOff | undefined, retryAfterSec: number): RefreshOutcome {
  const stored = refreshRefusal !== undefined && isNamed(refreshRefusal) ? refreshRefusal.error : undefined;
  const refused = stored ?? own?.refused;
  return refused === undefined
    ? { kind: 'transient', reason: 'refresh_backoff', retryAfterSec }
    : { kind: 'transient', reason: refused, retryAfterSec, refused: true };
}

/** Whether another process has stored newer, usable tokens since this call began. */
function settlesNow(connection: Connection, known: Connection, clock: Clock): boolean {
  return (
    connection.status === 'active' &&
    connection.tokenEpoch !== known.tokenEpoch &&
    tokenFreshness(connection, epochSecNow(clock)) !== 'expired'
  );
}

/** Adopted tokens may have expired in escrow: then the refresh is still needed. */
function isFinal(outcome: RefreshOutcome, clock: Clock): boolean {
  if (outcome.kind === 'busy') return false;
  if (outcome.kind !== 'fresh' || outcome.accessToken !== undefined) return true;
  return tokenFreshness(outcome.connection, epochSecNow(clock)) !== 'expired';
}

/** A lease of an impossible length comes from a wrong clock and is ignored, here as in the table. */
function isLeased(connection: Connection, clock: Clock, timing: RefreshTiming): boolean {
  const leftSec = (connection.refreshLease?.expiresAtEpochSec ?? 0) - epochSecNow(clock);
  return leftSec > 0 && leftSec <= timing.leaseSec + LEASE_CLOCK_TOLERANCE_SEC;
}
