/** What assistants can do with their keys, over HTTP on the local runtime. */
import { beforeAll, describe, expect, test } from 'vitest';
import { connectAccount, setScopes } from '../../support/connect.ts';
import { askMcp, assistant, type Era, mcpMessage } from '../../support/mcp-client.ts';
import { signIn } from '../../support/operator.ts';
import { ownerOf } from '../../support/simulator.ts';
import { useTestGateway } from '../../support/use-gateway.ts';

const gateway = useTestGateway();

const READING = [
  'drive_search_files',
  'drive_list_recent_files',
  'drive_get_file_metadata',
  'drive_read_file_content',
  'calendar_list_calendars',
  'calendar_list_events',
  'calendar_get_event',
  'calendar_find_free_time',
];
const WRITING = ['drive:read', 'drive:write', 'calendar:read', 'calendar:write'];

beforeAll(async () => {
  await setScopes(gateway, 'google-drive', ['drive']);
  await setScopes(gateway, 'google-calendar', ['calendar']);
  for (const integration of ['google-drive', 'google-calendar']) {
    await connectAccount(gateway, integration, undefined, { end_user: { id: 'writer' } });
  }
});

async function agentKey(settings: Record<string, unknown> = {}): Promise<string> {
  const made = await gateway.json('POST', '/account/agents', { name: 'A', end_user_id: 'writer', ...settings });
  if (made.status !== 201) throw new Error(JSON.stringify(made.body));
  return made.body.data.agent_key;
}

/** An assistant that may change files without asking anybody. */
const writer = async (era: Era) =>
  assistant(gateway, await agentKey({ limits: { mode: 'enforce', allow: WRITING, approve: ['share'] } }), era);

