import { LINE_CLASSES } from '../gateway/calls/call-line.rules.ts';
import type { CallSums } from '../gateway/calls/page.rules.ts';
import { CALL_QUERIES, CALL_QUERY_MAX_ROWS, CALL_QUERY_OLD_MAX_ROWS } from '../gateway/core/contract.ts';
import { LONGEST_CALL_MS } from '../gateway/core/limits.ts';
import type { AwsService } from '../gateway/platform/aws-service.ts';
import type { Answer, Asked, CallLog, InvocationCount, LogWindow } from './ports.ts';

/** Answers of Logs Insights that ask for a later retry. */
const BUSY = new Set(['LimitExceededException', 'ThrottlingException', 'ServiceUnavailableException']);

/** Final states of a query without an answer (GetQueryResults, CloudWatch Logs API reference). */
const ENDED_BADLY = new Set(['Failed', 'Cancelled', 'Timeout', 'Unknown']);

/**
 * The logs with the lines of calls, queried by CloudWatch Logs Insights.
 *
 * @param proxyLogGroup of proxied calls, the only ones that are compared with invocations
 * @param otherLogGroups of functions that call the provider for the gateway itself
 */
export function callLogOf(logs: AwsService, proxyLogGroup: string, otherLogGroups: readonly string[]): CallLog {
  async function ask(
    logGroupNames: readonly string[],
    query: string,
    { fromMs, toMs }: LogWindow,
    numbers: Record<string, number>,
  ): Promise<Asked> {
    const queryString = Object.entries(numbers).reduce(
      (text, [name, value]) => text.replaceAll(`{${name}}`, String(value)),
      query,
    );
    try {
      // The range's end is inclusive and in whole seconds, so the query itself contains the exact end.
      const range = { startTime: Math.floor(fromMs / 1000), endTime: Math.ceil(toMs / 1000) };
      const answer = await logs.call('StartQuery', { logGroupNames, ...range, queryString });
      const queryId = member(answer, 'queryId');
      if (typeof queryId !== 'string') throw new Error('Logs Insights gave no id');
      return { kind: 'asked', queryId };
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      if (BUSY.has(error.name)) return { kind: 'busy' };
      if (error.name === 'MalformedQueryException') return { kind: 'refused' };
      throw error;
    }
  }

  async function answerOf(queryId: string, take: (row: Fields) => void): Promise<Answer> {
    let rows = 0;
    let nextToken: unknown;
    do {
      let answer: unknown;
      try {
        answer = await logs.call('GetQueryResults', { queryId, ...(nextToken === undefined ? {} : { nextToken }) });
      } catch (error) {
        if (!(error instanceof Error)) throw error;
        if (BUSY.has(error.name)) return { kind: 'running' };
        if (error.name === 'ResourceNotFoundException' || error.name === 'InvalidParameterException') {
          return { kind: 'lost' };
        }
        throw error;
      }
      const status = member(answer, 'status');
      if (status !== 'Complete') return { kind: ENDED_BADLY.has(String(status)) ? 'lost' : 'running' };
      const results = member(answer, 'results');
      for (const result of Array.isArray(results) ? results : []) {
        rows += 1;
        take(fieldsOf(result));
      }
      nextToken = member(answer, 'nextToken') ?? undefined;
    } while (nextToken !== undefined);
    return { kind: 'done', rows };
  }

  // Lowered once a region has refused this many.
  let mostRows = CALL_QUERY_MAX_ROWS;

  return {
    async askSums(window, slices, slice) {
      const groups = [proxyLogGroup, ...otherLogGroups];
      const numbers = { from: window.fromMs, to: window.toMs, slices, slice };
      const asked = await ask(groups, CALL_QUERIES.sums, window, { ...numbers, rows: mostRows });
      if (asked.kind !== 'refused' || mostRows === CALL_QUERY_OLD_MAX_ROWS) return asked;
      // A refusal does not say whether the window or the number of rows is the reason.
      const again = await ask(groups, CALL_QUERIES.sums, window, { ...numbers, rows: CALL_QUERY_OLD_MAX_ROWS });
      if (again.kind === 'asked') mostRows = CALL_QUERY_OLD_MAX_ROWS;
      return again;
    },
    sums: (queryId, take) =>
      answerOf(queryId, (row) => {
        const sums = sumsOf(row);
        // Lines in another form, as a later version might write, are skipped.
        if (sums !== undefined) take(sums);
      }),
    askBegun: ({ fromMs, toMs }) =>
      ask([proxyLogGroup], CALL_QUERIES.begun, { fromMs, toMs: toMs + LONGEST_CALL_MS }, { from: fromMs, to: toMs }),
    begun: (queryId, take) => answerOf(queryId, (row) => take(count(row.get('n')) ?? 0)),
  };
}

