import {
  AMOUNT_KINDS,
  type AmountKind,
  type Amounts,
  BUDGET_PERIODS,
  type Budget,
  type BudgetHolder,
  type BudgetName,
  type BudgetPeriod,
  readBudget,
  type StoredBudget,
} from '../core/budget.ts';
import type { GatewayErrorCode, GatewayErrorDetails, LimitStanding } from '../core/errors.ts';
import { type CallSubject, type ConnectionRef, callSubjectKey, type IntegrationRef } from '../core/identifiers.ts';
import { ipNetwork, isInNetworks, networkList } from '../core/ip-networks.ts';
import { DAY_WINDOW_SEC, HELD_BODY_MAX_BYTES, RATE_WINDOW_SEC } from '../core/limits.ts';
import type { SecretKeyRecord } from '../keys/credentials.rules.ts';
import { type KeyLimits, type LimitName, readKeyLimits } from '../keys/key-limits.rules.ts';
import type { CallReach, LimitRefusal } from '../keys/ports.ts';
import { CHANGE_CLASSES, type ChangeTable, classesOf } from '../providers/change-classes.rules.ts';
import { neededToSearch } from '../providers/content-search.rules.ts';
import { outsideResources } from '../providers/named-resources.rules.ts';
import { type ApiMethod, MEDIA } from '../providers/provider.rules.ts';
import { CallCounter, type CallCounterDependencies } from './admission.ts';
import type { ProviderRequest } from './api-method.rules.ts';
import { type FoundMethod, MethodFinder } from './find-methods.rules.ts';
import { BudgetReporter, type DayOfBudget, type ReportBudgetsDependencies } from './report-budgets.ts';
import { ToolDays, type ToolSpender } from './tool-days.ts';

/** The requests of a call, and their methods at the provider. */
export interface CallWish {
  readonly methods: readonly ApiMethod[] | undefined;
  readonly requests: readonly ProviderRequest[];
}

/** Holders of the budgets that a call uses: its key, integration and connection. */
export interface Spenders {
  readonly key: SecretKeyRecord;
  readonly integration?: (IntegrationRef & WithBudget) | undefined;
  readonly connection?: (ConnectionRef & WithBudget) | undefined;
  /** Of the call. */
  readonly requestId?: string;
  /** A person has approved the call. */
  readonly isApproved?: boolean | undefined;
  /** Of a call to a provider's MCP server. */
  readonly tools?: ToolSpender | undefined;
  /** The limit that would have refused the call before its requests were known. */
  readonly observed?: string | undefined;
}

interface WithBudget {
  readonly budget?: StoredBudget | undefined;
}

/** One amount of a budget, and its counter. */
interface BudgetPart {
  readonly holder: BudgetHolder;
  readonly name: BudgetName;
  readonly period: BudgetPeriod;
  readonly kind: AmountKind;
  readonly most: number;
  /** What happens to a call that does not fit: it passes and is counted, passes, or is refused. */
  readonly mode: 'observe' | 'warn' | 'enforce';
  readonly counter: CallCounter;
  readonly subject: CallSubject;
  /** Injective text of the subject. */
  readonly id: string;
}

/** A key's limits, ready to judge. */
interface Judge {
  /** Undefined where the stored limits cannot be read: then nothing passes. */
  readonly limits: KeyLimits | undefined;
  readonly methods: ReadonlySet<string> | undefined;
  readonly resources: ReadonlySet<string> | undefined;
  /** Methods and classes of changes that need a person's approval. */
  readonly approve: ReadonlySet<string> | undefined;
  readonly sources: ReturnType<typeof networkList> | undefined;
  readonly expiresAtMs: number;
  readonly budgets: readonly BudgetPart[];
}

export interface LimitsJudgeDependencies extends CallCounterDependencies, ReportBudgetsDependencies {
  /** The changes that each method makes. */
  readonly changes: ChangeTable;
}

