/** Approvals that Google's simulated MCP servers ask of users, the requests of a day, and tools that change. */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { mcpMessage } from '../../../support/mcp-client.ts';
import { OFFICIAL_MODES } from '../../../support/official-mcp-client.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';
import { control, open, signIn, type User } from '../harness.ts';
import { AGENT, FIRST, SECOND } from '../names.ts';
import { record, records, text } from '../values.ts';
import { connect, endpointOf, openAgent, post, refusedCall, SCOPES, scopeList } from './world.ts';

const EVENT = { summary: 'Asked', startTime: '2027-03-02T09:00:00Z', endTime: '2027-03-02T10:00:00Z' };
const DRIVE_HOST = 'drivemcp.googleapis.com';

const setMcp = ({ simulator }: Pick<User, 'simulator'>, body: unknown) => control(simulator, 'POST', 'mcp', body);
const ask = (user: User, policy: string, account = FIRST) => setMcp(user, { approvals: { account, policy } });

/** What an official client answers to each form, and the forms that it saw. */
function person(decision: unknown) {
  const forms: unknown[] = [];
  const answer = (form: unknown) => {
    forms.push(form);
    return decision;
  };
  return { forms, answer };
}

const ALLOW = { action: 'accept', content: { decision: 'allow' } };

test('GA-27: a change waits for the user’s approval in a form, runs once it is allowed, and reads are not asked about', async () => {
  const user = await openAgent();
  await ask(user, 'changes');
  const { forms, answer } = person(ALLOW);
  const calendar = await connect(user, 'calendar', { answer });
  expect((await calendar.call('list_events', {})).events).toEqual(expect.any(Array));
  expect(forms).toEqual([]);
  expect(await calendar.call('create_event', EVENT)).toMatchObject({ summary: 'Asked' });
  expect(forms).toMatchObject([
    { mode: 'form', message: expect.stringContaining('create_event'), requestedSchema: { required: ['decision'] } },
  ]);
});

test.for([
  ['denies it in the form', { action: 'accept', content: { decision: 'deny' } }],
  ['declines the form', { action: 'decline' }],
  ['closes the form', { action: 'cancel' }],
] as const)('GA-27: a call does not run where the user %s', async ([, decision]) => {
  const user = await openAgent();
  await ask(user, 'changes');
  const calendar = await connect(user, 'calendar', { answer: person(decision).answer });
  expect(await calendar.problem('create_event', EVENT)).toBe('The user did not approve this call.');
  const found = await calendar.call('search_events', { query: EVENT.summary });
  expect(found.events).toEqual([]);
});

test('GA-27: a policy of all asks about reads too, for its user alone', async () => {
  const user = await openAgent();
  await ask(user, 'all');
  const { forms, answer } = person(ALLOW);
  await (await connect(user, 'drive', { answer })).call('list_recent_files');
  expect(forms).toHaveLength(1);
  const other = await signIn(user.simulator, {
    account: SECOND,
    clientId: AGENT.clientId,
    scope: scopeList(SCOPES.drive),
  });
  await (await connect(other, 'drive', { answer })).call('list_recent_files');
  expect(forms).toHaveLength(1);
  await ask(user, 'none');
  await (await connect(user, 'drive', { answer })).call('list_recent_files');
  expect(forms).toHaveLength(1);
});

/** The first call of an approval, and a way to send the second. */
async function asked(user: User) {
  const address = endpointOf(user, 'calendar');
  const send = async (params: Record<string, unknown>, token = user.accessToken) => {
    const { headers, body } = mcpMessage('modern', 'tools/call', params, { elicitation: { form: {} } });
    const answer = await fetch(address, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers, authorization: `Bearer ${token}` },
      body: JSON.stringify(body),
    });
    return record(await answer.json());
  };
  const result = record((await send({ name: 'create_event', arguments: EVENT })).result);
  expect(result.resultType).toBe('input_required');
  const [question = ''] = Object.keys(record(result.inputRequests));
  const approved = { requestState: result.requestState, inputResponses: { [question]: ALLOW } };
  return { send, approved };
}

