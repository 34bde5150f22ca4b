// @module-tag long
/** What assistants write by tools of Google's own MCP servers: in the journal of their key, and undone by the same tools. */
import { beforeAll, describe, expect, test } from 'vitest';
import { control, forgetRequests, ownerOf, requests } from '../../support/simulator.ts';
import { useTestGateway } from '../../support/use-gateway.ts';
import { approvalTools } from '../approvals/support.ts';
import { ANN, CALENDAR_AGENTS, CALENDAR_SERVER, googleAgents } from './google-agents.ts';

const DRIVE_AGENTS = 'drive-agents';
const EVENT = {
  summary: 'Plan',
  description: 'First words',
  startTime: '2026-12-01T09:00:00Z',
  endTime: '2026-12-01T10:00:00Z',
};
const SERVER = 'calendarmcp.googleapis.com';

const gateway = useTestGateway({ rules: true, fresh: true });
const { connect, assistant } = googleAgents(gateway);
const { approve, statusOf } = approvalTools(gateway);
let connectionId: string;

beforeAll(async () => {
  connectionId = await connect();
  await connect('google-drive', DRIVE_AGENTS, ['drive.file']);
});

const limits = (more: object = {}) => ({
  limits: {
    mode: 'enforce',
    allow: ['calendar:read', 'calendar:write', 'calendar:delete', 'drive:read', 'drive:write'],
    approve: ['share'],
    ...more,
  },
});

type Json = ReturnType<typeof Object>;
type Assistant = Awaited<ReturnType<typeof assistant>>;

const of = () => ({ provider_config_key: CALENDAR_AGENTS, connection_id: connectionId });
/** Rows of the connection, newest first. @param objectId only those of an event */
const journal = async (objectId?: string): Promise<Json[]> => {
  const query = new URLSearchParams({ ...of(), ...(objectId === undefined ? {} : { object_id: objectId }) });
  return (await gateway.json('GET', `/journal?${query}`)).body.data;
};
/** Undoes one write of the journal. */
async function undo(writeId: string, more: object = {}): Promise<Json> {
  const { status, body } = await gateway.json('POST', '/undo', { ...of(), write_id: writeId, ...more });
  expect(status, JSON.stringify(body)).toBe(200);
  return body.data;
}
async function made({ call }: Assistant, more: object = {}): Promise<Json> {
  const { structuredContent, isError } = await call('create_event', { ...EVENT, ...more });
  expect(isError).toBeUndefined();
  return structuredContent;
}
/** An event with Ann as a guest, made without the gateway. */
const invited = async (more: object = {}) =>
  (await ownerOf(gateway))('POST', '/calendar/v3/calendars/primary/events', {
    summary: 'Plan',
    start: { dateTime: EVENT.startTime, timeZone: 'UTC' },
    end: { dateTime: EVENT.endTime, timeZone: 'UTC' },
    attendees: [{ email: ANN, self: true, responseStatus: 'tentative' }],
    ...more,
  });
const shown = async ({ call }: Assistant, eventId: string): Promise<Json> =>
  (await call('get_event', { eventId })).structuredContent;
const changed = async (agent: Assistant, eventId: string, args: object): Promise<void> => {
  const result = await agent.call('update_event', { eventId, ...args });
  expect(result.isError, JSON.stringify(result)).toBeUndefined();
};
const sentTools = async () =>
  (await requests(gateway))
    .filter(({ target }) => target.startsWith(CALENDAR_SERVER))
    .map(({ target, headers }) => [
      target.replace(CALENDAR_SERVER, ''),
      new Map<string, string>(headers).get('mcp-name'),
    ]);

