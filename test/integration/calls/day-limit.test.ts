import { describe, expect, test } from 'vitest';
import { countCalls } from '../../support/roll-up.ts';
import { useProxyGateway } from '../../support/use-gateway.ts';

describe('a deployment that stops once a day is used up', () => {
  const proxy = useProxyGateway({ maxChildrenPerFunction: 1, environmentOverrides: { DAY_LIMIT: 'stop' } });
  const calendars = () => proxy.send({ path: '/calendar/v3/users/me/calendarList' }, 'google-calendar');
  const files = (headers: [string, string][] = []) => proxy.send({ path: '/drive/v3/files', headers }, 'google-drive');

  test('PC-25: refuses calls and checks of that project and API until Google’s next day, and no others', async () => {
    const quota = { per_day: 3 };
    await proxy.test.json('PATCH', '/integrations/google-calendar', { quota });
    for (let call = 0; call < 3; call++) expect((await calendars()).status).toBe(200);
    await countCalls(proxy.test);
    const { resets_at: resetsAt, projects } = (await proxy.test.json('GET', '/quota')).body.data;
    expect(projects).toContainEqual(
      expect.objectContaining({ provider: 'google-calendar', units: expect.objectContaining({ used: 3, share: 1 }) }),
    );
    // Read with the first call of another integration, as within a minute of each.
    const standing = (await files([['Gateway-Priority', 'interactive']])).header('x-gateway-quota');
    expect(standing).toMatch(/^google-drive;cost=100;minute=0\.00(?:;day=0\.00)?$/);
    const sent = proxy.upstream.requests.length;
    const refused = await calendars();
    expect([refused.status, refused.header('x-gateway-error'), refused.header('retry-after')]).toEqual([
      403,
      'budget_spent',
      undefined,
    ]);
    expect(refused.json()).toMatchObject({
      error: {
        code: 'budget_spent',
        applied: 'no',
        limit: { name: 'project.day.units', scope: 'project', most: 3, left: 0, resets_at: resetsAt },
      },
    });
    const check = await proxy.test.json(
      'POST',
      `/connections/${proxy.test.connectionId('google-calendar')}/check?provider_config_key=google-calendar`,
    );
    expect([check.status, check.body.error?.code]).toEqual([403, 'budget_spent']);
    expect(proxy.upstream.requests).toHaveLength(sent);
    const other = await files();
    expect([other.status, other.header('x-gateway-quota')]).toEqual([200, undefined]);
  });
});
