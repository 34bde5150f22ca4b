import { describe, expect, it } from 'vitest';
import { managementGateway, member } from './support/gateway.ts';

const CREDENTIALS = { type: 'OAUTH2', client_id: '123-agents.apps.googleusercontent.com', client_secret: 'shh' };
const AGENTIC = { provider: 'google-calendar', unique_key: 'agents', agentic: true, credentials: CREDENTIALS };

const problems = (body: unknown) => member(body, 'error', 'errors');

async function withAgentic() {
  const gateway = managementGateway();
  expect((await gateway.call('POST', '/integrations', { body: AGENTIC })).status).toBe(200);
  return gateway;
}

describe('an agentic integration', () => {
  it('GA-20: an agentic integration is marked when it is created and shows the mark, and others show that they are not', async () => {
    const gateway = await withAgentic();
    const ordinary = { ...AGENTIC, unique_key: 'app', agentic: false };
    await gateway.call('POST', '/integrations', { body: ordinary });
    const shown = async (id: string) =>
      member((await gateway.call('GET', `/integrations/${id}`)).body, 'data', 'agentic');
    expect(await shown('agents')).toBe(true);
    expect(await shown('app')).toBe(false);
  });

  it('GA-20: keeps its mark for life, and a change of it is refused with what to do', async () => {
    const gateway = await withAgentic();
    const patch = (body: object) => gateway.call('PATCH', '/integrations/agents', { body });
    const refused = await patch({ agentic: false, mode: 'live' });
    expect(refused.status).toBe(400);
    expect(problems(refused.body)).toEqual([
      { path: 'agentic', message: expect.stringContaining('create another integration with another OAuth client') },
    ]);
    const kept = await patch({ agentic: true, display_name: 'Assistants' });
    expect(kept).toMatchObject({ status: 200, body: { data: { agentic: true, display_name: 'Assistants' } } });
    expect(problems((await patch({ credentials_source: 'test' })).body)).toEqual([
      { path: 'credentials_source', message: expect.stringContaining('has its own OAuth client') },
    ]);
  });

  it.each([
    ['test credentials', { credentials: undefined, credentials_source: 'test' }, 'has its own OAuth client'],
    ['a service account', { credentials: undefined, kind: 'delegated' }, 'a service account has no OAuth client'],
  ])('GA-20: an agentic integration cannot have %s', async (_, change, message) => {
    const { status, body } = await managementGateway().call('POST', '/integrations', {
      body: { ...AGENTIC, ...change },
    });
    expect(status).toBe(400);
    expect(problems(body)).toContainEqual({ path: 'agentic', message: expect.stringContaining(message) });
  });

  it('GA-20: lets nobody pick files, and says what to do', async () => {
    const gateway = managementGateway();
    const body = { ...AGENTIC, provider: 'google-drive', scopes: ['drive.file'] };
    await gateway.call('POST', '/integrations', { body });
    const session = { end_user: { id: 'ann' }, allowed_integrations: ['agents'], pick: {} };
    const refused = await gateway.call('POST', '/connect/sessions', { body: session });
    expect(problems(refused.body)).toEqual([
      { path: 'pick', message: expect.stringMatching(/marked for AI agents .* Create another integration/) },
    ]);
  });

  it('GA-29: lists two services and the marked client in its readiness, and says what nobody has tried', async () => {
    const gateway = await withAgentic();
    const { body } = await gateway.call('GET', '/integrations/agents/readiness');
    const steps = member(body, 'data', 'steps') as { id: string; what: string; needed: boolean }[];
    expect(steps.slice(0, 2).map(({ id, needed }) => [id, needed])).toEqual([
      ['enable_services', true],
      ['marked_client', true],
    ]);
    expect(steps[0]?.what).toContain('calendar-json.googleapis.com');
    expect(steps[0]?.what).toContain('calendarmcp.googleapis.com');
    expect(steps[1]?.what).toContain(CREDENTIALS.client_id);
    expect(member(body, 'data', 'agents')).toEqual({
      seen: [],
      untried: expect.arrayContaining([expect.stringContaining('real MCP servers')]),
    });
  });
});