/** Judges calls by the limits of keys and the budgets of integrations and connections, in memory: no AWS call is waited for. */
export class LimitsJudge {
  readonly #deps: LimitsJudgeDependencies;
  readonly #reporter: BudgetReporter;
  readonly #toolDays: ToolDays;
  /** Reports under way, about budgets that have no room for a call. */
  readonly #reports = new Set<Promise<void>>();
  /** By the record itself, which is read again every minute. */
  readonly #judges = new WeakMap<SecretKeyRecord, Judge>();
  /** By the budget's object, which is a new one in each record that is read. */
  readonly #budgets = new WeakMap<StoredBudget, readonly BudgetPart[]>();
  readonly #finders = new Map<readonly ApiMethod[], MethodFinder>();
  readonly #counters = new Map<`${BudgetHolder}.${BudgetName}`, CallCounter>();

  constructor(deps: LimitsJudgeDependencies) {
    this.#deps = deps;
    this.#reporter = new BudgetReporter(deps);
    this.#toolDays = new ToolDays(deps);
  }

  /** Whether a key may be used at this time, from this address, for this connection. */
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

  /**
   * Whether all requests of a call are allowed; if so, counts them: all parts of a batch or none. A refused call uses nothing of
   * a budget, nor does a call that still waits for approval, which is judged after all other limits (AP-11).
   */
  ask(from: Spenders, { methods, requests }: CallWish, nowMs: number): LimitRefusal | undefined {
    const { limits, methods: allowed, resources, approve, budgets } = this.#judgeOf(from.key);
    if (limits === undefined) return UNREADABLE;
    const finder = this.#finderOf(methods ?? []);
    let units = 0;
    let ofKey: LimitRefusal | undefined;
    let method: string | undefined;
    let toApprove: FoundMethod | undefined;
    for (const request of requests) {
      const found = finder.find(request);
      method ??= found[0]?.id;
      if (allowed !== undefined) ofKey ??= methodRefusal(limits, allowed, found, request);
      if (resources !== undefined) ofKey ??= resourceRefusal(limits, resources, found, request);
      if (approve !== undefined) toApprove ??= found.find(({ id }) => this.#waits(approve, id, request));
      units += methods === undefined ? 1 : finder.unitsOf(found);
    }
    // An answer's size is not known yet: one byte is requested, so that a used-up budget refuses.
    const wanted = { calls: requests.length, units, bytes: 1 };
    ofKey ??= this.#unaffordable(from, budgets, wanted, nowMs);
    if (ofKey !== undefined && !ofKey.isObserved) return ofKey;
    const shared = this.#sharedBudgets(from);
    const refused = this.#unaffordable(from, shared, wanted, nowMs);
    if (refused !== undefined) return refused;
    const noRoom = from.tools && this.#toolDays.refusal(from.tools);
    if (noRoom !== undefined) return noRoom;
    if (toApprove !== undefined && from.isApproved !== true) {
      const waiting = heldRefusal(limits, toApprove.id, requests);
      if (!waiting.isObserved) return waiting;
      ofKey ??= waiting;
    }
    // A call that the observed key's limits would refuse uses nothing of them, as if it had been refused.
    for (const part of ofKey === undefined ? [...budgets, ...shared] : shared) {
      if (part.kind !== 'bytes') this.#spend(from, part, wanted[part.kind], nowMs);
    }
    if (from.tools !== undefined) this.#toolDays.took(from.tools);
    return ofKey && withMethod(ofKey, method);
  }

  /** The method of a call, the first one of a batch; undefined where it has none. */
  methodOf({ methods = [], requests: [first] }: CallWish): string | undefined {
    return first && this.#finderOf(methods).find(first)[0]?.id;
  }

  /** Counts the bytes of an answer whose call has ended. */
  answered(from: Spenders, bytes: number, nowMs: number): void {
    if (bytes === 0) return;
    for (const part of [...this.#judgeOf(from.key).budgets, ...this.#sharedBudgets(from)]) {
      if (part.kind === 'bytes') this.#spend(from, part, bytes, nowMs);
    }
  }

  /** Counts what was sent with a call to an MCP server, and what the provider says of the day there (`LimitedKeys.ended`). */
  toolEnded(tools: ToolSpender, of: { readonly more: number; readonly refusedForDay: number | undefined }): void {
    for (let sent = 0; sent < of.more; sent++) this.#toolDays.took(tools);
    if (of.refusedForDay !== undefined) this.#toolDays.usedUp(tools, of.refusedForDay);
  }

  /** Ends when the reports under way have ended; undefined when there are none. */
  pending(): Promise<unknown> | undefined {
    const counting = [...this.#counters.values()].map((counter) => counter.pending());
    const pending = [...counting, ...this.#toolDays.pending(), ...this.#reports].filter((one) => one !== undefined);
    return pending.length === 0 ? undefined : Promise.all(pending);
  }

  /** Whether a request, read as this method, needs a person's approval. */
  #waits(approve: ReadonlySet<string>, id: string, request: ProviderRequest): boolean {
    if (approve.has(id) || approve.has(id.replace(MEDIA, ''))) return true;
    return classesOf(this.#deps.changes, id, request).some((name) => approve.has(name));
  }

  #spend(from: Spenders, part: BudgetPart, amount: number, nowMs: number): void {
    const { counter, id, subject, most } = part;
    const onTotal =
      part.period === 'day'
        ? (used: number) => this.#reporter.used(dayOf(part, from, nowMs), used, from.requestId ?? '')
        : undefined;
    counter.spend(id, subject, nowMs, amount, most, onTotal);
  }

  /** The first of the parts without room for the call. The rest of its day is of no use any more, so the day is reported as used up. */
  #unaffordable(
    from: Spenders,
    parts: readonly BudgetPart[],
    wanted: Readonly<Record<AmountKind, number>>,
    nowMs: number,
  ): LimitRefusal | undefined {
    for (const part of parts) {
      if (part.mode === 'warn') continue;
      const left = part.counter.left(part.id, nowMs, part.most) ?? 0;
      if (left >= wanted[part.kind]) continue;
      const isUsedUp = part.period === 'day' && wanted[part.kind] <= part.most;
      if (isUsedUp) this.#reportUsedUp(from, part, nowMs);
      return budgetRefusal(part, wanted[part.kind], left, nowMs);
    }
    return undefined;
  }

  #reportUsedUp(from: Spenders, part: BudgetPart, nowMs: number): void {
    const report = this.#reporter.used(dayOf(part, from, nowMs), part.most, from.requestId ?? '');
    if (report === undefined) return;
    const ended = report.finally(() => this.#reports.delete(ended));
    this.#reports.add(ended);
  }

  #judgeOf(key: SecretKeyRecord): Judge {
    const known = this.#judges.get(key);
    if (known !== undefined) return known;
    const limits = key.limits === undefined ? UNLIMITED : readKeyLimits(key.limits);
    const judge: Judge = {
      limits,
      methods: limits?.methods === undefined ? undefined : new Set(limits.methods),
      resources: limits?.resources && new Set(limits.resources),
      approve: limits?.approve && new Set([...limits.approve.filter(isClass), ...(limits.approveMethods ?? [])]),
      // Networks were validated when they were stored; an invalid one covers no address.
      sources: limits?.sources && networkList(limits.sources.map(ipNetwork).filter((network) => network !== undefined)),
      expiresAtMs: limits?.expiresAt === undefined ? Number.POSITIVE_INFINITY : Date.parse(limits.expiresAt),
      budgets: this.#partsOf('key', limits ?? {}, limits?.mode ?? 'enforce', (kind) => ({
        kind,
        keyHash: key.keyHash,
      })),
    };
    this.#judges.set(key, judge);
    return judge;
  }

  /** Budgets that a call shares with those of other keys. */
  #sharedBudgets({ integration, connection }: Spenders): readonly BudgetPart[] {
    const ofIntegration =
      integration?.budget &&
      this.#known(integration.budget, 'integration', (kind) => ({ kind, integration: refOf(integration) }));
    const ofConnection =
      connection?.budget &&
      this.#known(connection.budget, 'connection', (kind) => ({
        kind,
        ref: { ...refOf(connection), connectionId: connection.connectionId },
      }));
    if (ofConnection === undefined) return ofIntegration ?? [];
    return ofIntegration === undefined ? ofConnection : [...ofIntegration, ...ofConnection];
  }

  #known(stored: StoredBudget, holder: BudgetHolder, subjectOf: SubjectOf): readonly BudgetPart[] {
    const known = this.#budgets.get(stored);
    if (known !== undefined) return known;
    const budget = readBudget(stored) ?? UNBUDGETED;
    const parts = this.#partsOf(holder, budget, budget.whenSpent === 'stop' ? 'enforce' : 'warn', subjectOf);
    this.#budgets.set(stored, parts);
    return parts;
  }

  #partsOf(
    holder: BudgetHolder,
    amounts: Readonly<Partial<Record<BudgetPeriod, Amounts | undefined>>>,
    mode: BudgetPart['mode'],
    subjectOf: SubjectOf,
  ): BudgetPart[] {
    return BUDGET_PERIODS.flatMap((period) =>
      AMOUNT_KINDS.flatMap((kind) => {
        const most = amounts[period]?.[kind];
        if (most === undefined) return [];
        const subject = subjectOf(`${period}_${kind}`);
        const name = `${period}.${kind}` as const;
        const counter = this.#counterOf(`${holder}.${name}`, period);
        // A used-up minute is over soon, so a call waits for the next one even where a used-up day only warns.
        const partMode = mode === 'warn' && period === 'minute' ? 'enforce' : mode;
        return [{ holder, name, period, kind, most, mode: partMode, counter, subject, id: callSubjectKey(subject) }];
      }),
    );
  }

  #counterOf(name: `${BudgetHolder}.${BudgetName}`, period: BudgetPeriod): CallCounter {
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