describe('tools', () => {
  test('MC-23: tools of a key that says nothing else read, and no more', async () => {
    const reader = assistant(gateway, await agentKey());
    expect(await reader.tools()).toEqual(READING);
    expect(await reader.call('drive_create_file', { name: 'x', kind: 'folder' })).toMatchObject({ code: -32602 });
    const { structuredContent } = await reader.call('calendar_list_events', { page_size: 3 });
    expect(structuredContent).toMatchObject({ time_zone: expect.any(String), next_page_token: expect.any(String) });
    const next = await reader.call('calendar_list_events', { page_token: structuredContent.next_page_token });
    expect(next.structuredContent.events[0].id).not.toBe(structuredContent.events[0].id);
    expect((await reader.call('calendar_list_calendars')).structuredContent.calendars.length).toBeGreaterThan(0);
  });

  test('MC-22: tools make, find, read, change and put away each kind of file', () => workOnFiles('modern'));
  test('MC-22: tools wait for a person for clients of earlier protocol versions, too', { tags: ['long'] }, () =>
    workOnFiles('legacy'),
  );

  async function workOnFiles(era: 'legacy' | 'modern'): Promise<void> {
    const { call } = await writer(era);
    const contents: Record<string, string> = {
      text: 'Größe 😀',
      markdown: '# One',
      document: 'A plan',
      sheet: 'a,b\n1,2',
    };
    for (const [kind, content] of Object.entries(contents)) {
      const name = `${kind} of ${era}`;
      const { structuredContent: made } = await call('drive_create_file', { name, kind, content });
      expect(made).toMatchObject({ name, version: expect.any(String) });
      const file_id = made.id;
      const found = await call('drive_search_files', { name });
      expect(found.structuredContent.files.map(({ id }: { id: string }) => id)).toContain(file_id);
      const read = async () => (await call('drive_read_file_content', { file_id })).content[1].text.trim();
      // The simulator makes the first line of a document its heading.
      expect(await read()).toContain(content);
      const { version } = (await call('drive_get_file_metadata', { file_id })).structuredContent;
      const unread = await call('drive_update_file_content', { file_id, content: 'x,y', expected_version: version });
      expect(unread).toMatchObject({ isError: true, structuredContent: { code: 'not_read' } });
      const change = { file_id, content: 'x,y', expected_version: made.expected_version };
      const changed = await call('drive_update_file_content', change);
      expect(changed).toMatchObject({ structuredContent: { id: file_id } });
      expect(await read()).toContain('x,y');
      // Twice is once too often: it is not at that version any more.
      const again = await call('drive_update_file_content', change);
      expect(again).toMatchObject({ isError: true, structuredContent: { code: 'conflict' } });
      // Its folder may have other readers, so a key that asks before sharing asks before a copy (AP-35).
      const copy = await call('drive_copy_file', { file_id, name: `copy of ${name}` });
      expect(copy.structuredContent.status).toBe('waiting_for_approval');
      expect((await call('drive_trash_file', { file_id })).structuredContent.trashed).toBe(true);
    }
  }

  test('MC-34: tools make an event once, change it only as it was read, and cannot delete it', async () => {
    const { call, tools } = await writer('modern');
    expect(await tools()).not.toContain('calendar_delete_event');
    const event = { summary: 'Plan', start: '2026-12-01T09:00', end: '2026-12-01T10:00', time_zone: 'Europe/Berlin' };
    const { structuredContent: made } = await call('calendar_create_event', event);
    expect(made.start.dateTime).toBe('2026-12-01T09:00:00+01:00');
    const again = await call('calendar_create_event', event);
    expect(again).toMatchObject({ isError: true, structuredContent: { code: 'conflict', status: 409 } });
    const change = { event_id: made.id, etag: made.etag, summary: 'Better plan' };
    expect((await call('calendar_update_event', change)).structuredContent.summary).toBe('Better plan');
    const late = await call('calendar_update_event', change);
    expect(late).toMatchObject({ isError: true, structuredContent: { code: 'conflict' } });
    expect(await call('calendar_delete_event', { event_id: made.id })).toMatchObject({ code: -32602 });
    expect((await call('calendar_get_event', { event_id: made.id })).structuredContent.status).toBe('confirmed');
  });

  test('MC-24: tools wait for a person before they replace, delete or invite, unless the key says otherwise', async () => {
    const { call } = assistant(gateway, await agentKey({ limits: { mode: 'enforce', allow: WRITING } }));
    const { structuredContent: made } = await call('drive_create_file', { name: 'kept', kind: 'text', content: 'old' });
    const change = { file_id: made.id, content: 'new', expected_version: made.expected_version };
    const waiting = await call('drive_update_file_content', change);
    expect(waiting).not.toHaveProperty('isError');
    expect(waiting.structuredContent).toMatchObject({
      status: 'waiting_for_approval',
      approval_id: expect.any(String),
      url: expect.stringContaining('/approve/'),
      expires_at: expect.any(String),
    });
    // Asked again, it is the same approval, and nothing has changed.
    const again = await call('drive_update_file_content', change);
    expect(again.structuredContent.approval_id).toBe(waiting.structuredContent.approval_id);
    expect((await call('drive_read_file_content', { file_id: made.id })).content[1].text).toBe('old');
    expect((await call('drive_trash_file', { file_id: made.id })).structuredContent.status).toBe(
      'waiting_for_approval',
    );
  });

  test('MC-21: tools are those that are named, and that scopes and limits leave', async () => {
    const named = assistant(gateway, await agentKey({ tools: ['calendar_get_event', 'drive_copy_file'] }));
    expect(await named.tools()).toEqual(['calendar_get_event']);
    // The seeded connections may read alone.
    const all = { mode: 'enforce', allow: [...WRITING, 'calendar:delete'] };
    const made = await gateway.json('POST', '/account/agents', { name: 'A', end_user_id: 'first-user', limits: all });
    expect(await assistant(gateway, made.body.data.agent_key).tools()).toEqual([...READING, 'gateway_approval_status']);
    const deleter = assistant(gateway, await agentKey({ limits: all }));
    expect(await deleter.tools()).toContain('calendar_delete_event');
    const drive = assistant(gateway, await agentKey({ integrations: ['google-drive'] }));
    expect(await drive.tools()).toEqual(READING.filter((name) => name.startsWith('drive')));
  });

  test('MC-34: tools return what is wrong, so an assistant can act on it', async () => {
    const { call } = await writer('modern');
    const failed = async (name: string, args: Record<string, unknown>) => {
      const result = await call(name, args);
      expect(result).toMatchObject({ isError: true, _meta: { untrusted: true } });
      return result.structuredContent;
    };
    expect(await failed('drive_get_file_metadata', { file_id: '../secret' })).toMatchObject({
      code: 'invalid_arguments',
    });
    expect(await failed('drive_get_file_metadata', {})).toEqual({
      code: 'invalid_arguments',
      message: 'file_id is required.',
    });
    expect(await failed('drive_get_file_metadata', { file_id: 'nothing' })).toMatchObject({
      code: 'not_found',
      status: 404,
      provider_message: expect.any(String),
    });
    expect(await failed('calendar_get_event', { event_id: 'nothing' })).toMatchObject({ code: 'not_found' });
  });

  test('MC-22: tools count for the limits of their key, and are refused by them', async () => {
    const limits = { mode: 'enforce', allow: ['drive:read'], day: { calls: 2 } };
    const { call } = assistant(gateway, await agentKey({ limits }));
    for (const _ of [1, 2])
      expect(await call('drive_list_recent_files', { page_size: 1 })).not.toHaveProperty('isError');
    expect(await call('drive_list_recent_files')).toMatchObject({
      isError: true,
      structuredContent: { code: 'budget_spent', limit: { name: 'day.calls', most: 2 } },
    });
  });

  test('MC-25: tools show nothing of another end user, whatever is asked for: by search, by ids that are known, in failures', async () => {
    const canary = `canary-${crypto.randomUUID()}`;
    const account = 'viewer@workspace.example';
    const connect = (integration: string) =>
      connectAccount(gateway, integration, { account }, { end_user: { id: 'neighbour' } });
    const [drive, calendar] = [await connect('google-drive'), await connect('google-calendar')];
    const json = { 'content-type': 'application/json' };
    const make = async (integration: string, connection: string, path: string, body: Record<string, unknown>) => {
      const init = { method: 'POST', headers: json, body: JSON.stringify(body) };
      const { id } = Object(await (await gateway.proxyAs(integration, connection, path, init)).json());
      return String(id);
    };
    const fileId = await make('google-drive', drive, '/drive/v3/files', { name: canary, description: canary });
    const day = { start: { date: '2026-12-01' }, end: { date: '2026-12-02' } };
    // The simulator's accounts share their first calendars with each other; this one is theirs alone.
    const calendar_id = await make('google-calendar', calendar, '/calendar/v3/calendars', { summary: canary });
    const place = `/calendar/v3/calendars/${encodeURIComponent(calendar_id)}/events`;
    const eventId = await make('google-calendar', calendar, place, { summary: canary, ...day });
    const theirs = await gateway.json('POST', '/account/agents', {
      ...{ name: canary, end_user_id: 'neighbour', limits: { mode: 'enforce', allow: WRITING } },
    });
    const neighbour = assistant(gateway, theirs.body.data.agent_key);
    expect(JSON.stringify(await neighbour.call('drive_get_file_metadata', { file_id: fileId }))).toContain(canary);
    const waiting = await neighbour.call('drive_trash_file', { file_id: fileId });
    const { approval_id } = waiting.structuredContent;

    const limits = { mode: 'enforce', allow: [...WRITING, 'calendar:delete'] };
    const { call, ask } = assistant(gateway, await agentKey({ limits }));
    const seen = [
      (await ask('tools/list')).body,
      await call('drive_search_files', { name: 'canary' }),
      await call('drive_search_files', { text: 'canary' }),
      await call('drive_search_files', { folder_id: fileId }),
      await call('drive_list_recent_files'),
      await call('drive_get_file_metadata', { file_id: fileId }),
      await call('drive_read_file_content', { file_id: fileId }),
      await call('drive_copy_file', { file_id: fileId }),
      await call('drive_update_file_content', { file_id: fileId, content: 'x', expected_version: '1' }),
      await call('drive_trash_file', { file_id: fileId }),
      await call('calendar_list_calendars'),
      await call('calendar_list_events', { calendar_id }),
      await call('calendar_list_events', {
        text: 'canary',
        time_min: '2026-11-01T00:00:00Z',
        time_max: '2026-12-31T00:00:00Z',
      }),
      await call('calendar_get_event', { calendar_id, event_id: eventId }),
      await call('calendar_update_event', { calendar_id, event_id: eventId, etag: '"1"', summary: 'x' }),
      await call('calendar_delete_event', { calendar_id, event_id: eventId }),
      await call('gateway_approval_status', { approval_id }),
    ];
    for (const [index, one] of seen.entries())
      expect([index, JSON.stringify(one).includes(canary)]).toEqual([index, false]);
    expect((await gateway.json('GET', `/approvals/${approval_id}`)).body.data.status).toBe('pending');
  });

  describe('whose calls wait', () => {
    let operator: string;
    beforeAll(async () => {
      operator = (await signIn(gateway.gateway)).accessToken;
    });
    const asking = async () => agentKey({ limits: { mode: 'enforce', allow: WRITING } });

    /** What an operator decides, and the run that follows it. */
    async function decide(id: string, decision: 'approve' | 'refuse') {
      const decided = await gateway.json('POST', `/approvals/${id}/decision`, { decision }, operator);
      expect(decided.status).toBe(200);
      const detail = { account_id: 'default', approval_id: id, outcome: 'approved' };
      if (decision === 'approve') await gateway.gateway.tick('approvals', { detail });
    }

    /** A file, and a call to trash it, as a client that says what it can show. */
    async function trashing(key: string, capabilities: Record<string, unknown>) {
      const { structuredContent: made } = await assistant(gateway, key).call('drive_create_file', {
        ...{ name: `trash ${crypto.randomUUID()}`, kind: 'text', content: 'x' },
      });
      const args = { file_id: made.id };
      const ask = async (more: Record<string, unknown> = {}) => {
        const params = { name: 'drive_trash_file', arguments: args, ...more };
        return (await askMcp(gateway, key, mcpMessage('modern', 'tools/call', params, capabilities))).body.result;
      };
      const isTrashed = async () => {
        const found = await assistant(gateway, key).call('drive_get_file_metadata', args);
        return found.structuredContent.trashed;
      };
      return { ask, isTrashed };
    }

    test('MC-24: an assistant whose call waits can ask what became of it, only with the key that called', {
      tags: ['long'],
    }, async () => {
      const key = await asking();
      const { call, tools } = assistant(gateway, key);
      expect(await tools()).toContain('gateway_approval_status');
      const { ask, isTrashed } = await trashing(key, {});
      const { approval_id, url } = (await ask()).structuredContent;
      const status = async () => (await call('gateway_approval_status', { approval_id })).structuredContent;
      expect(await status()).toMatchObject({ status: 'waiting_for_approval', approval_id, url });
      const other = await assistant(gateway, await asking()).call('gateway_approval_status', { approval_id });
      expect(other).toMatchObject({ isError: true, structuredContent: { code: 'not_found' } });
      await decide(approval_id, 'approve');
      expect(await status()).toMatchObject({ status: 'done', result: { trashed: true } });
      expect(await isTrashed()).toBe(true);
      const refused = await (await trashing(key, {})).ask();
      await decide(refused.structuredContent.approval_id, 'refuse');
      const { approval_id: id } = refused.structuredContent;
      const now = await call('gateway_approval_status', { approval_id: id });
      expect(now.structuredContent).toMatchObject({ status: 'refused' });
      // Where nothing can wait there is nothing to ask.
      expect(await assistant(gateway, await agentKey()).tools()).not.toContain('gateway_approval_status');
    });

    test('MC-24: waiting calls show the page at a client that can open it, once, and wait there for what the person decides', {
      tags: ['long'],
    }, async () => {
      const { ask, isTrashed } = await trashing(await asking(), { elicitation: { form: {}, url: {} } });
      const question = await ask();
      expect(question).toMatchObject({
        resultType: 'input_required',
        inputRequests: {
          approval: {
            method: 'elicitation/create',
            params: { mode: 'url', url: expect.stringContaining('/approve/'), message: expect.any(String) },
          },
        },
      });
      const { requestState } = question;
      const declined = await ask({ requestState, inputResponses: { approval: { action: 'decline' } } });
      expect(declined).toMatchObject({ resultType: 'complete', structuredContent: { status: 'waiting_for_approval' } });
      const repeat = ask({ requestState, inputResponses: { approval: { action: 'accept' } } });
      await decide(requestState, 'approve');
      expect((await repeat).structuredContent).toMatchObject({ status: 'done', approval_id: requestState });
      expect(await isTrashed()).toBe(true);
      // A client that shows forms alone gets the address as a result.
      const { ask: askOfForms } = await trashing(await asking(), { elicitation: {} });
      expect((await askOfForms()).structuredContent.status).toBe('waiting_for_approval');
    });

    /** What a call that waits would do, as an operator reads it. */
    const about = async (id: string) =>
      (await gateway.json('GET', `/approvals/${id}`, undefined, operator)).body.data.about;
    const POST_OFF = 'sendNotificationEmail=false';

    test('MC-40, AP-35: a copy waits with its folder and the folder’s readers, and has these readers once it is approved', {
      tags: ['long'],
    }, async () => {
      const { call } = assistant(gateway, await asking());
      const google = await ownerOf(gateway);
      const FILES = '/drive/v3/files';
      const FOLDER = 'application/vnd.google-apps.folder';
      const { id: folder } = await google('POST', FILES, { name: 'Press kit', mimeType: FOLDER });
      const { id: file } = await google('POST', FILES, { name: 'Salaries', mimeType: 'text/plain' });
      const reader = { type: 'user', role: 'reader', emailAddress: 'second.user@example.com' };
      for (const permission of [{ type: 'anyone', role: 'reader' }, reader]) {
        await google('POST', `${FILES}/${folder}/permissions?${POST_OFF}`, permission);
      }
      const copy = async (args: Record<string, unknown>) =>
        (await call('drive_copy_file', { file_id: file, ...args })).structuredContent;
      const waiting = await copy({ folder_id: folder });
      expect(waiting.status).toBe('waiting_for_approval');
      const read = await about(waiting.approval_id);
      expect(read.risks).toEqual(['Everyone who has the link, or everyone on the internet, can open what is there.']);
      expect(read.facts).toContainEqual(expect.objectContaining({ name: 'Folder', after: 'Press kit' }));
      expect(JSON.stringify(read.facts)).toContain('second.user@example.com');
      await decide(waiting.approval_id, 'approve');
      const status = async (id: string) =>
        (await call('gateway_approval_status', { approval_id: id })).structuredContent;
      const done = await status(waiting.approval_id);
      expect(done).toMatchObject({ status: 'done', result: { parents: [folder], shared: true } });
      const sharedWith = async (id: string) => {
        const { permissions } = Object(await google('GET', `${FILES}/${id}/permissions?fields=*`));
        return permissions.map(({ type, emailAddress = type }: Record<string, string>) => emailAddress).toSorted();
      };
      const readers = ['anyone', 'first.user@example.com', 'second.user@example.com'];
      expect(await sharedWith(done.result.id)).toEqual(readers);
      // Without a folder a copy is where its original is, and has the readers of that folder.
      const again = (await call('drive_copy_file', { file_id: done.result.id })).structuredContent;
      expect((await about(again.approval_id)).risks).toEqual(read.risks);
      await decide(again.approval_id, 'approve');
      expect(await sharedWith((await status(again.approval_id)).result.id)).toEqual(readers);
    });

    test('MC-40, AP-32: an event whose guests are hidden is answered and changed with a person’s approval, and keeps its guests', {
      tags: ['long'],
    }, async () => {
      const key = await agentKey({ limits: { mode: 'enforce', allow: WRITING, approve: ['calendar:write'] } });
      const { call } = assistant(gateway, key);
      const [FIRST, SECOND, THIRD] = ['first', 'second', 'third'].map((name) => `${name}.user@example.com`);
      const organizer = await ownerOf(gateway, SECOND);
      const EVENTS = '/calendar/v3/calendars/primary/events';
      const guests = [FIRST, THIRD].map((email) => ({ email, responseStatus: 'needsAction', comment: `of ${email}` }));
      const { id: event_id } = await organizer('POST', EVENTS, {
        summary: 'Secret dinner',
        start: { dateTime: '2027-03-01T19:00:00Z' },
        end: { dateTime: '2027-03-01T21:00:00Z' },
        attendees: guests,
        guestsCanSeeOtherGuests: false,
        guestsCanModify: true,
      });
      const read = async () => (await call('calendar_get_event', { event_id })).structuredContent;
      const seen = await read();
      expect(seen.attendees.map(({ email }: { email: string }) => email)).toEqual([FIRST]);
      expect(seen.attendees_note).toEqual(expect.any(String));
      const attendees = async () => Object(await organizer('GET', `${EVENTS}/${event_id}`)).attendees;
      /** Has a call approved, and returns what the person read. */
      const approved = async (name: string, args: Record<string, unknown>) => {
        const { approval_id, status } = (await call(name, { event_id, ...args })).structuredContent;
        expect(status).toBe('waiting_for_approval');
        const shown = await about(approval_id);
        await decide(approval_id, 'approve');
        const ended = await call('gateway_approval_status', { approval_id });
        expect(ended.structuredContent.status).toBe('done');
        return shown;
      };
      const answer = await approved('calendar_respond_to_event', { response: 'accepted' });
      expect(answer.is_certain).toBe(true);
      const accepted = [{ ...guests[0], responseStatus: 'accepted' }, guests[1]];
      expect(await attendees()).toMatchObject(accepted);
      const { etag } = await read();
      const change = await approved('calendar_update_event', { etag, location: 'Room 4' });
      expect(change.facts).toContainEqual(expect.objectContaining({ after: 'Room 4' }));
      expect(await attendees()).toMatchObject(accepted);
      // Nobody is invited to a list that cannot be seen: it would uninvite those who are hidden.
      const more = { event_id, etag: (await read()).etag, add_attendees: ['editor@workspace.example'] };
      expect(await call('calendar_update_event', more)).toMatchObject({
        isError: true,
        structuredContent: { code: 'forbidden' },
      });
      expect(await attendees()).toHaveLength(2);
    });

    test('AP-37: 24 repeats at once hold one wait open and leave room for others', { tags: ['long'] }, async () => {
      const { ask } = await trashing(await asking(), { elicitation: { url: {} } });
      const { requestState } = await ask();
      const again = { requestState, inputResponses: { approval: { action: 'accept' } } };
      const repeats = Array.from({ length: 24 }, () => ask(again));
      const settled: { status?: string }[] = [];
      for (const one of repeats) void one.then(({ structuredContent }) => settled.push(structuredContent));
      await expect.poll(() => settled.length).toBe(23);
      const other = await assistant(gateway, await agentKey()).call('drive_search_files', { name: 'none' });
      expect(other.isError).toBeUndefined();
      expect(new Set(settled.map(({ status }) => status))).toEqual(new Set(['waiting_for_approval']));
      await decide(requestState, 'refuse');
      const all = await Promise.all(repeats);
      expect(all.filter(({ structuredContent }) => structuredContent.status === 'refused')).toHaveLength(1);
    });

    test('AP-37: a repeat of a waiting call counts as a call of its key', { tags: ['long'] }, async () => {
      const key = await agentKey({ limits: { mode: 'enforce', allow: WRITING, minute: { calls: 8 } } });
      const { ask } = await trashing(key, { elicitation: { url: {} } });
      const { requestState } = await ask();
      const again = { requestState, inputResponses: { approval: { action: 'decline' } } };
      const code = async () => (await ask(again)).structuredContent.code;
      await expect.poll(code).toBe('rate_limited');
    });

    test('MC-24: waiting calls are approved by nothing that an assistant sends again: arguments, states, answers to questions', async () => {
      const key = await asking();
      const { ask, isTrashed } = await trashing(key, { elicitation: { url: {} } });
      const question = await ask();
      const { requestState: id } = question;
      const { url } = question.inputRequests.approval.params;
      const token = url.split('/').at(-1);
      for (const value of [id, url, token, key, JSON.stringify(question)]) {
        for (const content of [{}, { approved: true }, { decision: 'approve', seen: value, token: value }]) {
          const inputResponses = { approval: { action: 'decline', content }, other: { action: 'accept', content } };
          for (const requestState of [value, JSON.stringify({ id, state: 'approved', value })]) {
            await ask({ requestState, inputResponses });
          }
        }
        const tried = await assistant(gateway, key).call('drive_trash_file', { file_id: value, approval_id: id });
        expect(tried).toMatchObject({ isError: true, structuredContent: { code: 'invalid_arguments' } });
      }
      expect((await gateway.json('GET', `/approvals/${id}`)).body.data.status).toBe('pending');
      expect(await isTrashed()).toBe(false);
    });
  });
});
