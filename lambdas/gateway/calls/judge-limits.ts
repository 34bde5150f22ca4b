import type { BlockList } from 'node:net';
import type { GatewayErrorCode, GatewayErrorDetails, LimitStanding } from '../core/errors.ts';
import type { CallSubject } from '../core/identifiers.ts';
import { ipNetwork, isInNetworks, networkList } from '../core/ip-networks.ts';
import { DAY_WINDOW_SEC, RATE_WINDOW_SEC } from '../core/limits.ts';
import type { SecretKeyRecord } from '../keys/credentials.rules.ts';
import { type KeyBudget, type KeyLimits, type LimitName, readKeyLimits } from '../keys/key-limits.rules.ts';
import type { CallReach, LimitRefusal } from '../keys/ports.ts';
import type { ApiMethod } from '../providers/provider.rules.ts';
import { CallCounter, type CallCounterDependencies } from './admission.ts';
import type { ProviderRequest } from './api-method.rules.ts';
import { type FoundMethod, MethodFinder } from './find-methods.rules.ts';

/** What a call asks of which provider. */
export interface CallWish {
  readonly methods: readonly ApiMethod[] | undefined;
  readonly requests: readonly ProviderRequest[];
}

const PERIODS = ['minute', 'day'] as const;
const KINDS = ['calls', 'units', 'bytes'] as const;
type Kind = (typeof KINDS)[number];
type BudgetName = `${(typeof PERIODS)[number]}.${Kind}`;

/** A budget of a key, and its counter. */
interface Budget {
  readonly name: BudgetName;
  readonly kind: Kind;
  readonly most: number;
  readonly counter: CallCounter;
  readonly subject: CallSubject;
}

/** A key's limits, ready to judge. */
interface Judge {
  /** Undefined: what they say is not known, and nothing passes. */
  readonly limits: KeyLimits | undefined;
  readonly methods: ReadonlySet<string> | undefined;
  readonly sources: BlockList | undefined;
  readonly expiresAtMs: number;
  readonly budgets: readonly Budget[];
}

/** Judges the calls of limited keys in memory: no AWS call is waited for. */
export class LimitsJudge {
  readonly #deps: CallCounterDependencies;
  /** By the record itself, which is read again every minute. */
  readonly #judges = new WeakMap<SecretKeyRecord, Judge>();
  readonly #finders = new Map<readonly ApiMethod[], MethodFinder>();
  readonly #counters = new Map<BudgetName, CallCounter>();

  constructor(deps: CallCounterDependencies) {
    this.#deps = deps;
  }

  /** Whether a key may be used now, from there, for this connection. */
  reach(key: SecretKeyRecord, to: CallReach, nowMs: number): LimitRefusal | undefined {
    const { limits, sources, expiresAtMs } = this.#judgeOf(key);
    if (limits === undefined) return UNREADABLE;
    if (nowMs >= expiresAtMs) {
      return refusal(limits, 'key_expired', `This secret key ended at ${limits.expiresAt}.`, { name: 'expires_at' });
    }
    if (sources !== undefined && !isInNetworks(to.sourceIp, sources)) {
      return refusal(limits, 'limited_by_key', 'This secret key may not be used from this address.', {
        name: 'sources',
      });
    }
    if (limits.integrations !== undefined && !limits.integrations.includes(to.integrationId)) {
      const message = 'This secret key is limited to other integrations.';
      return refusal(limits, 'limited_by_key', message, { name: 'integrations', allowed: limits.integrations });
    }
    // Other connections look like none.
    if (limits.connections !== undefined && !limits.connections.includes(to.connectionId)) {
      return refusal(limits, 'unknown_connection', '', { name: 'connections' });
    }
    if (limits.endUsers !== undefined && !hasTags(to.tags ?? {}, limits.endUsers)) {
      return refusal(limits, 'unknown_connection', '', { name: 'end_users' });
    }
    return undefined;
  }

  /** Whether all that a call asks may be asked, and counts it if so: all parts of a batch or none. A refusal spends nothing. */
  ask(key: SecretKeyRecord, { methods, requests }: CallWish, nowMs: number): LimitRefusal | undefined {
    const { limits, methods: allowed, budgets } = this.#judgeOf(key);
    if (limits === undefined) return UNREADABLE;
    const finder = this.#finderOf(methods ?? []);
    let units = 0;
    for (const request of requests) {
      const found = finder.find(request);
      const refused = allowed === undefined ? undefined : methodRefusal(limits, allowed, found);
      if (refused !== undefined) return refused;
      units += methods === undefined ? 1 : finder.unitsOf(found);
    }
    // Of an answer's bytes none are known: one is asked for, so that a budget that is spent refuses.
    const wanted = { calls: requests.length, units, bytes: 1 };
    for (const budget of budgets) {
      const left = budget.counter.left(key.keyHash, nowMs, budget.most) ?? 0;
      if (left < wanted[budget.kind]) return budgetRefusal(limits, budget, wanted[budget.kind], left, nowMs);
    }
    for (const { kind, counter, subject, most } of budgets) {
      if (kind !== 'bytes') counter.spend(key.keyHash, subject, nowMs, wanted[kind], most);
    }
    return undefined;
  }

