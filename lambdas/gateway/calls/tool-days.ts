import type { CallSubject, ToolDayKind } from '../core/identifiers.ts';
import { DAY_WINDOW_SEC, TOOL_DAY_SETTLES_MS } from '../core/limits.ts';
import type { LimitRefusal } from '../keys/ports.ts';
import type { StoredQuota } from '../providers/project-quota.rules.ts';
import { CallCounter, type CallCounterDependencies } from './admission.ts';
import { quotaDay } from './quota.rules.ts';
import { partFor, providerDayMs, sharesOf, type ToolDay, toolDayOf, toolProjectId } from './tool-day.rules.ts';

/** Whose requests to an MCP server are asked for. */
export interface ToolSpender {
  readonly provider: string;
  readonly cloudProject: string;
  /** Of the integration. */
  readonly quota: StoredQuota | undefined;
  readonly keyHash: string;
}

const KINDS = { total: 'day_tools', common: 'day_tools_common', own: 'day_tools_key' } as const satisfies Record<
  string,
  ToolDayKind
>;
type Part = keyof typeof KINDS;

/** Shares a Cloud project's day of requests to an MCP server among keys, counted as budgets of keys are: in memory, reported in the background. */
export class ToolDays {
  readonly #deps: CallCounterDependencies;
  readonly #counters: Readonly<Record<Part, CallCounter>>;

  constructor(deps: CallCounterDependencies) {
    this.#deps = deps;
    const counter = () =>
      new CallCounter({ ...deps, clock: { nowMs: () => providerDayMs(deps.clock.nowMs()) } }, 0, DAY_WINDOW_SEC);
    this.#counters = { total: counter(), common: counter(), own: counter() };
  }

  /** The refusal of a request that has no room in the day. */
  refusal(spender: ToolSpender): LimitRefusal | undefined {
    const day = toolDayOf(spender.quota);
    const left = this.#left('total', spender, day);
    if (this.#partFor(spender, day) !== undefined) return undefined;
    const nowMs = this.#deps.clock.nowMs();
    const { endMs } = quotaDay(nowMs);
    const resetsAt = new Date(endMs).toISOString();
    const resetSec = Math.max(1, Math.ceil((endMs - nowMs) / 1000));
    const why =
      left === 0
        ? 'All are used.'
        : `This key has used its share of ${sharesOf(day).own}, and the half that all keys have in common is used.`;
    const message = `The Cloud project has ${day.perDay} requests a day to this MCP server. ${why} Nothing was sent. The next day begins at ${resetsAt}.`;
    return {
      code: 'budget_spent',
      message,
      details: {
        limit: { name: 'project.day.tools', scope: 'project', most: day.perDay, left, resets_at: resetsAt },
        rate: { policy: 'project-day-tools', quota: day.perDay, windowSec: DAY_WINDOW_SEC, left, resetSec },
        applied: 'no',
      },
      isObserved: false,
    };
  }

  /** Counts a request that is sent. */
  took(spender: ToolSpender): void {
    const day = toolDayOf(spender.quota);
    const part = this.#partFor(spender, day) ?? 'common';
    this.#spend(part, spender, day, 1);
    this.#spend('total', spender, day, 1);
  }

  /**
   * The provider has refused a request because the day is used up: other processes and other programs count at it, too.
   * A refusal from around midnight may still mean the day before, and would stop everyone for a whole day.
   */
  usedUp(spender: ToolSpender, sentAtMs: number): void {
    const { startMs } = quotaDay(this.#deps.clock.nowMs());
    if (sentAtMs < startMs + TOOL_DAY_SETTLES_MS) return;
    const day = toolDayOf(spender.quota);
    const left = this.#left('total', spender, day);
    if (left > 0) this.#spend('total', spender, day, left);
  }

  /** Ends when the reports under way have ended; undefined when there are none. */
  pending(): (Promise<void> | undefined)[] {
    return Object.values(this.#counters).map((counter) => counter.pending());
  }

  #partFor(spender: ToolSpender, day: ToolDay): 'own' | 'common' | undefined {
    const used = (part: Part) => mostOf(part, day) - this.#left(part, spender, day);
    return partFor(day, { own: used('own'), common: used('common'), total: used('total') });
  }

  #left(part: Part, spender: ToolSpender, day: ToolDay): number {
    const most = mostOf(part, day);
    if (most === 0) return 0;
    return this.#counters[part].left(idOf(part, spender), this.#nowMs(), most) ?? 0;
  }

  #spend(part: Part, spender: ToolSpender, day: ToolDay, amount: number): void {
    const id = idOf(part, spender);
    const subject: CallSubject = { kind: KINDS[part], id };
    this.#counters[part].spend(id, subject, this.#nowMs(), amount, mostOf(part, day));
  }

  #nowMs(): number {
    return providerDayMs(this.#deps.clock.nowMs());
  }
}

function mostOf(part: Part, day: ToolDay): number {
  return part === 'total' ? day.perDay : sharesOf(day)[part];
}

function idOf(part: Part, { provider, cloudProject, keyHash }: ToolSpender): string {
  const project = toolProjectId(provider, cloudProject);
  return part === 'own' ? `${project}#${encodeURIComponent(keyHash)}` : project;
}
