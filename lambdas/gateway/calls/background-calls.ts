import type { Connection } from '../connections/connection.rules.ts';
import { GatewayError } from '../core/errors.ts';
import type { MadeRequest } from '../core/http-message.ts';
import { cloudProjectOf, ulid } from '../core/identifiers.ts';
import type { Clock, Random } from '../core/ports.ts';
import type { StoredQuota } from '../providers/project-quota.rules.ts';
import type { ProviderId, Providers } from '../providers/provider.rules.ts';
import { type ProviderRequest, UnitsOfCalls } from './api-method.rules.ts';
import { type BackgroundWork, callLine, classOfCall } from './call-line.rules.ts';
import { type DayUsedUp, usedUpDayRefusal } from './day-spent.ts';
import { type DayUse, projectDayOf } from './day-use.rules.ts';
import { type Pacing, type QuotaOwner, type QuotaRefusal, quotaOwnerOf } from './pacing.ts';
import type { CallLines, DayUseReader } from './ports.ts';

/** The connection that a call is made for, and its integration. */
export interface CalledFor {
  readonly connection: Pick<
    Connection,
    'accountId' | 'integrationId' | 'connectionId' | 'clientId' | 'providerAccount'
  >;
  readonly provider: ProviderId;
  /** The quota of its Cloud project, where that is known to differ. */
  readonly quota?: StoredQuota | undefined;
}

/** A call that the gateway made for itself as the user of a connection. */
export interface BackgroundCall extends CalledFor, ProviderRequest, MadeRequest {
  /** @default now */
  readonly endedAtMs?: number;
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
 * Counts the quota that feeds and checks use: each of their calls leaves a line, as proxied calls do. They begin only where the
 * minute has room for background calls.
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

  /** The error for calls of an account once its Cloud project's daily quota is used up; undefined where calls may continue. */
  async daySpent(accountId: string, { provider, cloudProject }: QuotaOwner): Promise<DayUsedUp | undefined> {
    return usedUpDayRefusal(await this.#dayOf(accountId), provider, cloudProject, this.#deps.clock.nowMs());
  }

  /** The share of the daily quota that a Cloud project has used: 1 = all; undefined where it is unknown. */
  async dayShare(accountId: string, { provider, cloudProject }: QuotaOwner): Promise<number | undefined> {
    return projectDayOf(await this.#dayOf(accountId), provider, cloudProject)?.units?.share;
  }

  /** Whether a call of so many units may begin in this minute. @returns the refusal, or undefined */
  mayBegin(owner: QuotaOwner, units: number): Promise<QuotaRefusal | undefined> {
    return this.#deps.pacing.mayBegin(owner, { units, requests: 1 });
  }

  /** Records that the provider refused a call because a minute is used up. Resolves when other processes can see it. */
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
    const endedAtMs = call.endedAtMs ?? clock.nowMs();
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

  /** A day's use that cannot be read neither delays nor stops a call. */
  #dayOf(accountId: string): Promise<DayUse | undefined> {
    return this.#deps.dayUse.read(accountId).catch(() => undefined);
  }

  #ownerOf({ connection, provider, quota }: CalledFor): QuotaOwner {
    return quotaOwnerOf(connection, { provider, quota }, this.#deps.providers);
  }
}

/** Status that a line has where the provider gave none. */
const NO_ANSWER = 504;
