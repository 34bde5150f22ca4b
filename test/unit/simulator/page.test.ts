import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readForms, readText } from '../../../packages/simulator/html-forms.ts';
import { ACCOUNTS, type Simulator, startSimulator } from '../../../packages/simulator/index.ts';

const HOSTILE = '</td><script>alert(1)</script>"\'&';
const FIRST = ACCOUNTS[0].email;

describe('IN-10: the page for people', () => {
  let simulator: Simulator;
  let cookie: string;
  const told: string[] = [];
  beforeAll(async () => {
    simulator = await startSimulator({
      tellPage: (address) => told.push(address),
      seed: {
        files: [{ owner: FIRST, name: HOSTILE, mimeType: 'text/plain', text: 'x' }],
        events: [{ calendar: FIRST, summary: HOSTILE, start: { date: '2026-11-23' }, end: { date: '2026-11-24' } }],
      },
    });
    const opened = await fetch(simulator.pageAddress(), { redirect: 'manual' });
    cookie = opened.headers.get('set-cookie') ?? '';
  });
  afterAll(() => simulator.close());
  const ui = () => `${simulator.url}/__ui`;
  const read = async (path: string, headers: Record<string, string> = { cookie: cookie.split(';')[0] ?? '' }) => {
    const answer = await fetch(ui() + path, { headers, redirect: 'manual' });
    return { status: answer.status, headers: answer.headers, text: await answer.text() };
  };
  const send = (path: string, fields: Record<string, string>, origin = simulator.url) =>
    fetch(ui() + path, {
      method: 'POST',
      redirect: 'manual',
      headers: { cookie: cookie.split(';')[0] ?? '', origin },
      body: new URLSearchParams(fields),
    });
  const control = async (path: string) => (await fetch(`${simulator.controlUrl}/${path}`)).json();

  test('opens for the printed address, once, and for nobody who has not seen it', async () => {
    expect(cookie).toMatch(/^simulator_\d+=[\w-]{32}; Path=\/__ui; HttpOnly; SameSite=Lax$/);
    expect(told).toEqual([simulator.pageAddress()]);
    for (const path of [
      '',
      '/',
      '/faults',
      '/requests',
      '/clients',
      `/account?email=${FIRST}`,
      '/open/guessed',
      '/open/',
    ])
      expect((await read(path, {})).status).toBe(403);
    expect((await read('', { cookie: 'simulator_1=guessed; a=b; =' })).status).toBe(403);
    const next = simulator.pageAddress();
    expect((await fetch(next, { method: 'HEAD', redirect: 'manual' })).status).toBe(403);
    expect((await fetch(next, { redirect: 'manual' })).status).toBe(303);
    expect((await fetch(next, { redirect: 'manual' })).status).toBe(403);
    expect((await read('')).status).toBe(200);
  });

  test('shows accounts, files, calendars and clients as text, whatever they are called', async () => {
    const overview = await read('');
    for (const { email } of ACCOUNTS) expect(overview.text).toContain(email);
    const { text, headers } = await read(`/account?email=${encodeURIComponent(FIRST)}`);
    expect(text.match(/&lt;\/td&gt;&lt;script&gt;alert\(1\)&lt;\/script&gt;&quot;&#39;&amp;/g)).toHaveLength(3);
    expect(text).not.toContain('<script');
    expect(headers.get('content-security-policy')).toMatch(
      /^default-src 'none'; style-src 'sha256-[\w+/]{43}='; img-src data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'$/,
    );
    expect(headers.get('cache-control')).toBe('no-store');
    expect((await read('/account?email=nobody')).status).toBe(404);
    expect((await read('/elsewhere')).status).toBe(404);
  });

  test('switches faults on and off, and says what is wrong with one', async () => {
    const [, form] = readForms((await read('/faults')).text);
    expect(form?.action).toBe('/__ui/faults');
    const on = await send('/faults', { do: 'preset', preset: 'unavailable', account: FIRST, times: '2' });
    expect([on.status, on.headers.get('location')]).toEqual([303, '/__ui/faults']);
    const { faults } = await control('faults');
    expect(faults).toMatchObject([{ match: { origin: 'api', account: FIRST }, times: 2, action: { status: 503 } }]);
    expect(readText((await read('/faults')).text)).toContain('2 more');
    await send('/faults', { do: 'json', json: '{"action": {"delayMs": 1}}' });
    await send('/faults', { do: 'remove', id: faults[0].id });
    expect((await control('faults')).faults).toMatchObject([{ action: { delayMs: 1 } }]);
    const wrong = await send('/faults', { do: 'json', json: '{"action": {}}' });
    expect([wrong.status, readText(await wrong.text())]).toEqual([400, expect.stringContaining('must do something')]);
    await send('/faults', { do: 'clear' });
    expect((await control('faults')).faults).toEqual([]);
    expect((await send('/faults', { do: 'preset', preset: 'constructor' })).status).toBe(404);
  });

  test('GA-27: shows Google’s MCP servers, and changes their limit, approvals and services', async () => {
    const clientId = '555-agent.apps.googleusercontent.com';
    simulator.upsertClient({ clientId, clientSecret: 'secret', redirectUris: [], agentic: true });
    await send('/agents', { do: 'requests', requestsPerDay: '4321' });
    await send('/agents', { do: 'approvals', account: FIRST, policy: 'changes' });
    const service = 'drivemcp.googleapis.com';
    await send('/agents', { do: 'disable', project: '555', service });
    expect(await control('mcp')).toMatchObject({
      requestsPerDay: 4321,
      approvals: expect.arrayContaining([{ account: FIRST, policy: 'changes' }]),
      disabledServices: [{ project: '555', service }],
    });
    const shown = readText((await read('/agents')).text);
    for (const part of ['4321', 'disabled', 'suggest_time', 'calendarmcp.googleapis.com'])
      expect(shown).toContain(part);
    expect(readText((await read('/clients')).text)).toContain('agent');
    await send('/agents', { do: 'enable', project: '555', service });
    expect((await control('mcp')).disabledServices).toEqual([]);
    const wrong = await send('/agents', { do: 'approvals', account: FIRST, policy: 'never' });
    expect([wrong.status, readText(await wrong.text())]).toEqual([400, expect.stringContaining('one of none')]);
    expect((await send('/agents', { do: 'nothing' })).status).toBe(404);
  });

  test('moves the clock, and ends grants and lifts what blocks them', async () => {
    await send('/clock', { days: '7' });
    expect(simulator.clockAheadMs()).toBe(7 * 86_400_000);
    await send('/clock', { days: '0' });
    const clientId = '123456789012-app.apps.googleusercontent.com';
    simulator.upsertClient({ clientId, clientSecret: 'secret', redirectUris: ['http://127.0.0.1:1/callback'] });
    const body = JSON.stringify({ account: FIRST, clientId });
    await fetch(`${simulator.controlUrl}/tokens`, { method: 'POST', body });
    const page = `/account?email=${encodeURIComponent(FIRST)}`;
    const live = async () =>
      (await control('state')).refreshTokens.filter((token: { live: boolean }) => token.live).length;
    expect(await live()).toBe(1);
    const ended = await send('/grants', { account: FIRST, clientId, reason: 'admin_policy', do: 'kill' });
    expect([ended.status, ended.headers.get('location')]).toEqual([303, `/__ui${page}`]);
    expect(await live()).toBe(0);
    expect((await read(page)).text).toContain('admin_policy');
    await send('/grants', { account: FIRST, clientId, do: 'restore' });
    expect(await live()).toBe(1);
  });

  test.each([
    ['another port of this computer', 'http://127.0.0.1:1'],
    ['another site', 'https://evil.example'],
    ['nobody says where', ''],
  ])('flips nothing for a form of another origin: %s', async (_who, origin) => {
    expect((await send('/faults', { do: 'preset', preset: 'hang' }, origin)).status).toBe(403);
    expect((await control('faults')).faults).toEqual([]);
  });

  test('shows requests without what could hold a credential', async () => {
    await fetch(`${simulator.url}/tokeninfo?access_token=ya29.secret`, {
      headers: { authorization: 'Bearer ya29.secret' },
    });
    const { text } = await read('/requests');
    expect(text).toContain('GET /tokeninfo');
    expect(text).not.toContain('ya29.secret');
  });

  test('opens a file as its user and sets the limits of Drive', async () => {
    const fileId = /name="fileId" value="([^"]+)"/.exec((await read(`/account?email=${FIRST}`)).text)?.[1] ?? '';
    const row = async () =>
      (await read(`/account?email=${FIRST}`)).text.split('<tr>').find((one) => one.includes(`value="${fileId}"`)) ?? '';
    const form = { account: FIRST, fileId };
    expect((await send('/opened', { ...form, do: 'close' })).status).toBe(303);
    expect(await row()).toContain('no <button');
    expect((await send('/opened', { ...form, do: 'open' })).status).toBe(303);
    expect(await row()).toContain('yes <button');
    expect((await send('/opened', { account: FIRST, fileId: 'nowhere', do: 'open' })).status).toBe(400);
    expect((await send('/limits', { folderDepth: '3' })).status).toBe(303);
    const { text } = await read('');
    expect(text).toContain('name="folderDepth" type="number" min="0" value="3"');
    expect(text).toContain('name="folderChildren" type="number" min="0" value="500000"');
    expect((await send('/limits', { folderDepth: '-1' })).status).toBe(400);
  });
});