test('GA-27: an approval counts for its user, client, tool and arguments alone, and for ten minutes', async () => {
  const user = await openAgent();
  await ask(user, 'changes');
  await ask(user, 'changes', SECOND);
  const { send, approved } = await asked(user);
  const refused = { error: { code: -32_602, message: 'requestState belongs to another call or has ended' } };
  expect(await send({ name: 'create_event', arguments: { ...EVENT, summary: 'Other' }, ...approved })).toMatchObject(
    refused,
  );
  expect(await send({ name: 'update_event', arguments: EVENT, ...approved })).toMatchObject(refused);
  const scope = scopeList(SCOPES.calendar);
  const other = await signIn(user.simulator, { account: SECOND, clientId: AGENT.clientId, scope });
  expect(await send({ name: 'create_event', arguments: EVENT, ...approved }, other.accessToken)).toMatchObject(refused);
  const forged = { ...approved, requestState: `9999999999999.${text(approved.requestState).split('.')[1]}` };
  expect(await send({ name: 'create_event', arguments: EVENT, ...forged })).toMatchObject(refused);
  expect(await send({ name: 'create_event', arguments: EVENT, ...approved })).toMatchObject({
    result: { resultType: 'complete', structuredContent: { summary: 'Asked' } },
  });
  await control(user.simulator, 'POST', 'clock', { offsetSec: 601 });
  expect(await send({ name: 'create_event', arguments: EVENT, ...approved })).toMatchObject(refused);
});

test('GA-27: clients that cannot show forms are refused: those of 2025 by a result, those of 2026 by the missing capability', async () => {
  const user = await openAgent();
  await ask(user, 'changes');
  const legacy = await connect(user, 'calendar', { mode: 'legacy', answer: person(ALLOW).answer });
  expect(await legacy.problem('create_event', EVENT)).toContain('needs an approval');
  const modern = await post(endpointOf(user, 'calendar'), user.accessToken, 'tools/call', {
    name: 'create_event',
    arguments: EVENT,
  });
  expect(modern.status).toBe(400);
  expect(await modern.json()).toMatchObject({
    error: { code: -32_021, data: { requiredCapabilities: { elicitation: { form: {} } } } },
  });
});

test.for(OFFICIAL_MODES)(
  'GA-27: /mcp/v1self has fewer tools and asks nothing, for a client in mode %s',
  async ([, mode]) => {
    const user = await openAgent();
    await ask(user, 'all');
    const calendar = await connect(user, 'calendar', { mode, self: true });
    const reading = ['list_calendars', 'list_events', 'get_event', 'search_events', 'suggest_time'];
    expect(await calendar.names()).toEqual(reading);
    await calendar.call('list_calendars');
    await expect(calendar.client.callTool({ name: 'create_event', arguments: EVENT })).rejects.toThrow('not found');
  },
);

test('GA-27: a Cloud project has 5,000 requests a Pacific day for each server, of which some tools take two', async () => {
  const user = await openAgent();
  expect(await control(user.simulator, 'GET', 'mcp')).toMatchObject({ requestsPerDay: 5_000, used: [] });
  // 23:30 in Pacific Standard Time.
  await control(user.simulator, 'POST', 'clock', { now: '2027-01-11T07:30:00Z' });
  const late = await signIn(user.simulator, { clientId: AGENT.clientId, scope: scopeList(SCOPES.drive) });
  await setMcp(user, { requestsPerDay: 3 });
  const drive = await connect(late, 'drive');
  await drive.call('search_files', {});
  await drive.call('list_recent_files');
  expect(await control(user.simulator, 'GET', 'mcp')).toMatchObject({
    today: '2027-01-10',
    used: [{ project: '123456789012', service: DRIVE_HOST, requests: 3 }],
  });
  const refusal = await refusedCall(endpointOf(late, 'drive'), late.accessToken, 'list_recent_files');
  expect(refusal).toMatchObject({
    status: 429,
    reason: 'RATE_LIMIT_EXCEEDED',
    metadata: { service: DRIVE_HOST, consumer: 'projects/123456789012', quota_limit_value: '3' },
  });
  await control(user.simulator, 'POST', 'clock', { now: '2027-01-11T08:00:00Z' });
  await drive.call('list_recent_files');
});

