/**
 * CloudWatch Logs as far as the gateway asks it: the lines of calls that the proxy writes, kept in a file for each minute, and the two
 * questions of the roll-up to them. Any other question is refused loudly: this knows no query language.
 */
import { randomUUID } from 'node:crypto';
import { appendFileSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { CALL_QUERIES } from '../../../lambdas/gateway/core/contract.ts';
import { asNumber, asString, errorMessage, isObject, type JsonObject, tryParseJson } from '../../tools/json.ts';
import { LOCAL_ACCOUNT_ID } from '../template/references.ts';
import { AwsError } from './aws-error.ts';
import type { AwsService } from './server.ts';

/** Faults for tests. */
export interface LogSwitches {
  /** Milliseconds that every answer of the service takes longer. */
  delayMs: number;
  /** Lines that come in are held back, until this is false again. */
  isHeldBack: boolean;
  /** Of so many lines that come in, the last is lost; 0: none. */
  losesOneIn: number;
  /** Questions are refused for their number. */
  isThrottled: boolean;
  /** How often an answer reports that its query still runs. */
  runs: number;
  /** How far ahead of this computer's clock lines are filed. */
  aheadMs: number;
}

export interface Logs {
  readonly switches: LogSwitches;
  readonly service: AwsService;
  /** Takes a line that a function wrote. */
  take(logGroup: string, text: string): void;
}

export interface LogsOptions {
  readonly folder: string;
  readonly region: string;
  /** Log groups of the functions. */
  readonly logGroups: readonly string[];
  readonly warn: (message: string) => void;
  /** Time of the lines. @default the machine's */
  readonly nowMs?: () => number;
}

/** As long as a deployment keeps them at least. */
const KEPT_MS = 7 * 86_400_000;
/** Lines beyond this in one minute are lost, and said to be: some 400 bytes each. */
const MINUTE_MAX_BYTES = 128 * 1_048_576;
const ANSWERS_KEPT = 1_000;
/** Rows of one answer of GetQueryResults; the rest follows by its token. */
const PAGE_ROWS = 10_000;
const MINUTE_MS = 60_000;

interface FiledLine {
  readonly atMs: number;
  readonly call: JsonObject;
}

/** Opens the logs of a data folder. */
export function openLogs({ folder, region, logGroups, warn, nowMs = Date.now }: LogsOptions): Logs {
  const switches: LogSwitches = {
    delayMs: 0,
    isHeldBack: false,
    losesOneIn: 0,
    isThrottled: false,
    runs: 0,
    aheadMs: 0,
  };
  const answers = new Map<string, { readonly results: JsonObject[][]; readonly scanned: number; runs: number }>();
  const sizes = new Map<string, number>();
  let held: { readonly logGroup: string; readonly atMs: number; readonly text: string }[] = [];
  let taken = 0;
  let hasWarned = false;
  const clearedAtMs = new Map<string, number>();

  const folderOf = (logGroup: string): string => join(folder, encodeURIComponent(logGroup));
  const fileOf = (logGroup: string, minute: number): string => join(folderOf(logGroup), `${minute}.jsonl`);

  /** Written at once, so that a line outlives this process as it does on AWS. */
  function file(logGroup: string, atMs: number, text: string): void {
    const path = fileOf(logGroup, Math.floor(atMs / MINUTE_MS));
    const line = `${JSON.stringify({ atMs, text })}\n`;
    const size = (sizes.get(path) ?? 0) + line.length;
    if (size > MINUTE_MAX_BYTES) return;
    if (!sizes.has(path)) {
      mkdirSync(folderOf(logGroup), { recursive: true, mode: 0o700 });
      if (sizes.size > 100) sizes.clear();
    }
    sizes.set(path, size);
    appendFileSync(path, line, { mode: 0o600 });
  }

  function release(): void {
    const released = held;
    held = [];
    for (const { logGroup, atMs, text } of released) file(logGroup, atMs, text);
  }

  function clear(logGroup: string, nowMs: number): void {
    if (nowMs - (clearedAtMs.get(logGroup) ?? 0) < 3_600_000) return;
    clearedAtMs.set(logGroup, nowMs);
    for (const minute of minutesOf(logGroup)) {
      if (minute * MINUTE_MS < nowMs - KEPT_MS) rmSync(fileOf(logGroup, minute), { force: true });
    }
  }

  function minutesOf(logGroup: string): number[] {
    try {
      return readdirSync(folderOf(logGroup)).map((name) => Number(name.split('.')[0]));
    } catch {
      return [];
    }
  }

  function linesOf(logGroup: string, fromMs: number, toMs: number): FiledLine[] {
    const [first, last] = [Math.floor(fromMs / MINUTE_MS), Math.floor(toMs / MINUTE_MS)];
    return minutesOf(logGroup)
      .filter((minute) => minute >= first && minute <= last)
      .flatMap((minute) => readFileSync(fileOf(logGroup, minute), 'utf8').split('\n'))
      .flatMap((text) => {
        const filed = tryParseJson(text);
        const line = isObject(filed) ? tryParseJson(String(filed.text)) : undefined;
        // A line cut short by a crash reports no call.
        return isObject(filed) && isObject(line) && isObject(line.call)
          ? [{ atMs: Number(filed.atMs), call: line.call }]
          : [];
      })
      .filter(({ atMs }) => atMs >= fromMs && atMs <= toMs);
  }

  function start(input: JsonObject): JsonObject {
    const asked = groupsOf(input);
    const missing = asked.find((logGroup) => !logGroups.includes(logGroup));
    if (missing !== undefined || asked.length === 0) {
      throw new AwsError('ResourceNotFoundException', `The specified log group does not exist: ${missing}`);
    }
    if (switches.isThrottled)
      throw new AwsError('LimitExceededException', 'Account maximum query concurrency reached.');
    if (!switches.isHeldBack) release();
    const query = asString(input.queryString, 'queryString');
    const from = asNumber(input.startTime, 'startTime') * 1000;
    // Included, to its last millisecond.
    const to = asNumber(input.endTime, 'endTime') * 1000 + 999;
    const run = KNOWN_QUERIES.flatMap((known) => {
      const values = known.read(query);
      return values === undefined ? [] : [{ known, values }];
    })[0];
    if (run === undefined) throw new AwsError('NotEmulated', 'This query is not emulated locally.', 501);
    const lines = asked.flatMap((logGroup) => linesOf(logGroup, from, to));
    const queryId = randomUUID();
    answers.set(queryId, {
      results: run.known.answer(lines, run.values),
      scanned: lines.length,
      runs: switches.runs,
    });
    for (const oldest of answers.keys()) if (answers.size > ANSWERS_KEPT) answers.delete(oldest);
    for (const logGroup of asked) clear(logGroup, to);
    return { queryId };
  }

  function results(input: JsonObject): JsonObject {
    const found = answers.get(asString(input.queryId, 'queryId'));
    if (found === undefined) throw new AwsError('ResourceNotFoundException', 'The specified query does not exist.');
    if (found.runs > 0) {
      found.runs -= 1;
      return { status: 'Running', results: [] };
    }
    const statistics = { recordsMatched: found.results.length, recordsScanned: found.scanned, bytesScanned: 0 };
    const from = input.nextToken === undefined ? 0 : Number(input.nextToken);
    const to = from + PAGE_ROWS;
    const isLast = to >= found.results.length;
    const page = { status: 'Complete', results: found.results.slice(from, to), statistics };
    return isLast ? page : { ...page, nextToken: String(to) };
  }

  return {
    switches,
    take(logGroup, text) {
      // Nothing else is asked for.
      if (!text.includes('"call":{')) return;
      taken += 1;
      if (switches.losesOneIn > 0 && taken % switches.losesOneIn === 0) return;
      const atMs = nowMs() + switches.aheadMs;
      try {
        if (switches.isHeldBack) held.push({ logGroup, atMs, text });
        else file(logGroup, atMs, text);
      } catch (error) {
        // As where a log group is gone: the function continues, and its lines are lost.
        if (!hasWarned) warn(`Lines of calls cannot be kept, and are not counted: ${errorMessage(error)}`);
        hasWarned = true;
      }
    },
    service: {
      switches,
      access(operation, input) {
        const arnOf = (logGroup: string) => `arn:aws:logs:${region}:${LOCAL_ACCOUNT_ID}:log-group:${logGroup}:*`;
        const resources = operation === 'StartQuery' ? groupsOf(input).map(arnOf) : ['*'];
        return resources.map((resource) => ({ action: `logs:${operation}`, resource }));
      },
      call(operation, input) {
        if (operation === 'StartQuery') return start(input);
        if (operation === 'GetQueryResults') return results(input);
        throw new AwsError('NotEmulated', `CloudWatch Logs ${operation} is not emulated locally.`, 501);
      },
    },
  };
}

/** The log groups that a question names. */
function groupsOf({ logGroupNames }: JsonObject): string[] {
  return Array.isArray(logGroupNames) ? logGroupNames.map(String) : [];
}

interface KnownQuery {
  /** The numbers of a query of this form; undefined for another. */
  read(query: string): Record<string, number> | undefined;
  answer(lines: readonly FiledLine[], values: Readonly<Record<string, number>>): JsonObject[][];
}

const KNOWN_QUERIES: readonly KnownQuery[] = [
  {
    read: reader(CALL_QUERIES.sums),
    answer(lines, { from = 0, to = 0, slices = 1, slice = 0, rows = 0 }) {
      const groups = new Map<string, { fields: Record<string, string>; sums: number[]; last: number }>();
      for (const { atMs, call } of lines) {
        if (call.account === undefined || atMs < from || atMs >= to || Number(call.slice) % slices !== slice) continue;
        const fields = Object.fromEntries(
          Object.entries({
            a: call.account,
            i: call.integration,
            c: call.connection,
            k: call.key,
            v: call.provider,
            p: call.project ?? '-',
            s: call.class,
            o: call.observed ?? '-',
            h: String(Math.floor(Number(call.status) / 100)),
          }).flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : [])),
        );
        const added = [1, call.bytesIn, call.bytesOut, call.totalMs, call.refreshed, call.units].map(Number);
        const id = JSON.stringify(fields);
        const known = groups.get(id) ?? { fields, sums: added.map(() => 0), last: 0 };
        known.sums = known.sums.map((sum, at) => sum + (added[at] ?? 0));
        known.last = Math.max(known.last, Number(call.endedAtMs));
        groups.set(id, known);
      }
      return [...groups.values()].slice(0, rows).map(({ fields, sums, last }) => {
        const [n, bi, bo, ms, r, u] = sums.map(String);
        return row({ ...fields, n, bi, bo, ms, r, u, e: String(last) });
      });
    },
  },
  {
    read: reader(CALL_QUERIES.begun),
    answer(lines, { from = 0, to = 0 }) {
      const begun = lines.filter(({ call }) => {
        const startedMs = Number(call.endedAtMs) - Number(call.totalMs);
        return call.door === undefined && startedMs >= from && startedMs < to;
      });
      return begun.length === 0 ? [] : [row({ n: String(begun.length) })];
    },
  },
];

function row(fields: Readonly<Record<string, string | undefined>>): JsonObject[] {
  return Object.entries(fields).flatMap(([field, value]) => (value === undefined ? [] : [{ field, value }]));
}

/** Reads the numbers that stand where a query of the contract has braces. */
function reader(query: string): KnownQuery['read'] {
  const names = [...query.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  const literal = query.split(/\{\w+\}/).map((text) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`));
  const pattern = new RegExp(`^${literal.join(String.raw`(\d+)`)}$`);
  return (text) => {
    const found = pattern.exec(text);
    if (found === null) return undefined;
    return Object.fromEntries(names.map((name, at) => [name, Number(found[at + 1])]));
  };
}
