import { describe, expect, test } from 'vitest';
import { useProxyGateway } from '../../support/use-gateway.ts';

/** Repeats a process has to begin with, and the calls that earn one. */
const START = 10;
const CALLS_PER_REPEAT = 5;
const CALLS = 100;

const DRIVE = '/drive/v3/files';
const CALENDAR = '/calendar/v3/calendars/primary/events';

// One process, so that there is one budget.
const proxy = useProxyGateway({ maxChildrenPerFunction: 1 });

/** The provider answers calls of Drive with this status, all others with 200. */
function driveAnswers(status: number): void {
  proxy.upstream.answer(({ target }, response) => {
    const failing = target.startsWith(DRIVE) && status !== 200;
    response.writeHead(failing ? status : 200, { 'content-type': 'application/json', 'retry-after': '0' });
    response.end(failing ? '{"last":true}' : '{}');
  });
}

const call = (path: string, integrationId: string) => proxy.send({ path, headers: [['Retries', '5']] }, integrationId);
const drive = () => call(DRIVE, 'google-drive');

describe('F31: a provider that fails every call while all callers ask for five repeats', () => {
  test('F31, I11: a provider that fails every call while all callers ask for five repeats is asked 1.2 times per call, beyond what single callers have; the others get its answer', async () => {
    driveAnswers(503);
    const answers = await Promise.all(Array.from({ length: CALLS }, drive));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([503]));
    for (const answer of answers) {
      expect(answer.json()).toEqual({ last: true });
      expect(answer.header('x-gateway-error')).toBeUndefined();
    }
    // The first call finds a full budget, so it earns nothing.
    expect(proxy.upstream.requests.length).toBe(CALLS + START + Math.floor((CALLS - 1) / CALLS_PER_REPEAT));
    const spent = answers.filter((answer) => answer.header('x-gateway-retries') === 'budget_spent');
    expect(spent.length).toBe(CALLS - 2);
  });

  test('F31: takes no repeat from another provider', async () => {
    driveAnswers(503);
    await drive();
    let turn = 0;
    proxy.upstream.answer((_request, response) => {
      response.writeHead(turn++ < 5 ? 503 : 200, { 'content-type': 'application/json', 'retry-after': '0' }).end('{}');
    });
    const answer = await call(CALENDAR, 'google-calendar');
    expect([answer.status, answer.header('x-gateway-retries'), turn]).toEqual([200, undefined, 6]);
  });

  test('F31: a provider that answers again earns its callers their repeats back', async () => {
    driveAnswers(200);
    for (let i = 0; i < CALLS_PER_REPEAT; i++) expect((await drive()).status).toBe(200);
    let turn = 0;
    proxy.upstream.answer((_request, response) => {
      response.writeHead(turn++ === 0 ? 503 : 200, { 'content-type': 'application/json', 'retry-after': '0' }).end();
    });
    const answer = await drive();
    expect([answer.status, answer.header('x-gateway-retries'), turn]).toEqual([200, undefined, 2]);
  });

  test('the header is the gateway’s own: a provider cannot set it', async () => {
    proxy.upstream.answer((_request, response) => {
      response.writeHead(200, { 'x-gateway-retries': 'budget_spent' }).end('{}');
    });
    expect((await drive()).header('x-gateway-retries')).toBeUndefined();
  });
});
