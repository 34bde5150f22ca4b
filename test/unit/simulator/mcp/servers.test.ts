/** What Google's simulated MCP servers offer and refuse, in both generations of the protocol. */
import { expect, test } from 'vitest';
import { OFFICIAL_MODES } from '../../../support/official-mcp-client.ts';
import { control, open, signIn } from '../harness.ts';
import { AGENT, CLIENT, FIRST, SIBLING } from '../names.ts';
import { record } from '../values.ts';
import { connect, endpointOf, openAgent, post, refusedCall, SCOPES, scopeList } from './world.ts';

const DRIVE_NAMES = [
  ...['search_files', 'list_recent_files', 'get_file_metadata', 'get_file_permissions', 'read_file_content'],
  ...['download_file_content', 'create_file', 'copy_file'],
];
const CALENDAR_NAMES = [
  ...['list_calendars', 'list_events', 'get_event', 'search_events', 'suggest_time', 'create_event', 'update_event'],
  ...['delete_event', 'respond_to_event'],
];

test.for(OFFICIAL_MODES)(
  'GA-27: an official client in mode %s lists the tools of both servers without a credential',
  async ([, mode]) => {
    const user = await openAgent();
    const drive = await connect(user, 'drive', { mode, token: undefined });
    const calendar = await connect(user, 'calendar', { mode, token: undefined });
    expect(drive.client.getServerVersion()?.name).toBe('drivemcp.googleapis.com');
    expect(await drive.names()).toEqual(DRIVE_NAMES);
    expect(await calendar.names()).toEqual(CALENDAR_NAMES);
  },
);

test.for(OFFICIAL_MODES)('GA-27: an official client in mode %s creates, finds and reads a file', async ([, mode]) => {
  const drive = await connect(await openAgent(), 'drive', { mode });
  const content = Buffer.from('written by an agent').toString('base64');
  const file = await drive.call('create_file', {
    ...{ title: 'Agent notes', mimeType: 'text/plain', content },
    disableConversionToGoogleType: true,
  });
  expect(file).toMatchObject({ title: 'Agent notes', mimeType: 'text/plain', owner: FIRST });
  const found = await drive.call('search_files', { query: "title = 'Agent notes'" });
  expect(found.files).toMatchObject([{ id: file.id }]);
  expect(await drive.call('read_file_content', { fileId: file.id })).toEqual({ fileContent: 'written by an agent' });
});

test('GA-27: tools of Drive convert, download, copy and show who may open a file', async () => {
  const drive = await connect(await openAgent(), 'drive');
  const content = Buffer.from('a\nb').toString('base64');
  const document = await drive.call('create_file', { title: 'Text', mimeType: 'text/plain', content });
  expect(document.mimeType).toBe('application/vnd.google-apps.document');
  expect(await drive.call('read_file_content', { fileId: document.id })).toMatchObject({
    fileContent: expect.stringContaining('a'),
  });
  expect(await drive.problem('download_file_content', { fileId: document.id })).toContain('exportMimeType');
  const pdf = await drive.call('download_file_content', { fileId: document.id, exportMimeType: 'application/pdf' });
  expect(Buffer.from(String(pdf.content), 'base64').subarray(0, 4).toString()).toBe('%PDF');
  const copy = await drive.call('copy_file', { fileId: document.id, title: 'Copy' });
  expect(await drive.call('get_file_metadata', { fileId: copy.id })).toMatchObject({ title: 'Copy', owner: FIRST });
  const { permissions } = await drive.call('get_file_permissions', { fileId: copy.id });
  expect(permissions).toMatchObject([{ role: 'owner', emailAddress: FIRST }]);
  const recent = await drive.call('list_recent_files', { pageSize: 2 });
  expect(recent.files).toHaveLength(2);
  expect(recent.nextPageToken).toEqual(expect.any(String));
});

