import { describe, expect, test } from 'vitest';
import { type RawAnswer, rawRequest } from '../../support/raw-http.ts';
import { useProxyGateway } from '../../support/use-gateway.ts';
import { keyWith } from '../api/keys.ts';

const CALENDARS = '/calendar/v3/users/me/calendarList';
const BACKGROUND: [string, string] = ['Gateway-Priority', 'background'];
/** Requests that the Cloud project of these tests has in a minute; 70 % of them are for calls in the background. */
const A_MINUTE = 20;
const ROOM = 14;

const statuses = (answers: readonly RawAnswer[]) => answers.map(({ status }) => status);

describe('calls in the background', () => {
  const proxy = useProxyGateway({ maxChildrenPerFunction: 1 });
  const ofCalendar = (headers: [string, string][] = []) => proxy.send({ path: CALENDARS, headers }, 'google-calendar');

  test('PC-3: an integration says what its Cloud project has in a minute, and a wrong quota is refused with every problem', async () => {
    const path = '/integrations/google-calendar';
    const bad = await proxy.test.json('PATCH', path, { quota: { per_minute: 0, counted_in: 'miles', per_week: 1 } });
    expect([bad.status, bad.body.error.errors.length]).toEqual([400, 3]);
    const quota = { per_minute: A_MINUTE, per_minute_and_user: 5 * A_MINUTE, per_day: null };
    expect((await proxy.test.json('PATCH', path, { quota })).body.data.quota).toEqual(quota);
    expect((await proxy.test.json('GET', path)).body.data.quota).toEqual(quota);
    const { projects } = (await proxy.test.json('GET', '/quota')).body.data;
    expect(projects.find(({ provider }: { provider: string }) => provider === 'google-calendar')).toMatchObject({
      units: { limit: null },
      units_per_minute_and_user: 5 * A_MINUTE,
    });
  });

  test('PC-22, PC-23: calls in the background begin below 70 % of the minute, and are refused above it before anything is sent, while others pass', async () => {
    const answers: RawAnswer[] = [];
    for (let i = 0; i < ROOM + 6; i++) answers.push(await ofCalendar([BACKGROUND]));
    const passed = answers.filter(({ status }) => status === 200).length;
    // A quarter at least, and more the later in the minute it is.
    expect(passed).toBeGreaterThanOrEqual(Math.floor(ROOM / 4));
    expect(passed).toBeLessThan(ROOM + 3);
    expect(proxy.upstream.requests).toHaveLength(passed);
    expect(proxy.upstream.requests.flatMap(({ headerValues }) => headerValues('gateway-priority'))).toEqual([]);
    const refused = answers.find(({ status }) => status === 429);
    expect(refused?.header('x-gateway-error')).toBe('quota_reserved');
    expect(refused?.json()).toMatchObject({
      error: {
        code: 'quota_reserved',
        applied: 'no',
        limit: { name: 'background', scope: 'project', units: 1, most: ROOM, left: 0 },
      },
    });
    expect(Number(refused?.header('retry-after'))).toBeGreaterThan(0);
    expect(Number(refused?.header('retry-after'))).toBeLessThanOrEqual(140);
    expect(refused?.header('ratelimit')).toMatch(/^"project-quota";r=0;t=\d+$/);
    const waited = await Promise.all([ofCalendar(), ofCalendar([['Gateway-Priority', 'interactive']])]);
    expect(statuses(waited)).toEqual([200, 200]);
    expect((await ofCalendar([['Gateway-Priority', 'urgent']])).json()).toMatchObject({
      error: { code: 'invalid_headers', errors: [{ path: 'headers.Gateway-Priority' }] },
    });
  });

  test('PC-22, LK-18: a key that is limited to the background has no other calls, whatever it says of them, and may observe that', async () => {
    const callAs = async (limits: Record<string, unknown>) => {
      const key = await keyWith(proxy.test, { right: 'proxy', limits });
      const [, ...identity] = proxy.identity('google-calendar');
      return rawRequest(proxy.test.gateway.proxyUrl, {
        path: `/proxy${CALENDARS}`,
        headers: [['Authorization', `Bearer ${key}`], ...identity, ['Gateway-Priority', 'interactive']],
      });
    };
    expect((await callAs({ mode: 'enforce', priority: 'background' })).header('x-gateway-error')).toBe(
      'quota_reserved',
    );
    expect((await callAs({ mode: 'observe', priority: 'background' })).status).toBe(200);
  });

  test('PC-22: the check of a connection is one of them', async () => {
    const connectionId = proxy.test.connectionId('google-calendar');
    const check = await proxy.test.json(
      'POST',
      `/connections/${connectionId}/check?provider_config_key=google-calendar`,
    );
    expect([check.status, check.body.error?.code]).toEqual([429, 'quota_reserved']);
  });

  test('PC-24: calls in the background rest where Google says that a minute is used up, and its refusal passes untouched', async () => {
    const body = '{"error":{"code":403,"errors":[{"reason":"userRateLimitExceeded"}]}}';
    proxy.upstream.answer((_request, response) => void response.writeHead(403).end(body));
    const drive = (headers: [string, string][] = []) =>
      proxy.send({ path: '/drive/v3/about?fields=user', headers }, 'google-drive');
    const first = await drive([BACKGROUND]);
    expect([first.status, first.header('x-gateway-error'), first.body.toString()]).toEqual([403, undefined, body]);
    const rests = await drive([BACKGROUND]);
    expect(rests.json()).toMatchObject({ error: { code: 'quota_reserved', limit: { scope: 'user' } } });
    expect((await drive()).status).toBe(403);
    expect(proxy.upstream.requests).toHaveLength(2);
  });

  test('PC-21: calls that somebody waits for ask AWS nothing', async () => {
    proxy.upstream.answer((_request, response) => void response.writeHead(200).end('{}'));
    const list = () => proxy.send({ path: '/drive/v3/files?pageSize=3' }, 'google-drive');
    const asked = () =>
      JSON.stringify(proxy.test.gateway.awsCalls().filter(({ functionName }) => functionName === 'proxy'));
    // What the process keeps for seconds is read again between calls; if a call itself asked AWS, no ten would pass without it.
    await expect
      .poll(
        async () => {
          const before = asked();
          for (let i = 0; i < 10; i++) expect((await list()).status).toBe(200);
          return asked() === before;
        },
        { interval: 0 },
      )
      .toBe(true);
  });
});