  /** A call has ended whose answer had so many bytes. */
  answered(key: SecretKeyRecord, bytes: number, nowMs: number): void {
    if (bytes === 0) return;
    for (const { kind, counter, subject, most } of this.#judgeOf(key).budgets) {
      if (kind === 'bytes') counter.spend(key.keyHash, subject, nowMs, bytes, most);
    }
  }

  /** Ends when the reports under way have ended; undefined when there are none. */
  pending(): Promise<unknown> | undefined {
    const pending = [...this.#counters.values()].map((counter) => counter.pending()).filter((one) => one !== undefined);
    return pending.length === 0 ? undefined : Promise.all(pending);
  }

  #judgeOf(key: SecretKeyRecord): Judge {
    const known = this.#judges.get(key);
    if (known !== undefined) return known;
    const limits = readKeyLimits(key.limits ?? {});
    const judge: Judge = {
      limits,
      methods: limits?.methods === undefined ? undefined : new Set(limits.methods),
      // They were found valid when they were written; what is not covers nothing.
      sources: limits?.sources && networkList(limits.sources.map(ipNetwork).filter((network) => network !== undefined)),
      expiresAtMs: limits?.expiresAt === undefined ? Number.POSITIVE_INFINITY : Date.parse(limits.expiresAt),
      budgets: PERIODS.flatMap((period) => this.#budgetsOf(key.keyHash, period, limits?.[period] ?? {})),
    };
    this.#judges.set(key, judge);
    return judge;
  }

  #budgetsOf(keyHash: string, period: (typeof PERIODS)[number], budget: KeyBudget): Budget[] {
    return KINDS.flatMap((kind) => {
      const most = budget[kind];
      const name = `${period}.${kind}` as const;
      const subject = { kind: `${period}_${kind}` as const, keyHash };
      return most === undefined ? [] : [{ name, kind, most, counter: this.#counterOf(name, period), subject }];
    });
  }

  #counterOf(name: BudgetName, period: (typeof PERIODS)[number]): CallCounter {
    const known = this.#counters.get(name);
    if (known !== undefined) return known;
    const counter = new CallCounter(this.#deps, 0, period === 'day' ? DAY_WINDOW_SEC : RATE_WINDOW_SEC);
    this.#counters.set(name, counter);
    return counter;
  }

  #finderOf(methods: readonly ApiMethod[]): MethodFinder {
    const known = this.#finders.get(methods);
    if (known !== undefined) return known;
    const finder = new MethodFinder(methods);
    this.#finders.set(methods, finder);
    return finder;
  }
}

function refusal(
  { mode }: Pick<KeyLimits, 'mode'>,
  code: GatewayErrorCode,
  message: string,
  limit: LimitStanding & { readonly name: LimitName },
  details: GatewayErrorDetails = {},
): LimitRefusal {
  return { code, message, details: { ...details, limit }, isObserved: mode === 'observe' };
}

const UNREADABLE = refusal(
  { mode: 'enforce' },
  'limited_by_key',
  'The limits of this secret key are of a form that this version of the gateway does not know, so the key is closed. Set its limits again, or run the version that set them.',
  { name: 'limits' },
);

function methodRefusal(
  limits: KeyLimits,
  allowed: ReadonlySet<string>,
  found: readonly FoundMethod[],
): LimitRefusal | undefined {
  const named = { ...(limits.allow && { allowed: limits.allow }), ...(limits.deny && { denied: limits.deny }) };
  if (found.length === 0) {
    const message =
      'This secret key is limited to methods of the provider, and this request is none of them in its documented spelling.';
    return refusal(limits, 'unknown_method', message, { name: 'methods', ...named });
  }
  const refused = found.find(({ id }) => !allowed.has(id));
  if (refused === undefined) return undefined;
  const message = `This secret key may not call ${refused.id}.`;
  return refusal(limits, 'limited_by_key', message, { name: 'methods', method: refused.id, ...named });
}

function budgetRefusal(
  limits: KeyLimits,
  { name, kind, most, counter }: Budget,
  wanted: number,
  left: number,
  nowMs: number,
): LimitRefusal {
  const resetSec = counter.secondsLeft(nowMs);
  const resetsAt = new Date(Math.floor(nowMs / 1000) * 1000 + resetSec * 1000).toISOString();
  const limit = { name, most, left, resets_at: resetsAt };
  const rate = { policy: `key-${name.replace('.', '-')}`, quota: most, windowSec: counter.windowSec, left, resetSec };
  const per = counter.windowSec === DAY_WINDOW_SEC ? 'day' : 'minute';
  if (wanted > most) {
    const message = `This call takes ${wanted} ${kind}, and this secret key has ${most} a ${per}: it can never pass. Split it.`;
    return refusal(limits, 'budget_spent', message, limit, { rate });
  }
  const message = `This secret key has ${most} ${kind} a ${per}, of which ${left} are left, and this call takes ${kind === 'bytes' ? 'more' : wanted}. All are free again at ${resetsAt}.`;
  // Libraries repeat a 429 by themselves, which helps within a minute and never before the next day.
  return per === 'day'
    ? refusal(limits, 'budget_spent', message, limit, { rate })
    : refusal(limits, 'rate_limited', message, limit, { rate, retryAfterSec: resetSec });
}

function hasTags(tags: Readonly<Record<string, string>>, wanted: Readonly<Record<string, string>>): boolean {
  return Object.entries(wanted).every(([name, value]) => Object.hasOwn(tags, name) && tags[name] === value);
}
