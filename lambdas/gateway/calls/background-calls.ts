import type { Connection } from '../connections/connection.rules.ts';
import { GatewayError } from '../core/errors.ts';
import { cloudProjectOf, ulid } from '../core/identifiers.ts';
import type { Clock, Random } from '../core/ports.ts';
import type { StoredQuota } from '../providers/project-quota.rules.ts';
import type { ProviderId, Providers } from '../providers/provider.rules.ts';
import { type ProviderRequest, UnitsOfCalls } from './api-method.rules.ts';
import { type BackgroundWork, callLine, classOfCall } from './call-line.rules.ts';
import { type DaySpent, daySpentRefusal } from './day-spent.ts';
import { type DayUse, projectDayOf } from './day-use.rules.ts';
import { type Pacing, type QuotaOwner, type QuotaRefusal, quotaOwnerOf } from './pacing.ts';
import type { CallLines, DayUseReader } from './ports.ts';

/** Whose call it is: a connection, and the integration that it is of. */
export interface CalledFor {
  readonly connection: Pick<
    Connection,
    'accountId' | 'integrationId' | 'connectionId' | 'clientId' | 'providerAccount'
  >;
  readonly provider: ProviderId;
  /** What its Cloud project may take, where that is known to differ. */
  readonly quota?: StoredQuota | undefined;
}

/** A call that the gateway made for itself as the user of a connection. */
export interface BackgroundCall extends CalledFor, ProviderRequest {
  /** Of the answer; undefined where none came. */
  readonly status: number | undefined;
  readonly bytesIn: number;
  readonly bytesOut: number;
  readonly startedAtMs: number;
}

export interface BackgroundCallsDependencies {
  readonly pacing: Pacing;
  readonly lines: CallLines;
  readonly dayUse: DayUseReader;
  readonly providers: Providers;
  readonly clock: Clock;
  readonly random: Random;
}

/**
 * Counts what feeds and checks take of the providers' quotas: each of their calls leaves a line, as proxied calls do. They begin only where
 * the minute has room for calls in the background.
 */
export class BackgroundCalls {
  readonly #deps: BackgroundCallsDependencies;
  readonly #work: BackgroundWork;
  readonly #units = new UnitsOfCalls();

  constructor(deps: BackgroundCallsDependencies, work: BackgroundWork) {
    this.#deps = deps;
    this.#work = work;
  }

  /**
   * Whether a call may begin.
   *
   * @throws GatewayError `quota_reserved`, `budget_spent`
   */
  async assertRoom(whose: CalledFor, request: ProviderRequest): Promise<void> {
    const { methods } = this.#deps.providers[whose.provider];
    const owner = this.#ownerOf(whose);
    const spent = await this.daySpent(whose.connection.accountId, owner);
    if (spent !== undefined) throw new GatewayError('budget_spent', spent.message, spent.details);
    const refused = await this.mayBegin(owner, this.#units.of(methods, request));
    if (refused !== undefined) throw new GatewayError('quota_reserved', refused.message, refused.details);
  }

  /** What refuses calls of an account once the provider's day of their Cloud project is used up; undefined where they may continue. */
  async daySpent(accountId: string, { provider, cloudProject }: QuotaOwner): Promise<DaySpent | undefined> {
    return daySpentRefusal(await this.#dayOf(accountId), provider, cloudProject, this.#deps.clock.nowMs());
  }

  /** What of the units of the provider's day a Cloud project has used: 1 = all; undefined where that is not known. */
  async dayShare(accountId: string, { provider, cloudProject }: QuotaOwner): Promise<number | undefined> {
    return projectDayOf(await this.#dayOf(accountId), provider, cloudProject)?.units?.share;
  }

  /** Whether one that takes so many units may begin in this minute. @returns what stands against it */
  mayBegin(owner: QuotaOwner, units: number): Promise<QuotaRefusal | undefined> {
    return this.#deps.pacing.mayBegin(owner, { units, requests: 1 });
  }

  /** The provider has refused a call because a minute is used up. Ends when it is reported to other processes. */
  async spent(owner: QuotaOwner, scope: 'project' | 'user', retryAfterSec?: number): Promise<void> {
    this.#deps.pacing.spent(owner, scope, retryAfterSec);
    await this.#deps.pacing.pending();
  }

  /** A call has ended, answered or not. */
  made(call: BackgroundCall): void {
    const { connection, provider, method, target, status, bytesIn, bytesOut, startedAtMs } = call;
    const { lines, providers, clock, random } = this.#deps;
    // Also without an answer: the request may have reached the provider.
    const units = this.#units.of(providers[provider].methods, { method, target });
    this.#deps.pacing.took(this.#ownerOf(call), { units, requests: 1 });
    const endedAtMs = clock.nowMs();
    const project = cloudProjectOf(connection.clientId);
    const answered = status ?? NO_ANSWER;
    const line = callLine({
      account: connection.accountId,
      integration: connection.integrationId,
      connection: connection.connectionId,
      key: this.#work,
      provider,
      project: project === connection.clientId ? null : project,
      class: classOfCall({ status: answered, isGateways: false, complete: true }),
      status: answered,
      endedAtMs,
      bytesIn,
      bytesOut,
      totalMs: Math.max(0, endedAtMs - startedAtMs),
      refreshed: 0,
      units,
      callId: ulid(endedAtMs, random.bytes(10)),
    });
    lines.append(line);
  }

  /** What cannot be read slows nothing down and stops nothing. */
  #dayOf(accountId: string): Promise<DayUse | undefined> {
    return this.#deps.dayUse.read(accountId).catch(() => undefined);
  }

  #ownerOf({ connection, provider, quota }: CalledFor): QuotaOwner {
    return quotaOwnerOf(connection, { provider, quota }, this.#deps.providers);
  }
}

/** Status that a line has where the provider gave none. */
const NO_ANSWER = 504;