test('GA-27: the day is shared by the clients of a project and no other, and Calendar has its own', async () => {
  const [sibling, foreign] = ['123456789012-second-agent', '999-agent'].map((name) => ({
    ...AGENT,
    clientId: `${name}.apps.googleusercontent.com`,
  }));
  const { simulator } = await open({ clients: [AGENT, sibling ?? AGENT, foreign ?? AGENT] });
  const scope = scopeList([...SCOPES.drive, ...SCOPES.calendar]);
  const of = (clientId = '') => signIn(simulator, { clientId, scope });
  const [first, second, third] = [await of(AGENT.clientId), await of(sibling?.clientId), await of(foreign?.clientId)];
  await setMcp(first, { requestsPerDay: 1 });
  await (await connect(first, 'drive')).call('list_recent_files');
  expect(await refusedCall(endpointOf(second, 'drive'), second.accessToken, 'list_recent_files')).toMatchObject({
    status: 429,
  });
  await (await connect(second, 'calendar')).call('list_calendars');
  await (await connect(third, 'drive')).call('list_recent_files');
});

test('GA-27: a control request changes descriptions and costs, hides tools, and adds known and unknown ones', async () => {
  const user = await openAgent();
  const change = (tool: Record<string, unknown>) => setMcp(user, { tools: [{ server: DRIVE_HOST, ...tool }] });
  await change({ name: 'copy_file', offered: false });
  await change({ name: 'search_files', description: 'Another text.' });
  await change({ name: 'search_files', requests: 7 });
  await change({ name: 'trash_file', offered: true });
  await change({ name: 'summarize_drive', description: 'Sums up.', answer: { summary: 'Much.' } });
  const drive = await connect(user, 'drive');
  const { tools } = await drive.client.listTools();
  const names = tools.map(({ name }) => name);
  expect(names).toContain('trash_file');
  expect(names).not.toContain('copy_file');
  expect(tools.find(({ name }) => name === 'search_files')?.description).toBe('Another text.');
  expect(await drive.call('summarize_drive')).toEqual({ summary: 'Much.' });
  const file = await drive.call('create_file', { title: 'Trash me' });
  await drive.call('trash_file', { fileId: file.id });
  expect(await user.json(`/drive/v3/files/${text(file.id)}?fields=trashed`)).toEqual({ trashed: true });
  const { servers } = await control(user.simulator, 'GET', 'mcp');
  expect(records(records(servers)[0]?.tools)).toContainEqual({ name: 'search_files', requests: 7, self: true });
  await control(user.simulator, 'POST', 'reset', {});
  // The client keeps a list as long as the server lets it.
  expect(await (await connect(user, 'drive')).names()).toContain('copy_file');
});

test('GA-27: a tool that updates files, once it is offered, changes title and content', async () => {
  const user = await openAgent();
  await setMcp(user, { tools: [{ server: DRIVE_HOST, name: 'update_file', offered: true }] });
  const drive = await connect(user, 'drive');
  const content = (words: string) => Buffer.from(words).toString('base64');
  const first = {
    title: 'Draft',
    mimeType: 'text/plain',
    disableConversionToGoogleType: true,
    content: content('one'),
  };
  const { id: fileId } = await drive.call('create_file', first);
  await drive.call('update_file', { fileId, title: 'Final', mimeType: 'text/plain', content: content('two') });
  expect(await drive.call('get_file_metadata', { fileId })).toMatchObject({ title: 'Final' });
  expect(await drive.call('read_file_content', { fileId })).toEqual({ fileContent: 'two' });
});

test('GA-27: marks, services, approvals, the day and changed tools are kept over a restart and go with a snapshot', async () => {
  const statePath = join(temporaryFolder(), 'state.json');
  const user = await open({ clients: [AGENT], statePath, scope: scopeList(SCOPES.drive) });
  await ask(user, 'all');
  await setMcp(user, { requestsPerDay: 9, tools: [{ server: DRIVE_HOST, name: 'copy_file', offered: false }] });
  await control(user.simulator, 'POST', 'services', { project: '1', disable: ['drive.googleapis.com'] });
  await (await connect(user, 'drive', { self: true })).call('search_files', {});
  const kept = await control(user.simulator, 'GET', 'mcp');
  expect(kept).toMatchObject({ requestsPerDay: 9, used: [{ requests: 2 }], agenticClients: [AGENT.clientId] });
  await user.simulator.close();
  const restarted = await open({ clients: [], statePath });
  expect(await control(restarted.simulator, 'GET', 'mcp')).toEqual(kept);
  const { snapshot } = await control(restarted.simulator, 'POST', 'snapshot', {});
  await setMcp(restarted, { requestsPerDay: 10 });
  await control(restarted.simulator, 'POST', 'restore', { snapshot });
  expect(await control(restarted.simulator, 'GET', 'mcp')).toEqual(kept);
});
