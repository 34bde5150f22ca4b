import { doorJson, type InnerDoor } from '../../../gateway/core/door.ts';
import type { GatewayRequest } from '../../../gateway/core/http-message.ts';
import {
  type HeldWait,
  isObject,
  type ListedTool,
  type Progress,
  type ToolCall,
  type ToolOutcome,
  type ToolSet,
} from '../../../gateway/server-tools/tool.rules.ts';

export interface DoorToolsDependencies {
  readonly door: InnerDoor;
  /** Milliseconds that the invocation under way still has. */
  readonly remainingMs: () => number;
  readonly nowMs: () => number;
  readonly pause: (ms: number) => Promise<void>;
}

/** The tools of one caller, by way of the proxy. */
export interface CallersTools extends ToolSet {
  /** Has the caller judged, unless a question before was. @throws GatewayError for those who may not call */
  judged(): Promise<void>;
}

/** The head of a request as far as it says who calls and for which connections. */
const PASSED_ON = ['authorization', 'provider-config-key', 'connection-id'];
/** Between the end of an operation and that of this function, which then still answers. */
const ANSWERS_WITHIN_MS = 2_000;
/** How often a wait for a person looks again. */
const LOOK_MS = 1_000;
/** How long one look may take, so that time is left to give the place back. */
const LOOK_WITHIN_MS = 3_000;

/**
 * The tools of an assistant, asked of the proxy with the credential that the assistant sent: this function has none of its own (TB-3).
 * While a person decides, this function waits and not the proxy.
 */
export function doorTools(
  { door, remainingMs, nowMs, pause }: DoorToolsDependencies,
  { headers, sourceIp, requestId }: GatewayRequest,
): CallersTools {
  let isJudged = false;
  const passed = headers.filter(([name]) => PASSED_ON.includes(name.toLowerCase()));
  const ask = async (
    operation: string,
    more: object = {},
    atMostMs = Number.POSITIVE_INFINITY,
    onPart?: (part: unknown) => void,
  ): Promise<unknown> => {
    const withinMs = Math.max(1, Math.min(remainingMs() - ANSWERS_WITHIN_MS, atMostMs));
    const input = { headers: passed, sourceIp, withinMs: Math.max(1, withinMs - ANSWERS_WITHIN_MS), ...more };
    const answer = doorJson(await door({ operation, input, requestId, withinMs, ...(onPart && { onPart }) }));
    isJudged = true;
    return answer;
  };
  /** A look that fails has seen no decision: only `decided` gives the place of a wait back, so it must be reached. */
  const isUnderWay = (call: ToolCall) =>
    ask('look', { call }, LOOK_WITHIN_MS).then(
      (answer) => answer === true,
      () => true,
    );
  return {
    async judged() {
      if (!isJudged) await ask('judge');
    },
    async list(clientCapabilities) {
      const listed = await ask('list', { clientCapabilities });
      return listed as readonly ListedTool[];
    },
    async call(call, report) {
      const onPart = (part: unknown) => {
        // Only those who may call get so far.
        isJudged = true;
        report?.(part as Progress);
      };
      const outcome =
        report === undefined
          ? await ask('call', { call })
          : await ask('call', { call, wantsProgress: true }, undefined, onPart);
      if (!isObject(outcome)) return undefined;
      if (!isHeld(outcome)) return outcome as unknown as ToolOutcome;
      const { wait } = outcome;
      const untilMs = nowMs() + wait.waitMs;
      do await pause(LOOK_MS);
      while (nowMs() < untilMs && (await isUnderWay(call)));
      return (await ask('decided', { call, wait })) as ToolOutcome;
    },
  };
}

function isHeld(outcome: object): outcome is { readonly wait: HeldWait } {
  return 'wait' in outcome;
}
