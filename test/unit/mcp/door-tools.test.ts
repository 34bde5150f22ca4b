import { describe, expect, test } from 'vitest';
import { doorTools } from '../../../lambdas/features/agents/mcp/door-tools.ts';
import type { DoorAnswer, DoorQuestion } from '../../../lambdas/gateway/core/door.ts';

const REQUEST = {
  ...{ method: 'POST', rawPath: '/mcp', query: [], body: Buffer.from('{"secret":"text"}') },
  headers: [
    ['Authorization', 'Bearer ak_x'],
    ['Connection-Id', 'c-1'],
    ['Cookie', 'a=b'],
    ['X-Other', 'c'],
  ] as [string, string][],
  ...{ requestId: 'r-1', sourceIp: '203.0.113.9' },
};
const CALL = { name: 'x', args: { a: 1 }, clientCapabilities: {}, requestState: undefined, wasDeclined: false };

function open(answers: readonly unknown[], remainingMs = 29_000) {
  const asked: DoorQuestion[] = [];
  let nowMs = 0;
  const door = async (question: DoorQuestion): Promise<DoorAnswer> => {
    const next = answers[asked.push(question) - 1];
    if (next instanceof Error) throw next;
    const [status, headers, body] = Array.isArray(next) && typeof next[0] === 'number' ? next : [200, [], next];
    return { status, headers, body: Buffer.from(JSON.stringify(body)) };
  };
  const pause = async (ms: number) => {
    nowMs += ms;
  };
  const tools = doorTools({ door, remainingMs: () => remainingMs, nowMs: () => nowMs, pause }, REQUEST);
  return { tools, asked };
}

const operations = (asked: readonly DoorQuestion[]) => asked.map(({ operation }) => operation);

describe('tools that the proxy serves', () => {
  test('TB-3: tools that the proxy serves are asked with the credential and the names of the assistant’s own request, and nothing else of it', async () => {
    const { tools, asked } = open([{ result: { content: [] } }]);
    expect(await tools.call(CALL)).toEqual({ result: { content: [] } });
    const head = [
      ['Authorization', 'Bearer ak_x'],
      ['Connection-Id', 'c-1'],
    ];
    expect(asked).toMatchObject([
      { operation: 'call', requestId: 'r-1', input: { headers: head, sourceIp: '203.0.113.9', call: CALL } },
    ]);
    expect(JSON.stringify(asked)).not.toMatch(/secret|a=b|X-Other/);
  });

  test('TB-4: tools that the proxy serves have less time than their caller, so that an answer is left to give', async () => {
    const { tools, asked } = open([[]], 10_000);
    await tools.list({});
    const [{ withinMs, input } = { withinMs: 0, input: {} }] = asked;
    expect(withinMs).toBeLessThan(10_000);
    expect(Number(Object(input).withinMs)).toBeLessThan(withinMs);
  });

  test('MC-32: judge a caller once, by whatever is asked first', async () => {
    const { tools, asked } = open([[], null]);
    await tools.list({});
    await tools.judged();
    expect(operations(asked)).toEqual(['list']);
    const other = open([null]);
    await other.tools.judged();
    expect(operations(other.asked)).toEqual(['judge']);
  });

  test('TB-4: tools that the proxy serves pass a refusal on as it came', async () => {
    const headers = [
      ['x-gateway-error', 'rate_limited'],
      ['retry-after', '7'],
    ];
    const { tools } = open([[429, headers, { error: { code: 'rate_limited' } }]]);
    const refused = await tools.call(CALL).catch((error: unknown) => error);
    expect(refused).toMatchObject({ code: 'rate_limited', response: { status: 429, headers } });
  });

  test('AP-37: tools that the proxy serves wait here for a person, look once a second, and ask once it is decided', async () => {
    const wait = { place: 3, takenUntilMs: 25_000, waitMs: 15_000 };
    const { tools, asked } = open([{ wait }, true, true, false, { result: { content: [] } }]);
    expect(await tools.call(CALL)).toEqual({ result: { content: [] } });
    expect(operations(asked)).toEqual(['call', 'look', 'look', 'look', 'decided']);
    expect(asked.at(-1)?.input).toMatchObject({ call: CALL, wait });
  });

  test('AP-37: tools that the proxy serves give the place back after the time that it was taken for', async () => {
    const wait = { place: 0, takenUntilMs: 25_000, waitMs: 3_000 };
    const { tools, asked } = open([{ wait }, true, true, { result: { content: [] } }]);
    await tools.call(CALL);
    expect(operations(asked)).toEqual(['call', 'look', 'look', 'decided']);
  });

  test.each([
    ['is refused', [503, [['x-gateway-error', 'service_unavailable']], {}]],
    ['has no answer', new Error('The answer broke off')],
  ])('AP-37: a look that %s ends no wait, whose place is given back at its end', async (_, failed) => {
    const wait = { place: 2, takenUntilMs: 25_000, waitMs: 15_000 };
    const { tools, asked } = open([{ wait }, failed, true, false, { result: { content: [] } }]);
    expect(await tools.call(CALL)).toEqual({ result: { content: [] } });
    expect(operations(asked)).toEqual(['call', 'look', 'look', 'look', 'decided']);
    // One that hangs leaves time for the end.
    expect(asked[1]?.withinMs).toBeLessThan(10_000);
  });

  test('tools that the proxy serves are none where the proxy knows none of the name', async () => {
    expect(await open([null]).tools.call(CALL)).toBeUndefined();
  });
});