describe('what assistants write by tools of Google’s MCP servers', () => {
  test('GA-26: what assistants write by tools of Google’s MCP servers is in the journal with the tool and the event, and a created event is deleted without mails', async () => {
    const agent = await assistant(limits());
    const { id } = await made(agent);
    const [row] = await journal(id);
    expect(row).toMatchObject({
      method: 'tools/create_event',
      object: { kind: 'calendar.event', ids: ['primary', id] },
      outcome: 'done',
      not_undoable: null,
    });
    expect((await undo(row.id, { dry_run: true })).undone).toHaveLength(1);
    expect((await shown(agent, id)).status).toBe('confirmed');
    await forgetRequests(gateway);
    expect((await undo(row.id)).undone).toHaveLength(1);
    expect(await sentTools()).toEqual([
      ['/mcp/v1self', 'get_event'],
      ['/mcp/v1', 'delete_event'],
      ['/mcp/v1self', 'get_event'],
    ]);
    expect((await shown(agent, id)).status).toBe('cancelled');
    const rows = await journal(id);
    expect(rows.map(({ method, undoes }) => [method, undoes])).toEqual([
      ['tools/delete_event', row.id],
      ['tools/create_event', null],
    ]);
    await forgetRequests(gateway);
    expect(await undo(row.id)).toMatchObject({ undone: [], conflicts: [], not_undoable: [] });
    expect(await sentTools()).toEqual([]);
  });

  test('GA-26: a changed event gets its former words back, newest first, and nothing else', async () => {
    const agent = await assistant(limits());
    const before = await made(agent);
    await changed(agent, before.id, { summary: 'Other' });
    await changed(agent, before.id, { description: 'More words' });
    const [described, renamed] = await journal(before.id);
    expect((await undo(described.id)).undone).toHaveLength(1);
    expect(await shown(agent, before.id)).toMatchObject({ summary: 'Other', description: 'First words' });
    expect((await undo(renamed.id)).undone).toHaveLength(1);
    expect(await shown(agent, before.id)).toMatchObject({ summary: 'Plan', description: 'First words' });
  });

  test('GA-26: what somebody else has changed since is a conflict, and stays', async () => {
    const agent = await assistant(limits());
    const person = await assistant(limits());
    const { id } = await made(agent);
    await changed(agent, id, { summary: 'Agent' });
    const [renamed, created] = await journal(id);
    await changed(person, id, { summary: 'Person' });
    expect((await undo(renamed.id)).conflicts).toMatchObject([{ now: { exists: true, differs: ['summary'] } }]);
    expect((await undo(created.id)).conflicts).toHaveLength(1);
    expect(await shown(agent, id)).toMatchObject({ status: 'confirmed', summary: 'Person' });
  });

  test.each([
    ['a deleted event', 'delete_event', {}],
    ['guests', 'update_event', { attendeeEmails: [ANN] }],
    ['words that were not there', 'update_event', { location: 'Room 1' }],
  ])(
    'GA-26: %s cannot be brought back exactly, which the journal says, and an undo changes nothing',
    async (_, tool, args) => {
      const agent = await assistant(limits());
      const { id } = await made(agent);
      expect((await agent.call(tool, { eventId: id, ...args })).isError).toBeUndefined();
      const [row] = await journal(id);
      expect(row).toMatchObject({ method: `tools/${tool}`, outcome: 'done', not_undoable: 'no_tool' });
      await forgetRequests(gateway);
      expect((await undo(row.id)).not_undoable).toMatchObject([{ reason: 'no_tool' }]);
      expect(await sentTools()).toEqual([]);
    },
  );

  test('GA-26: a created file is in the journal by its id, and cannot be undone without a tool for the trash', async () => {
    const agent = await assistant(limits());
    const created = await agent.callTool('drive_google_create_file', { title: 'Notes' });
    expect(created.isError, JSON.stringify(created)).toBeUndefined();
    const found = await gateway.json('GET', `/journal?object_id=${created.structuredContent.id}`);
    const [row] = found.body.data;
    expect(row).toMatchObject({
      method: 'tools/create_file',
      object: { kind: 'drive.file', ids: [created.structuredContent.id] },
      not_undoable: 'no_tool',
    });
  });

  test('GA-26: an undo answers no form of Google’s, and says that Google asks', async () => {
    const agent = await assistant(limits());
    const { id } = await made(agent);
    const [row] = await journal(id);
    await control(gateway, 'POST', '/mcp', { approvals: { account: ANN, policy: 'changes' } });
    expect((await undo(row.id)).not_undoable).toMatchObject([{ reason: 'provider_asks' }]);
    await control(gateway, 'POST', '/mcp', { approvals: { account: ANN, policy: 'none' } });
    expect((await shown(agent, id)).status).toBe('confirmed');
    expect((await undo(row.id)).undone).toHaveLength(1);
  });

  test('GA-22, GA-26: an undo calls no tool that has changed until it is accepted', async () => {
    const agent = await assistant(limits());
    const { id } = await made(agent);
    const [row] = await journal(id);
    const tool = { server: SERVER, name: 'delete_event' };
    await control(gateway, 'POST', '/mcp', { tools: [{ ...tool, description: 'Deletes everything.' }] });
    await gateway.json('POST', '/agent-tools/fetch');
    expect((await undo(row.id, { dry_run: true })).not_undoable).toMatchObject([{ reason: 'no_tool' }]);
    expect((await undo(row.id)).not_undoable).toMatchObject([{ reason: 'no_tool' }]);
    const strict = await assistant(limits({ journal: 'required' }));
    const refused = await strict.call('create_event', EVENT);
    expect(refused).toMatchObject({ isError: true, structuredContent: { code: 'not_undoable' } });
    await control(gateway, 'POST', '/mcp', { tools: [{ ...tool, description: 'Deletes an event.' }] });
    await gateway.json('POST', '/agent-tools/fetch');
    expect((await undo(row.id)).undone).toHaveLength(1);
  });

  test('GA-26: a key whose journal is required makes only writes that tools bring back, and sends no others', async () => {
    const agent = await assistant(limits({ journal: 'required' }));
    const { id } = await made(agent);
    await changed(agent, id, { summary: 'Other' });
    await forgetRequests(gateway);
    const refused = [
      await agent.call('delete_event', { eventId: id }),
      await agent.call('update_event', { eventId: id, attendeeEmails: [ANN] }),
      await agent.call('update_event', { eventId: id, location: 'Room 1' }),
      await agent.call('create_event', { ...EVENT, recurrenceData: ['RRULE:FREQ=DAILY'] }),
      await agent.callTool('drive_google_create_file', { title: 'Notes' }),
    ];
    for (const result of refused) {
      expect(result).toMatchObject({ isError: true, structuredContent: { code: 'not_undoable' } });
    }
    const sent = (await sentTools()).map(([, tool]) => tool);
    expect(sent.filter((tool) => tool !== 'get_event')).toEqual([]);
    const [renamed, created] = await journal(id);
    expect((await undo(renamed.id)).undone).toHaveLength(1);
    expect((await undo(created.id)).undone).toHaveLength(1);
  });

  test.each([
    ['makes whole days of times', 'update_event', { startTime: '2026-12-01', endTime: '2026-12-02' }, 'startTime'],
    ['has allDay for an event with times', 'update_event', { allDay: true }, 'allDay'],
    ['writes what was empty', 'update_event', { summary: 'Other', location: 'Room 1' }, 'location'],
    ['has an argument that is not known', 'update_event', { attendees: [] }, 'attendees'],
    ['responds with one that is not known', 'respond_to_event', { responseStatus: 'accepted', note: '' }, 'note'],
    ['creates with one that is not known', 'create_event', { ...EVENT, recurrence: [] }, 'recurrence'],
  ])('GA-26: a call that %s is refused before it is sent, with its argument', async (_, tool, args, argument) => {
    const agent = await assistant(limits({ journal: 'required' }));
    const { id } = await invited();
    await forgetRequests(gateway);
    const refused = await agent.call(tool, tool === 'create_event' ? args : { eventId: id, ...args });
    const { code, message } = Object(refused.structuredContent);
    expect([code, message]).toEqual(['not_undoable', expect.stringContaining(`argument "${argument}" could not be`)]);
    const sent = (await sentTools()).map(([, name]) => name);
    expect(sent.filter((name) => name !== 'get_event')).toEqual([]);
  });

  test('GA-26: a call whose way back needs a value that the accepted tool lacks is refused before it is sent', async () => {
    const agent = await assistant(limits({ journal: 'required' }));
    // The schema of the tool has no "confidential".
    const { id } = await invited({ visibility: 'confidential' });
    const refused = await agent.call('update_event', { eventId: id, visibility: 'private' });
    expect(refused).toMatchObject({ isError: true, structuredContent: { code: 'not_undoable' } });
    expect((await shown(agent, id)).visibility).toBe('confidential');
    await changed(agent, id, { summary: 'Other' });
  });

  test('GA-26: a key whose journal is required moves whole days, and gets them back', async () => {
    const agent = await assistant(limits({ journal: 'required' }));
    const { id } = await made(agent, { startTime: '2026-12-01', endTime: '2026-12-02', allDay: true });
    await changed(agent, id, { startTime: '2026-12-03', endTime: '2026-12-04', allDay: true });
    const [moved] = await journal(id);
    expect((await undo(moved.id)).undone).toHaveLength(1);
    expect(await shown(agent, id)).toMatchObject({ start: { date: '2026-12-01' }, end: { date: '2026-12-02' } });
  });

  test('GA-24, GA-26: a call that a person has approved is in the journal too, also where it cannot be undone', async () => {
    const agent = await assistant(limits({ journal: 'required', approve: ['delete'] }));
    const { id } = await made(agent);
    const held = await agent.call('delete_event', { eventId: id });
    const approvalId: string = held.structuredContent.approval_id;
    expect((await journal(id)).map(({ method }) => method)).toEqual(['tools/create_event']);
    await approve(approvalId);
    await expect.poll(() => statusOf(approvalId)).toBe('done');
    expect((await journal(id))[0]).toMatchObject({
      method: 'tools/delete_event',
      outcome: 'done',
      not_undoable: 'no_tool',
    });
  });

  test('GA-26: a call that Google’s tool refuses leaves a row that says so', async () => {
    const agent = await assistant(limits());
    const { id } = await made(agent);
    expect((await agent.call('respond_to_event', { eventId: id, responseStatus: 'accepted' })).isError).toBe(true);
    expect((await journal())[0]).toMatchObject({ method: 'tools/respond_to_event', outcome: 'refused' });
  });
});
