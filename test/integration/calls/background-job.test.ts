// @module-tag long
import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { quietNowMs } from '../../support/quiet-time.ts';
import { useProxyGateway } from '../../support/use-gateway.ts';

const CALENDARS = '/calendar/v3/users/me/calendarList';
/** What this Google gives a project in any sixty seconds. */
const A_MINUTE = 100;
const JOB = 70;
const WORKERS = 8;
/** People make 24 calls a minute: less than the 30 that are kept free for them, whenever in a minute the job begins. */
const PERSON_EVERY_MS = 2_500;

/** The time within which 19 of 20 were answered. */
function p95(times: readonly number[]): number {
  return [...times].sort((a, b) => a - b)[Math.ceil(times.length * 0.95) - 1] ?? Number.POSITIVE_INFINITY;
}

describe('a job that fills the minute', () => {
  const proxy = useProxyGateway({ maxChildrenPerFunction: 3 });
  /** The longest that a call has taken: it reaches Google by so much later than the gateway has counted it. */
  let slowestMs = 0;
  const call = async (headers: [string, string][] = []) => {
    const startedMs = performance.now();
    const answer = await proxy.send({ path: CALENDARS, headers }, 'google-calendar');
    slowestMs = Math.max(slowestMs, performance.now() - startedMs);
    return answer;
  };

  /** Calls that somebody waits for, one after the other. */
  async function people(goesOn: (made: number) => boolean) {
    const [times, statuses]: [number[], number[]] = [[], []];
    while (goesOn(times.length)) {
      const startedMs = quietNowMs();
      statuses.push((await call()).status);
      times.push(quietNowMs() - startedMs);
      await wait(PERSON_EVERY_MS);
    }
    return { p95: p95(times), statuses };
  }

  test('PC-22, PC-23: a job that fills the minute in the background ends without a refusal of Google’s, and nobody waits longer for it', {
    timeout: 400_000,
  }, async () => {
    const quota = { per_minute: A_MINUTE, per_minute_and_user: A_MINUTE };
    await proxy.test.json('PATCH', '/integrations/google-calendar', { quota });
    const taken: number[] = [];
    let refusedByGoogle = 0;
    proxy.upstream.answer((_request, response) => {
      const nowMs = performance.now();
      const isSpent = taken.filter((ms) => ms > nowMs - 60_000 + slowestMs).length >= A_MINUTE;
      if (isSpent) refusedByGoogle++;
      else taken.push(nowMs);
      const reason = '{"error":{"errors":[{"reason":"rateLimitExceeded"}]}}';
      response.writeHead(isSpent ? 403 : 200).end(isSpent ? reason : '{}');
    });
    await call();
    const calm = await people((made) => made < 12);

    let left = JOB;
    let refused = 0;
    const worker = async (): Promise<void> => {
      while (left > 0) {
        left--;
        for (;;) {
          const { status, header } = await call([['Gateway-Priority', 'background']]).then((answer) => ({
            status: answer.status,
            header: answer.header('retry-after'),
          }));
          if (status === 200) break;
          expect(status).toBe(429);
          refused++;
          await wait(Number(header) * 1000);
        }
      }
    };
    let isDone = false;
    const working = Promise.all(Array.from({ length: WORKERS }, worker)).finally(() => {
      isDone = true;
    });
    const busy = await people(() => !isDone);
    await working;
    expect(refused).toBeGreaterThan(0);
    expect(refusedByGoogle).toBe(0);
    expect(new Set(busy.statuses)).toEqual(new Set([200]));
    // What must not be there is a wait, of Google's or the gateway's, of which the shortest is a second.
    expect(busy.p95).toBeLessThan(calm.p95 * 3 + 1_000);

    // The same without the header takes what people need.
    await Promise.all(
      Array.from({ length: WORKERS }, async () => {
        while (refusedByGoogle === 0) await call();
      }),
    );
    expect((await call()).status).toBe(403);
  });
});