test('GA-27: tools of Calendar create, find, change, answer and delete an event that the REST API sees as well', async () => {
  const user = await openAgent();
  const calendar = await connect(user, 'calendar');
  const { calendars } = await calendar.call('list_calendars');
  expect(calendars).toContainEqual(expect.objectContaining({ id: FIRST, primary: true }));
  const [startTime, endTime] = ['2027-03-02T09:00:00Z', '2027-03-02T10:00:00Z'];
  const event = await calendar.call('create_event', { summary: 'Agent planning', startTime, endTime });
  const eventId = event.id;
  const found = await calendar.call('search_events', { query: 'Agent planning' });
  expect(found.events).toMatchObject([{ id: eventId }]);
  await calendar.call('update_event', { eventId, location: 'Room 4', attendeeEmails: [FIRST] });
  const answered = await calendar.call('respond_to_event', { eventId, responseStatus: 'accepted' });
  expect(answered).toMatchObject({ location: 'Room 4', attendees: [{ email: FIRST, responseStatus: 'accepted' }] });
  const day = { startTime: '2027-03-02T08:00:00Z', endTime: '2027-03-02T12:00:00Z' };
  const { timeSlots } = await calendar.call('suggest_time', { ...day, attendeeEmails: [FIRST], durationMinutes: 60 });
  expect(timeSlots).toMatchObject([
    { startTime: '2027-03-02T08:00:00.000Z' },
    { startTime: '2027-03-02T10:00:00.000Z' },
    {},
  ]);
  expect(await user.json(`/calendar/v3/calendars/primary/events/${String(eventId)}`)).toMatchObject({
    location: 'Room 4',
  });
  await calendar.call('delete_event', { eventId });
  expect((await calendar.call('list_events', day)).events).toEqual([]);
});

test('GA-27: each tool says what it takes and whether it only reads', async () => {
  const user = await openAgent();
  const tools = [];
  for (const product of ['drive', 'calendar'] as const) {
    tools.push(...(await (await connect(user, product)).client.listTools()).tools);
  }
  const reading = tools.filter(({ annotations }) => annotations?.readOnlyHint === true).map(({ name }) => name);
  const changing = ['create_file', 'copy_file', 'create_event', 'update_event', 'delete_event', 'respond_to_event'];
  expect(reading).toEqual([...DRIVE_NAMES, ...CALENDAR_NAMES].filter((name) => !changing.includes(name)));
  const remover = tools.find(({ name }) => name === 'delete_event');
  expect(remover).toMatchObject({ annotations: { destructiveHint: true }, inputSchema: { required: ['eventId'] } });
});

test('GA-27: arguments that a tool does not take, and what Drive says against a call, are results that a model reads', async () => {
  const drive = await connect(await openAgent(), 'drive');
  expect(await drive.problem('get_file_metadata')).toBe('Argument fileId is missing.');
  expect(await drive.problem('get_file_metadata', { fileId: 4 })).toBe('Argument fileId must be text.');
  expect(await drive.problem('get_file_metadata', { fileId: 'x', extra: true })).toBe('There is no argument extra.');
  expect(await drive.problem('get_file_metadata', { fileId: 'none' })).toContain('File not found');
});

test('GA-27: a call without a token is refused with 401, which names a document with the scopes of the tool', async () => {
  const user = await openAgent();
  const refusal = await refusedCall(endpointOf(user, 'calendar'), undefined, 'create_event');
  const base = `${user.simulator.endpoints.api_base_url}/calendarmcp.googleapis.com`;
  const document = `${base}/.well-known/oauth-protected-resource/create_event`;
  expect(refusal).toMatchObject({ status: 401, challenge: `Bearer resource_metadata="${document}"` });
  expect(await (await fetch(document)).json()).toEqual({
    resource: `${base}/mcp/v1`,
    authorization_servers: [`${user.simulator.endpoints.issuer}/`],
    scopes_supported: [scopeList(['calendar.events'])],
    bearer_methods_supported: ['header'],
  });
  expect((await fetch(`${document}s`)).status).toBe(404);
});

test('GA-27: a token that has ended is refused with 401, and one without the scopes of the tool with 401 that names them', async () => {
  const user = await openAgent(['calendar.events.readonly']);
  const address = endpointOf(user, 'calendar');
  const lacking = await refusedCall(address, user.accessToken, 'create_event');
  expect(lacking.status).toBe(401);
  expect(lacking.challenge).toContain(`error="insufficient_scope", scope="${scopeList(['calendar.events'])}"`);
  expect((await post(address, user.accessToken, 'tools/call', { name: 'list_events', arguments: {} })).status).toBe(
    200,
  );
  await control(user.simulator, 'POST', 'tokens/expire', { kind: 'access' });
  const ended = await refusedCall(address, user.accessToken, 'list_events');
  expect(ended.status).toBe(401);
  expect(ended.challenge).toContain('error="invalid_token"');
});

