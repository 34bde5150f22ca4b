import { beforeAll, describe, expect, test } from 'vitest';
import { walkConsent } from '../../../packages/simulator/consent.ts';
import { useTestGateway } from '../../support/use-gateway.ts';
import { keyWith } from '../api/keys.ts';
import { approvalTools, browser, WRITING } from './support.ts';

describe('the page of an approval', () => {
  const gateway = useTestGateway({ rules: true, fresh: true, seedScopes: WRITING });
  const tools = approvalTools(gateway);
  let key: string;
  beforeAll(async () => {
    key = await keyWith(gateway, {
      name: 'Assistant',
      right: 'proxy',
      limits: { mode: 'enforce', approve: ['delete'] },
    });
  });

  test('AP-12: says nothing of what waits until the end user has signed in with the connection’s own account, who then decides', async () => {
    const file = await tools.newFile('plan.txt');
    const { approval_id: id, url } = await tools.hold(key, 'DELETE', `/files/${file}`);
    const person = browser(gateway);
    const closed = await person.get(url);
    expect(closed.status).toBe(200);
    expect(closed.text).toContain('Continue with Google');
    expect(closed.text).not.toContain('plan.txt');
    const sent = await person.post(`${url}/sign-in`);
    expect(sent.status).toBe(303);
    const asked = new URL(sent.location);
    expect(asked.searchParams.get('scope')).toBe('openid email');
    const { location } = await walkConsent(sent.location);
    const shown = await person.follow(location);
    expect(shown.text).toMatch(/Delete <strong>plan\.txt<\/strong> for good/);
    expect(await tools.statusOf(id)).toBe('pending');
    const seen = /name="seen" value="([^"]*)"/.exec(shown.text)?.[1] ?? '';
    const decided = await person.post(url, { decision: 'approve', seen });
    expect(decided.text).toContain('It is being done now.');
    await expect.poll(() => tools.statusOf(id)).toBe('done');
    expect(await tools.isThere(file)).toBe(false);
    expect((await person.get(url)).text).toContain('Google has carried it out.');
  });

  test('AP-12: another Google account decides nothing', async () => {
    const file = await tools.newFile('other.txt');
    const { approval_id: id, url } = await tools.hold(key, 'DELETE', `/files/${file}`);
    const person = browser(gateway);
    await person.get(url);
    const sent = await person.post(`${url}/sign-in`);
    const { location } = await walkConsent(sent.location, { account: 'second.user@example.com' });
    const shown = await person.follow(location);
    expect(shown.text).toContain('That is a different account.');
    await person.post(url, { decision: 'approve', seen: '' });
    expect(await tools.statusOf(id)).toBe('pending');
  });

  test('AP-12, AP-34: a link of the backend decides in the browser that opens it first, and the event and the record name its maker', async () => {
    const file = await tools.newFile('linked.txt');
    const { approval_id: id } = await tools.hold(key, 'DELETE', `/files/${file}`);
    expect((await gateway.json('POST', `/approvals/${id}/session`, undefined, key)).status).toBe(403);
    const { body } = await gateway.json('POST', `/approvals/${id}/session`);
    const person = browser(gateway);
    const shown = await person.follow(body.data.url);
    expect(shown.text).toContain('linked.txt');
    const created = await gateway.gateway.waitForEvent(
      ({ 'detail-type': type, detail }) => type === 'ApprovalLinkCreated' && Object(detail).approval_id === id,
    );
    expect(created.detail).toMatchObject({ actor: expect.stringMatching(/^key:/), object_id: file });
    // Another browser sees nothing of the call, and neither does a frame.
    const other = browser(gateway);
    expect((await other.follow(body.data.url)).text).toContain('opened first in another browser');
    expect((await other.post(body.data.url, { decision: 'approve', seen: '' })).status).toBe(403);
    expect(await tools.statusOf(id)).toBe('pending');
    expect(await tools.statusOf(id)).toBe('pending');
    const refused = await person.post(body.data.url, { decision: 'refuse' });
    expect(refused.text).toContain('Nothing was done, and nothing will be.');
    expect(await tools.statusOf(id)).toBe('refused');
    expect((await person.post(body.data.url, { decision: 'approve', seen: '' })).text).toContain('Refused');
    const record = (await gateway.json('GET', `/approvals/${id}`)).body.data;
    expect(record.decided_by).toBe(String(Object(created.detail).actor).replace('key:', 'link:'));
    expect(await tools.isThere(file)).toBe(true);
  });

  test('AP-12: nothing that the caller ever saw approves anything: key, address, ids, states, results', async () => {
    const file = await tools.newFile('kept.txt');
    const { approval_id: id, url, expires_at: until } = await tools.hold(key, 'DELETE', `/files/${file}`);
    const state = (await gateway.json('GET', `/approvals/${id}`, undefined, key)).body;
    const token = url.split('/').at(-1) ?? '';
    const known = [key, id, url, token, until, JSON.stringify(state), `Bearer ${key}`];
    for (const value of known) {
      const headers = {
        authorization: `Bearer ${value.replaceAll(/[^\x20-\x7e]/g, '')}`,
        cookie: `__Host-gateway_flow=${token}`,
      };
      for (const body of [{ decision: 'approve' }, { decision: 'approve', seen: value }, { approval: value }]) {
        await fetch(`${gateway.gateway.gatewayUrl}/approvals/${id}/decision`, {
          method: 'POST',
          headers: { ...headers, 'content-type': 'application/json' },
          body: JSON.stringify(body),
        });
        await fetch(url, {
          method: 'POST',
          headers,
          body: new URLSearchParams(Object.entries(body)),
          redirect: 'manual',
        });
        await fetch(`${url}?${new URLSearchParams(Object.entries(body))}`, { headers });
      }
      await fetch(`${gateway.gateway.gatewayUrl}/approvals/${id}/session`, { method: 'POST', headers });
      await fetch(`${gateway.gateway.gatewayUrl}/approve/return?state=${encodeURIComponent(value)}&code=x`, {
        headers,
      });
      const again = {
        prefer: 'respond-async',
        'x-approval': value,
        'approval-id': value,
        'idempotency-key': value.slice(0, 40),
      };
      const repeated = await tools
        .drive(key, 'DELETE', `/files/${file}?approval=${encodeURIComponent(value)}`, { headers: again })
        .catch(() => undefined);
      expect(
        repeated === undefined || repeated.status === 202 || repeated.status === 400 || repeated.status === 403,
      ).toBe(true);
    }
    expect(await tools.statusOf(id)).toBe('pending');
    expect(await tools.isThere(file)).toBe(true);
  });

  test('AP-12: another site’s form decides nothing, even in the browser of the end user', async () => {
    const file = await tools.newFile('foreign.txt');
    const { approval_id: id } = await tools.hold(key, 'DELETE', `/files/${file}`);
    const { body } = await gateway.json('POST', `/approvals/${id}/session`);
    const person = browser(gateway);
    const shown = await person.follow(body.data.url);
    const seen = /name="seen" value="([^"]*)"/.exec(shown.text)?.[1] ?? '';
    const foreign = await person.post(
      body.data.url,
      { decision: 'approve', seen },
      { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' },
    );
    expect(foreign.status).toBe(403);
    const bare = await browser(gateway).post(body.data.url, { decision: 'approve', seen });
    expect(bare.status).toBe(403);
    expect(await tools.statusOf(id)).toBe('pending');
  });

  test('AP-13: speaks the language of its reader, and shows hidden characters of names', async () => {
    const file = await tools.newFile('plan\u202Efdp.txt');
    const { approval_id: id } = await tools.hold(key, 'PATCH', `/files/${file}`, { trashed: true });
    const { body } = await gateway.json('POST', `/approvals/${id}/session`);
    const shown = await browser(gateway, 'de-AT,de;q=0.9').follow(body.data.url);
    expect(shown.text).toContain('<strong>plan[U+202E]fdp.txt</strong> in den Papierkorb verschieben');
    expect(shown.text).toContain('lang="de"');
  });
});
