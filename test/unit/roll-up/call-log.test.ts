import { expect, test } from 'vitest';
import { CALL_QUERY_MAX_ROWS, CALL_QUERY_OLD_MAX_ROWS } from '../../../lambdas/gateway/core/contract.ts';
import type { AwsService } from '../../../lambdas/gateway/platform/aws-service.ts';
import { callLogOf } from '../../../lambdas/roll-up/call-log.store.ts';
import { MINUTE, NOON } from './support/world.ts';

const WINDOW = { fromMs: NOON, toMs: NOON + MINUTE };
const malformed = () => Object.assign(new Error('unexpected symbol'), { name: 'MalformedQueryException' });

/** Rows of an answer of Logs Insights, numbered. */
function rows(from: number, to: number) {
  const fields = { a: 'default', i: 'google-drive', k: 'key', v: 'google-drive', p: '-', s: 'ok', o: '-', n: '1' };
  return Array.from({ length: to - from }, (_, at) =>
    Object.entries({ ...fields, c: `user-${from + at}` }).map(([field, value]) => ({ field, value })),
  );
}

/** CloudWatch Logs by what one function answers; notes the numbers of rows that were asked for. */
function logs(answer: (operation: string, input: Record<string, unknown>) => unknown) {
  const asked: number[] = [];
  const service: AwsService = {
    async call(operation, input) {
      const members: Record<string, unknown> = Object(input);
      if (operation === 'StartQuery') asked.push(Number(/limit (\d+)$/.exec(String(members.queryString))?.[1]));
      return answer(operation, members);
    },
  };
  return { asked, log: callLogOf(service, 'proxy', ['feeds']) };
}

test('asks for 10,000 rows where a region refuses 100,000, and remembers it (BK-24)', async () => {
  const { asked, log } = logs((_, { queryString }) => {
    if (String(queryString).endsWith(`limit ${CALL_QUERY_MAX_ROWS}`)) throw malformed();
    return { queryId: 'query' };
  });
  expect(await log.askSums(WINDOW, 1, 0)).toEqual({ kind: 'asked', queryId: 'query' });
  await log.askSums(WINDOW, 1, 0);
  expect(asked).toEqual([CALL_QUERY_MAX_ROWS, CALL_QUERY_OLD_MAX_ROWS, CALL_QUERY_OLD_MAX_ROWS]);
});

test('continues to ask for 100,000 rows where a window is refused for its time', async () => {
  let isRefused = true;
  const { asked, log } = logs(() => {
    if (isRefused) throw malformed();
    return { queryId: 'query' };
  });
  expect(await log.askSums(WINDOW, 1, 0)).toEqual({ kind: 'refused' });
  isRefused = false;
  await log.askSums(WINDOW, 1, 0);
  expect(asked).toEqual([CALL_QUERY_MAX_ROWS, CALL_QUERY_OLD_MAX_ROWS, CALL_QUERY_MAX_ROWS]);
});

test('GA-28: finds the calls that a provider answered with a 2xx status, also where an answer does not have it', async () => {
  const sums = async (fields: Record<string, string>) => {
    const row = [...(rows(0, 1)[0] ?? []), ...Object.entries(fields).map(([field, value]) => ({ field, value }))];
    const { log } = logs(() => ({ status: 'Complete', results: [row] }));
    const taken: unknown[] = [];
    await log.sums('query', ({ has2xx }) => taken.push(has2xx));
    return taken;
  };
  expect(await sums({ h: '2' })).toEqual([true]);
  expect(await sums({ h: '3.0' })).toEqual([false]);
  expect(await sums({})).toEqual([false]);
});

test('takes every row of an answer of several pages, and reports how many there were', async () => {
  const { log } = logs((_, { nextToken }) =>
    nextToken === undefined
      ? { status: 'Complete', results: rows(0, 3), nextToken: 'more' }
      : { status: 'Complete', results: rows(3, 5) },
  );
  const taken: string[] = [];
  const answer = await log.sums('query', ({ connection }) => taken.push(connection));
  expect(answer).toEqual({ kind: 'done', rows: 5 });
  expect(taken).toEqual(['user-0', 'user-1', 'user-2', 'user-3', 'user-4']);
});