/** The limit that would have refused the call, with the method where the limit is another one. */
function withMethod(observed: LimitRefusal, method: string | undefined): LimitRefusal {
  const { limit } = observed.details;
  if (method === undefined || limit.name === 'methods') return observed;
  return { ...observed, details: { ...observed.details, limit: { ...limit, method } } };
}

/** A budget that a later version wrote in a form that this one does not know. */
const UNBUDGETED: Budget = { whenSpent: 'warn' };

/** A key without limits. */
const UNLIMITED: KeyLimits = { mode: 'enforce' };

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
  request: ProviderRequest,
): LimitRefusal | undefined {
  const named = { ...(limits.allow && { allowed: limits.allow }), ...(limits.deny && { denied: limits.deny }) };
  if (found.length === 0) {
    const message =
      'This secret key is limited to methods of the provider, and this request is none of them in its documented spelling.';
    return refusal(limits, 'unknown_method', message, { name: 'methods', ...named });
  }
  const refused = found.find(({ id }) => !allowed.has(id));
  if (refused !== undefined) {
    const message = `This secret key may not call ${refused.id}.`;
    return refusal(limits, 'limited_by_key', message, { name: 'methods', method: refused.id, ...named });
  }
  const searching = found.find(({ id }) => !allowed.has(neededToSearch(id, request) ?? id));
  if (searching === undefined) return undefined;
  const message = `This secret key may not search in contents: that needs ${neededToSearch(searching.id, request)}, which reads them.`;
  return refusal(limits, 'limited_by_key', message, { name: 'methods', method: searching.id, ...named });
}