test('GA-27: tokens of an OAuth client that is not marked as an agent’s are refused', async () => {
  const user = await openAgent();
  const scope = scopeList(SCOPES.drive);
  const ordinary = await signIn(user.simulator, { clientId: CLIENT.clientId, scope });
  const refusal = await refusedCall(endpointOf(user, 'drive'), ordinary.accessToken, 'list_recent_files');
  expect(refusal).toMatchObject({ status: 403, message: expect.stringContaining('not marked') });
});

test('GA-27: the mark of an agent is fixed when a client is made', async () => {
  const { simulator } = await open({ clients: [AGENT] });
  const { agentic: _mark, ...unsaid } = AGENT;
  expect(() => simulator.upsertClient({ ...AGENT, agentic: false })).toThrow('cannot be changed');
  expect(() => simulator.upsertClient({ ...SIBLING, agentic: true })).not.toThrow();
  expect(() => simulator.upsertClient(unsaid)).not.toThrow();
  const user = await signIn(simulator, { clientId: AGENT.clientId, scope: scopeList(SCOPES.drive) });
  await (await connect(user, 'drive')).call('list_recent_files');
});

test('GA-27: a program that declares a client otherwise leaves its mark as it was made', async () => {
  const declared = { ...AGENT, publishingStatus: 'production', audience: 'external' } as const;
  const { simulator } = await open();
  simulator.declareClient({ ...declared, agentic: false });
  simulator.declareClient({ ...declared, clientSecret: 'another', agentic: true });
  const user = await signIn(simulator, { clientId: AGENT.clientId, scope: scopeList(SCOPES.drive) });
  expect(await refusedCall(endpointOf(user, 'drive'), user.accessToken, 'list_recent_files')).toMatchObject({
    status: 403,
  });
});

test.for(['drivemcp.googleapis.com', 'drive.googleapis.com'])(
  'GA-27: where %s is not enabled, a client connects and its first tool call is refused with 403',
  async (service) => {
    const user = await openAgent();
    await control(user.simulator, 'POST', 'services', { clientId: AGENT.clientId, disable: [service] });
    expect(await (await connect(user, 'drive')).names()).toEqual(DRIVE_NAMES);
    const refusal = await refusedCall(endpointOf(user, 'drive'), user.accessToken, 'list_recent_files');
    expect(refusal).toMatchObject({ status: 403, reason: 'SERVICE_DISABLED', metadata: { service } });
    expect(refusal.message).toContain(`${service} has not been used in project 123456789012 before or it is disabled`);
    await control(user.simulator, 'POST', 'services', { project: '123456789012', enable: [service] });
    await (await connect(user, 'drive')).call('list_recent_files');
  },
);

test('GA-27: a REST API that is not enabled is refused as well, with accessNotConfigured', async () => {
  const user = await openAgent();
  await control(user.simulator, 'POST', 'services', {
    clientId: AGENT.clientId,
    disable: ['calendar-json.googleapis.com'],
  });
  expect(await user.refusal('/calendar/v3/calendars/primary/events')).toBe('403 accessNotConfigured');
  expect(await user.status('/drive/v3/files')).toBe(200);
});

test('GA-27: messages are judged by the rules of their version', async () => {
  const user = await openAgent();
  const address = endpointOf(user, 'drive');
  const legacy = await post(address, undefined, 'initialize', { protocolVersion: '2025-11-25' }, 'legacy');
  expect(record(record(await legacy.json()).result)).toMatchObject({ protocolVersion: '2025-11-25' });
  const init = { method: 'POST', headers: { 'content-type': 'application/json' } };
  expect(
    (await fetch(address, { ...init, body: '{"jsonrpc":"2.0","method":"notifications/initialized"}' })).status,
  ).toBe(202);
  expect((await fetch(address)).status).toBe(405);
  const unequal = await fetch(address, {
    ...init,
    headers: { ...init.headers, 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call' },
    body: JSON.stringify({
      ...{ jsonrpc: '2.0', id: 1, method: 'tools/list' },
      params: {
        _meta: {
          'io.modelcontextprotocol/protocolVersion': '2026-07-28',
          'io.modelcontextprotocol/clientCapabilities': {},
        },
      },
    }),
  });
  expect(unequal.status).toBe(400);
  expect(await unequal.json()).toMatchObject({ error: { code: -32_020 } });
  const unknown = await post(address, user.accessToken, 'tools/call', { name: 'drop_drive', arguments: {} });
  expect(await unknown.json()).toMatchObject({ error: { code: -32_602 } });
});