type Fields = ReadonlyMap<string, string>;

/** A row of an answer: an array of members `field` and `value`; a field without a value is left out. */
function fieldsOf(result: unknown): Fields {
  const fields = new Map<string, string>();
  for (const one of Array.isArray(result) ? result : []) {
    const [field, value] = [member(one, 'field'), member(one, 'value')];
    if (typeof field === 'string' && typeof value === 'string') fields.set(field, value);
  }
  return fields;
}

function sumsOf(row: Fields): CallSums | undefined {
  const [account, integration, connection] = [row.get('a'), row.get('i'), row.get('c')];
  const [key, provider, kind] = [row.get('k'), row.get('v'), LINE_CLASSES.find((one) => one === row.get('s'))];
  const calls = count(row.get('n'));
  const known = account !== undefined && integration !== undefined && connection !== undefined;
  if (!known || key === undefined || provider === undefined || kind === undefined || !calls) return undefined;
  return {
    account,
    integration,
    connection,
    key,
    provider,
    project: unlessMissing(row.get('p')),
    class: kind,
    calls,
    bytesIn: count(row.get('bi')) ?? 0,
    bytesOut: count(row.get('bo')) ?? 0,
    totalMs: count(row.get('ms')) ?? 0,
    refreshed: count(row.get('r')) ?? 0,
    units: count(row.get('u')) ?? 0,
    lastEndedAtMs: count(row.get('e')) ?? 0,
    has2xx: count(row.get('h')) === 2,
    observed: unlessMissing(row.get('o')),
  };
}

/** Numbers are strings, large ones perhaps with an exponent. */
function count(text: string | undefined): number | undefined {
  const value = Math.round(Number(text));
  return text !== undefined && Number.isSafeInteger(value) && value >= 0 ? value : undefined;
}

/** Lambda's metric of one function, as CloudWatch gives it. */
export function invocationCount(metrics: AwsService, functionName: string): InvocationCount {
  return {
    async byHour(fromMs, toMs) {
      const answer = await metrics.call('GetMetricData', {
        StartTime: fromMs / 1000,
        EndTime: toMs / 1000,
        MetricDataQueries: [
          {
            Id: 'invocations',
            MetricStat: {
              Metric: {
                Namespace: 'AWS/Lambda',
                MetricName: 'Invocations',
                Dimensions: [{ Name: 'FunctionName', Value: functionName }],
              },
              Period: 3600,
              Stat: 'Sum',
            },
          },
        ],
      });
      const results = member(answer, 'MetricDataResults');
      const [result]: unknown[] = Array.isArray(results) ? results : [];
      const [times, values] = [member(result, 'Timestamps'), member(result, 'Values')];
      if (!Array.isArray(times) || !Array.isArray(values)) return new Map();
      return new Map(times.map((time: unknown, at) => [momentOf(time), Number(values[at])]));
    },
  };
}

/** The JSON protocol has times as numbers of seconds; strings are accepted, too. */
function momentOf(time: unknown): number {
  return typeof time === 'number' ? time * 1000 : Date.parse(String(time));
}

function member(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}

/** In an answer a field that the lines of a group lack is a dash (`CALL_QUERIES.sums`). */
function unlessMissing(value: string | undefined): string | undefined {
  return value === '-' ? undefined : value;
}