const OUTSIDE = {
  unnamed:
    'This secret key is limited to some calendars, files and folders, and this request does not name one of them where the gateway can see it.',
  other: 'This secret key is limited to some calendars, files and folders, and this request names another one.',
  session:
    'This secret key is limited to some calendars, files and folders, and the address of an upload in pieces does not tell its file. Send the upload in one request.',
} as const;

function resourceRefusal(
  limits: KeyLimits,
  allowed: ReadonlySet<string>,
  found: readonly FoundMethod[],
  request: ProviderRequest,
): LimitRefusal | undefined {
  // A request that some reader takes for another method has to be inside for each of them.
  const outside =
    found.length === 0
      ? 'unnamed'
      : found.map(({ id }) => outsideResources(id, request, allowed)).find((one) => one !== undefined);
  if (outside === undefined) return undefined;
  return refusal(limits, 'limited_by_key', OUTSIDE[outside], { name: 'resources', allowed: [...allowed] });
}

function isClass(name: string): boolean {
  return CHANGE_CLASSES.some((known) => known === name);
}

/** The refusal of a call that needs approval, or cannot get one: bodies that are too large or come in pieces, and batches, are not kept. */
function heldRefusal(limits: KeyLimits, method: string, requests: readonly ProviderRequest[]): LimitRefusal {
  const limit = { name: 'approve', method } as const;
  const [request] = requests;
  const why =
    requests.length > 1
      ? 'Send it by itself, not in a batch.'
      : RESUMABLE.test(request?.target ?? '')
        ? 'Send it in one request, not as a resumable upload.'
        : (request?.body?.length ?? 0) > HELD_BODY_MAX_BYTES
          ? `Its body may have at most ${HELD_BODY_MAX_BYTES} bytes.`
          : undefined;
  if (why === undefined)
    return refusal(limits, 'approval_required', `A person has to approve this call of ${method}.`, limit);
  return refusal(
    limits,
    'approval_impossible',
    `A person would have to approve this call of ${method}, which cannot wait as it is. ${why}`,
    limit,
  );
}

