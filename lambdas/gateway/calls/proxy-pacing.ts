import type { Metrics } from '../core/ports.ts';
import type { Caller } from '../keys/authenticate-caller.ts';
import type { CallPriority } from '../keys/credentials.rules.ts';
import type { Providers } from '../providers/provider.rules.ts';
import { type ProviderRequest, UnitsOfCalls } from './api-method.rules.ts';
import { type DayUsedUp, usedUpDayRefusal } from './day-spent.ts';
import { fullnessOf, projectDayOf, readDayUse } from './day-use.rules.ts';
import { usedUpMinute } from './pace.rules.ts';
import {
  type Asked,
  amountOf,
  Pacing,
  type PacingDependencies,
  type QuotaOwner,
  type QuotaRefusal,
  quotaOwnerOf,
} from './pacing.ts';

export interface ProxyPacingDependencies extends PacingDependencies {
  readonly providers: Providers;
  readonly metrics: Metrics;
}

/** Facts of a call that has ended. */
export interface EndedCall {
  readonly asked: readonly ProviderRequest[];
  /** Each counts at the provider. */
  readonly attempts: number;
  /** Undefined where the provider answered. */
  readonly gatewayCode: string | undefined;
  /** Of the provider's refusal. */
  reason(): Promise<string | undefined>;
}

/** Paces the calls of the proxy. */
export class ProxyPacing {
  readonly #deps: ProxyPacingDependencies;
  readonly #pacing: Pacing;
  readonly #units = new UnitsOfCalls();
  /** By connection as it is remembered. */
  readonly #owners = new WeakMap<Caller['live']['connection'], { of: Caller['integration']; owner: QuotaOwner }>();

  constructor(deps: ProxyPacingDependencies) {
    this.#deps = deps;
    this.#pacing = new Pacing(deps);
  }

  /**
   * Whether a background call may begin.
   *
   * @param priority that the caller names; the key's limits may set one, too
   * @returns the refusal, or the limit that would refuse where its key only observes
   */
  async mayBegin(
    caller: Caller,
    requests: readonly ProviderRequest[],
    priority: CallPriority | undefined,
  ): Promise<QuotaRefusal | string | undefined> {
    const refused = await this.#pacing.mayBegin(this.#ownerOf(caller), this.#askedBy(caller, requests));
    if (refused === undefined) return undefined;
    const { metrics } = this.#deps;
    if (priority !== 'background' && caller.key.limits?.mode === 'observe') {
      metrics.count('WouldRefuse', { limit: 'priority' });
      return 'priority';
    }
    metrics.count('QuotaReserved', { scope: refused.details.limit.scope ?? '' });
    return refused;
  }

  /** The refusal of calls once their Cloud project's day at the provider is used up; undefined where they may continue. */
  daySpent({ dayUse, ...caller }: Caller): DayUsedUp | undefined {
    const nowMs = this.#deps.clock.nowMs();
    const { provider, cloudProject } = this.#ownerOf(caller);
    return usedUpDayRefusal(readDayUse(dayUse, nowMs), provider, cloudProject, nowMs);
  }

  /** The cost of a call and how full the minute and the day are, as far as this process knows: the value of `x-gateway-quota`. */
  standing({ dayUse, ...caller }: Caller, requests: readonly ProviderRequest[]): string {
    const owner = this.#ownerOf(caller);
    const minute = this.#pacing.minuteShare(owner);
    const day = projectDayOf(readDayUse(dayUse, this.#deps.clock.nowMs()), owner.provider, owner.cloudProject);
    const share = (name: string, value: number | undefined) =>
      value === undefined ? '' : `;${name}=${(Math.floor(value * 100) / 100).toFixed(2)}`;
    const cost = amountOf(owner, this.#askedBy(caller, requests), this.#deps.clock.nowMs());
    return `${owner.provider};cost=${cost}${share('minute', minute)}${share('day', day && fullnessOf(day))}`;
  }

  /** Counts a call that has ended, and records a refusal by the provider's quota. Resolves when both are reported. */
  async ended(caller: Caller, call: EndedCall, units: number, status: number): Promise<void> {
    const owner = this.#ownerOf(caller);
    this.#pacing.took(owner, { units, requests: call.asked.length * call.attempts });
    if (call.gatewayCode === undefined && (status === 403 || status === 429)) {
      const scope = usedUpMinute(status, await call.reason());
      if (scope !== undefined) this.#pacing.spent(owner, scope);
    }
    await this.#pacing.pending();
  }

  #ownerOf({ integration, live: { connection } }: Pick<Caller, 'integration' | 'live'>): QuotaOwner {
    const known = this.#owners.get(connection);
    if (known?.of === integration) return known.owner;
    const owner = quotaOwnerOf(connection, integration, this.#deps.providers);
    this.#owners.set(connection, { of: integration, owner });
    return owner;
  }

  #askedBy({ integration: { provider } }: Pick<Caller, 'integration'>, requests: readonly ProviderRequest[]): Asked {
    const { methods } = this.#deps.providers[provider];
    const units = requests.reduce((sum, request) => sum + this.#units.of(methods, request), 0);
    return { units, requests: requests.length };
  }
}