/** Matches the start of an upload in pieces, and each piece. */
const RESUMABLE = /[?&](?:uploadType=resumable|upload_protocol=resumable|upload_id=)/i;

type SubjectOf = (kind: `${BudgetPeriod}_${AmountKind}`) => CallSubject;

function refOf({ accountId, integrationId }: IntegrationRef): IntegrationRef {
  return { accountId, integrationId };
}

/** A part of a budget as the day to report. */
function dayOf({ holder, name, subject, most, mode }: BudgetPart, { key }: Spenders, atMs: number): DayOfBudget {
  const whenSpent = mode === 'enforce' ? 'stop' : mode;
  return { accountId: key.accountId, holder, name, subject, most, whenSpent, atMs };
}

const HOLDER_WORDS: Readonly<Record<BudgetHolder, string>> = {
  key: 'this secret key',
  integration: 'this integration',
  connection: 'this connection',
};

function budgetRefusal(
  { holder, name, kind, mode, most, counter }: BudgetPart,
  wanted: number,
  left: number,
  nowMs: number,
): LimitRefusal {
  const resetSec = counter.secondsLeft(nowMs);
  const resetsAt = new Date(Math.floor(nowMs / 1000) * 1000 + resetSec * 1000).toISOString();
  const limit = { name: holder === 'key' ? name : (`${holder}.${name}` as const), most, left, resets_at: resetsAt };
  const policy = `${holder}-${name.replace('.', '-')}`;
  const rate = { policy, quota: most, windowSec: counter.windowSec, left, resetSec };
  const per = counter.windowSec === DAY_WINDOW_SEC ? 'day' : 'minute';
  const limits = { mode: mode === 'observe' ? mode : 'enforce' } as const;
  const who = HOLDER_WORDS[holder];
  if (wanted > most) {
    const message = `This call takes ${wanted} ${kind}, and ${who} has ${most} a ${per}: it can never pass. Split it.`;
    return refusal(limits, 'budget_spent', message, limit, { rate });
  }
  const message = `T${who.slice(1)} has ${most} ${kind} a ${per}, of which ${left} are left, and this call takes ${kind === 'bytes' ? 'more' : wanted}. All are free again at ${resetsAt}.`;
  // Libraries retry a 429 by themselves, which helps within a minute but never before the next day.
  return per === 'day'
    ? refusal(limits, 'budget_spent', message, limit, { rate })
    : refusal(limits, 'rate_limited', message, limit, { rate, retryAfterSec: resetSec });
}

function hasTags(tags: Readonly<Record<string, string>>, wanted: Readonly<Record<string, string>>): boolean {
  return Object.entries(wanted).every(([name, value]) => Object.hasOwn(tags, name) && tags[name] === value);
}
