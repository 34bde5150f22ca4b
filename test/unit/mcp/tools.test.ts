import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { TOOL_NAMES } from '../../../lambdas/features/agents/agent.rules.ts';
import { APPROVAL_STATUS } from '../../../lambdas/features/agents/approval-status.ts';
import { gatewayFailure } from '../../../lambdas/features/agents/failures.ts';
import { argumentProblems } from '../../../lambdas/features/agents/tools/arguments.rules.ts';
import { momentIn, showMoment } from '../../../lambdas/features/agents/tools/calendar-times.rules.ts';
import { freeSpans } from '../../../lambdas/features/agents/tools/free-time.rules.ts';
import {
  dataResult,
  failureResult,
  listResult,
  RESULT_MAX_CHARACTERS,
  readPageToken,
} from '../../../lambdas/features/agents/tools/results.rules.ts';
import type { ToolAnswer, ToolRequest } from '../../../lambdas/features/agents/tools/tool.ts';
import { ToolFailure } from '../../../lambdas/features/agents/tools/tool-failure.rules.ts';
import { hasTool, TOOLS } from '../../../lambdas/features/agents/tools/tool-list.ts';
import { GatewayError } from '../../../lambdas/gateway/core/errors.ts';
import { allProviders } from '../../../lambdas/gateway/providers/index.ts';
import { anyText } from '../../support/any-text.ts';
import { drawn } from '../../support/draws.ts';

const NOW_MS = Date.UTC(2026, 10, 27, 12);

const onceId = (nth: number) => String(nth).padEnd(40, 'f');
/** What Google refuses in a test. */
const refused = (status: number, code = 'conflict') => new ToolFailure(code, 'refused', { status });

/** Runs a tool on answers that are given one after the other, and says what it asked. */
async function run(name: string, args: Record<string, unknown>, answers: readonly unknown[] = [{}]) {
  const tool = TOOLS.find(({ definition }) => definition.name === name);
  if (tool === undefined) throw new Error(`No tool ${name}`);
  expect(argumentProblems(tool.definition, args)).toEqual([]);
  const asked: ToolRequest[] = [];
  const send = async (request: ToolRequest): Promise<ToolAnswer> => {
    asked.push(request);
    const answer = answers[asked.length - 1] ?? {};
    if (answer instanceof ToolFailure) throw answer;
    if (answer instanceof Uint8Array) return { headers: [], body: answer };
    const body = typeof answer === 'string' ? answer : JSON.stringify(answer);
    return { headers: [], body: Buffer.from(body) };
  };
  const result = await tool.run(args, { send, nowMs: NOW_MS, onceId });
  return { asked, result, query: Object.fromEntries(asked.at(-1)?.query ?? []) };
}

describe('the tools', () => {
  it('MC-21: the tools are the named ones in one order, with names, schemas and hints that every client takes', () => {
    const all = [...TOOLS.map(({ definition }) => definition), APPROVAL_STATUS];
    expect(all.map(({ name }) => name)).toEqual(TOOL_NAMES);
    expect(all.length).toBeLessThanOrEqual(20);
    // Tokenizers of today make a token of four characters of such a list on average; a token for 3.5 leaves room for others.
    expect(Math.ceil(JSON.stringify(all).length / 3.5)).toBeLessThanOrEqual(4_500);
    for (const definition of all) {
      expect(definition.name).toMatch(/^[a-z_]{1,56}$/);
      expect(definition.inputSchema).toMatchObject({ type: 'object', additionalProperties: false });
      expect(definition.annotations?.openWorldHint).toBe('notify_attendees' in definition.inputSchema.properties);
      for (const name of definition.inputSchema.required ?? [])
        expect(definition.inputSchema.properties).toHaveProperty(name);
    }
  });

  it('MC-22: the tools name methods and scopes that there are', () => {
    const methods = allProviders().flatMap(({ methodMeanings = [] }) => methodMeanings.map(({ id }) => id));
    for (const tool of TOOLS) {
      const provider = allProviders().find(({ id }) => id === tool.provider);
      const scopes = provider?.scopes.map(({ scope }) => scope.split('/').at(-1));
      expect(tool.methods.filter((id) => !methods.includes(id))).toEqual([]);
      expect(tool.scopes.filter((scope) => scopes?.includes(scope) !== true)).toEqual([]);
    }
  });

  it('MC-21: the tools need all their methods, one of their scopes, and to be named where tools are', () => {
    const [search] = TOOLS;
    if (search === undefined) throw new Error('There are no tools');
    const rights = {
      tools: undefined,
      methods: undefined,
      grantedScopes: ['https://www.googleapis.com/auth/drive.readonly'],
    };
    expect(hasTool(rights, search)).toBe(true);
    expect(hasTool({ ...rights, methods: ['drive.files.list'] }, search)).toBe(true);
    expect(hasTool({ ...rights, methods: ['drive.files.get'] }, search)).toBe(false);
    expect(hasTool({ ...rights, tools: ['drive_copy_file'] }, search)).toBe(false);
    expect(hasTool({ ...rights, grantedScopes: ['https://www.googleapis.com/auth/calendar'] }, search)).toBe(false);
  });

  it('MC-22: no argument reaches a path, a header or a query but in its place, encoded', {
    tags: ['drawn'],
  }, async () => {
    const odd = fc.oneof(anyText(), fc.constantFrom('../..', 'a/b?c=d', '%2e%2e', 'x\r\ny: z', 'trash', "a' or 'b"));
    const args = fc.dictionary(
      fc.constantFrom(...new Set(TOOLS.flatMap(({ definition }) => Object.keys(definition.inputSchema.properties)))),
      odd,
    );
    const paths =
      /^(\/upload)?\/drive\/v3\/files(\/[A-Za-z0-9_-]+(\/(copy|export))?)?$|^\/drive\/v3\/drives$|^\/calendar\/v3\/(users\/me\/calendarList|freeBusy|calendars\/(?:[\w.!~*'()-]|%[0-9A-F]{2})+\/events(\/[A-Za-z0-9_-]+)?)$/;
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...TOOLS), args, async (tool, given) => {
        const right = Object.fromEntries(
          Object.entries(given).filter(([name]) => name in tool.definition.inputSchema.properties),
        );
        if (argumentProblems(tool.definition, right).length > 0) return;
        const send = async (request: ToolRequest) => {
          expect(request.path).toMatch(paths);
          expect(request.path).not.toMatch(/\/files\/(trash|generateIds)(\/|$)|\/\.\.?(\/|$)/);
          for (const [, value] of request.headers ?? []) expect(value).toMatch(/^[\x20-\x7e]*$/);
          return { headers: [], body: Buffer.from('{}') };
        };
        await tool.run(right, { send, nowMs: NOW_MS, onceId }).catch((error: unknown) => {
          if (!(error instanceof ToolFailure)) throw error;
        });
      }),
      { numRuns: drawn(500) },
    );
  });

  it('asks Drive for files by what was said, quoted, and sorts no search in contents', async () => {
    const { query } = await run('drive_search_files', {
      name: "it's \\ mine",
      folder_id: 'abc',
      modified_after: '2026-01-31T01:00:00+01:00',
    });
    expect(query.q).toBe(
      "name contains 'it\\'s \\\\ mine' and 'abc' in parents and modifiedTime > '2026-01-31T00:00:00.000Z' and trashed = false",
    );
    expect(query).toMatchObject({ orderBy: 'modifiedTime desc', supportsAllDrives: 'true', pageSize: '50' });
    expect(query).toMatchObject({ corpora: 'allDrives', includeItemsFromAllDrives: 'true' });
    const contents = await run('drive_search_files', { text: 'budget', include_trashed: true });
    expect(contents.query.q).toBe("fullText contains 'budget'");
    expect(contents.query).not.toHaveProperty('orderBy');
  });

  it('quotes any text so that none ends a condition', () => {
    return fc.assert(
      fc.asyncProperty(fc.string({ minLength: 1 }), async (name) => {
        const { query } = await run('drive_search_files', { name });
        const quoted = /^name contains '((?:[^'\\]|\\['\\])*)' and trashed = false$/s.exec(query.q ?? '')?.[1];
        expect(quoted?.replaceAll(/\\(['\\])/g, '$1')).toBe(name);
      }),
    );
  });

  it('MC-40: searches every shared drive, or one by its name, and says when Google has not searched all', async () => {
    const recent = await run('drive_list_recent_files', {}, [{ files: [], incompleteSearch: true }]);
    expect(recent.query).toMatchObject({ corpora: 'allDrives', includeItemsFromAllDrives: 'true' });
    expect(recent.result.structuredContent).toMatchObject({ incomplete_search: true, note: expect.any(String) });
    const search = { shared_drive: "Team's", modified_after: '2026-11-23T00:00:00+01:00' };
    const named = await run('drive_search_files', search, [{ drives: [{ id: 'd1' }] }, { files: [] }]);
    expect(named.asked[0]?.query).toContainEqual(['q', "name = 'Team\\'s'"]);
    expect(named.query).toMatchObject({ corpora: 'drive', driveId: 'd1' });
    expect(named.result.structuredContent).not.toHaveProperty('incomplete_search');
    await expect(run('drive_search_files', search, [{ drives: [] }])).rejects.toMatchObject({ code: 'not_found' });
    const twice = { drives: [{ id: 'd1' }, { id: 'd2' }] };
    await expect(run('drive_search_files', search, [twice])).rejects.toMatchObject({ code: 'conflict' });
    const byId = await run('drive_search_files', { shared_drive: '0AbcdefghijklmnopQ' });
    expect(byId.query).toMatchObject({ driveId: '0AbcdefghijklmnopQ' });
    for (const modified_after of ['2026-11-23', '2026-11-23T00:00', 'November 23']) {
      await expect(run('drive_search_files', { modified_after })).rejects.toMatchObject({ code: 'invalid_arguments' });
    }
  });

  it('MC-34: changes a file only at the version that was read', async () => {
    const args = { file_id: 'abc', content: 'new', expected_version: 'w7' };
    const plain = { version: '7', mimeType: 'text/plain', size: '3' };
    const changed = await run('drive_update_file_content', args, [plain, { id: 'abc', version: '8' }]);
    expect(changed.asked.map(({ method, path }) => `${method} ${path}`)).toEqual([
      'GET /drive/v3/files/abc',
      'PATCH /upload/drive/v3/files/abc',
    ]);
    expect(changed.result.structuredContent).toMatchObject({ expected_version: 'w8' });
    await expect(run('drive_update_file_content', args, [{ ...plain, version: '8' }])).rejects.toMatchObject({
      code: 'conflict',
    });
    await expect(
      run('drive_trash_file', { file_id: 'abc', expected_version: '7' }, [{ version: '8' }]),
    ).rejects.toMatchObject({ code: 'conflict' });
    const document = { version: '7', mimeType: 'application/vnd.google-apps.document' };
    const replaced = await run('drive_update_file_content', args, [document, {}]);
    expect(replaced.asked[1]?.headers).toEqual([['content-type', 'text/markdown; charset=UTF-8']]);
    for (const mimeType of ['image/png', 'application/vnd.google-apps.presentation', 'text/plain; charset=latin1']) {
      await expect(run('drive_update_file_content', args, [{ ...plain, mimeType }])).rejects.toMatchObject({
        code: 'not_text',
      });
    }
  });

  it('MC-40: keeps a file’s media type to the letter', async () => {
    for (const mimeType of [
      'text/plain',
      'text/csv',
      'text/markdown',
      'application/json',
      'Text/X-Own; charset=utf-8',
    ]) {
      const args = { file_id: 'abc', content: 'ü', expected_version: 'w7' };
      const { asked } = await run('drive_update_file_content', args, [{ version: '7', mimeType, size: '3' }, {}]);
      expect(asked[1]?.headers).toEqual([['content-type', mimeType]]);
    }
  });

  it('MC-40: replaces a file only where all of it was read, or where that is said', async () => {
    const file = { name: 'a', mimeType: 'text/plain', size: '50', version: '7' };
    const about = async (args: Record<string, unknown>, content: unknown = 'x'.repeat(50), of = file) => {
      const { result } = await run('drive_read_file_content', { file_id: 'abc', ...args }, [of, content]);
      return JSON.parse(result.content[0]?.text ?? '');
    };
    const first = await about({ max_characters: 30 });
    expect(first).toMatchObject({ next_part: '7.30', truncated: true });
    expect(first).not.toHaveProperty('expected_version');
    expect(await about({ part: '7.30' })).toMatchObject({ offset: 30, characters: 20, expected_version: 'w7' });
    await expect(about({ part: '6.30' })).rejects.toMatchObject({ code: 'conflict' });
    // A spreadsheet has other sheets, and what is above a megabyte is not shown.
    const sheet = { ...file, mimeType: 'application/vnd.google-apps.spreadsheet' };
    expect(await about({}, 'a,b', sheet)).not.toHaveProperty('expected_version');
    const args = { file_id: 'abc', content: 'new', expected_version: '7' };
    await expect(run('drive_update_file_content', args, [file])).rejects.toMatchObject({ code: 'not_read' });
    expect((await run('drive_update_file_content', { ...args, replace_unread: true }, [file, {}])).asked).toHaveLength(
      2,
    );
    expect((await run('drive_update_file_content', args, [{ ...file, size: '0' }, {}])).asked).toHaveLength(2);
  });

  it('MC-40: reads text in its character set, and replaces no letter', async () => {
    const file = { name: 'a', mimeType: 'text/plain', size: '9', version: '7' };
    const latin = Buffer.from('Größe é', 'latin1');
    const read = async (content: Uint8Array, args = {}, of = file) => {
      const { result } = await run('drive_read_file_content', { file_id: 'abc', ...args }, [of, content]);
      return { about: JSON.parse(result.content[0]?.text ?? ''), text: result.content[1]?.text };
    };
    await expect(read(latin)).rejects.toMatchObject({ code: 'not_text' });
    const named = await read(latin, { charset: 'iso-8859-1' });
    expect(named).toMatchObject({ text: 'Größe é', about: { charset: 'windows-1252' } });
    expect(named.about).not.toHaveProperty('expected_version');
    expect((await read(latin, {}, { ...file, mimeType: 'text/plain; charset=iso-8859-1' })).text).toBe('Größe é');
    const wide = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from('Größe', 'utf16le')]);
    expect(await read(wide)).toMatchObject({ text: 'Größe', about: { charset: 'utf-16le' } });
    await expect(read(Buffer.from([0x61, 0xc3]))).rejects.toMatchObject({ code: 'not_text' });
    await expect(read(latin, { charset: 'nothing' })).rejects.toMatchObject({ code: 'invalid_arguments' });
  });

  it('MC-40: follows a shortcut to what it leads to, and says so', async () => {
    const shortcut = { name: 's', version: '1', shortcutDetails: { targetId: 'target' } };
    const target = { name: 'a', mimeType: 'text/plain', size: '1', version: '7' };
    const read = await run('drive_read_file_content', { file_id: 'abc' }, [shortcut, target, 'x']);
    expect(read.asked.map(({ path }) => path.split('/').at(-1))).toEqual(['abc', 'target', 'target']);
    expect(JSON.parse(read.result.content[0]?.text ?? '')).toMatchObject({
      ...{ file_id: 'target', shortcut_id: 'abc', version: '7', expected_version: 'w7' },
    });
    const args = { file_id: 'abc', content: 'y', expected_version: 'w7' };
    const written = await run('drive_update_file_content', args, [shortcut, target, { id: 'target' }]);
    expect(written.asked[2]).toMatchObject({ method: 'PATCH', path: '/upload/drive/v3/files/target' });
  });

  it('renames and moves a file, each alone or both, and writes nothing where it is there already', async () => {
    const file = { id: 'abc', name: 'a', parents: ['p1'], version: '7' };
    const moved = await run('drive_rename_or_move_file', { file_id: 'abc', folder_id: 'p2' }, [file, {}]);
    expect(moved.query).toMatchObject({ addParents: 'p2', removeParents: 'p1', supportsAllDrives: 'true' });
    expect(moved.asked[1]?.body).toBe('{}');
    const renamed = await run('drive_rename_or_move_file', { file_id: 'abc', name: 'b', folder_id: 'p1' }, [file, {}]);
    expect(renamed.query).not.toHaveProperty('addParents');
    expect(renamed.asked[1]?.body).toBe('{"name":"b"}');
    const root = { file_id: 'abc', folder_id: 'root' };
    expect((await run('drive_rename_or_move_file', root, [file, { id: 'p1' }])).asked).toHaveLength(2);
    const old = { file_id: 'abc', name: 'b', expected_version: '6' };
    await expect(run('drive_rename_or_move_file', old, [file])).rejects.toMatchObject({ code: 'conflict' });
    await expect(run('drive_rename_or_move_file', { file_id: 'abc' })).rejects.toMatchObject({
      code: 'invalid_arguments',
    });
  });

  it('MC-33: reads by code points, and says where to continue', async () => {
    const content = '😀'.repeat(30);
    const file = { name: 'a', mimeType: 'text/plain', size: '120', version: '1' };
    const { result } = await run('drive_read_file_content', { file_id: 'abc', part: '1.5', max_characters: 10 }, [
      file,
      content,
    ]);
    const [about, text] = result.content;
    expect(text?.text).toBe('😀'.repeat(10));
    expect(JSON.parse(about?.text ?? '')).toMatchObject({ next_part: '1.15', total_characters: 30, truncated: true });
    expect(result).not.toHaveProperty('structuredContent');
    expect(result._meta).toEqual({ untrusted: true });
    for (const mimeType of [
      'image/png',
      'application/pdf',
      'application/vnd.google-apps.form',
      'application/octet-stream',
    ]) {
      await expect(run('drive_read_file_content', { file_id: 'abc' }, [{ ...file, mimeType }])).rejects.toMatchObject({
        code: 'not_text',
      });
    }
    await expect(run('drive_read_file_content', { file_id: 'abc' }, [file, 'PK\0\0'])).rejects.toMatchObject({
      code: 'not_text',
    });
  });

  it('uploads what is to be in a file alongside its name', async () => {
    const { asked } = await run('drive_create_file', { name: 'a', kind: 'markdown', content: '# A\r\n--x--' });
    const [request] = asked;
    expect(request).toMatchObject({ method: 'POST', path: '/upload/drive/v3/files' });
    const boundary = /boundary=(\S+)$/.exec(request?.headers?.[0]?.[1] ?? '')?.[1] ?? '';
    const parts = (request?.body ?? '').split(`--${boundary}`);
    expect(parts).toHaveLength(4);
    expect(parts[1]).toContain('{"name":"a","mimeType":"text/markdown"}');
    expect(parts[2]).toContain('# A\r\n--x--');
    const folder = await run('drive_create_file', { name: 'a', kind: 'folder', folder_id: 'xyz' });
    expect(folder.asked[0]).toMatchObject({
      path: '/drive/v3/files',
      body: expect.stringContaining('"parents":["xyz"]'),
    });
  });

  it('writes events as days, moments and times of a zone, and invites nobody unasked', async () => {
    const event = { summary: 'a', start: '2026-12-01T09:00', end: '2026-12-01T10:00', time_zone: 'Europe/Berlin' };
    const invited = { ...event, attendees: ['a@example.com'] };
    const zoned = await run('calendar_create_event', invited, [refused(404), {}]);
    expect(zoned.query.sendUpdates).toBe('none');
    expect(JSON.parse(zoned.asked[1]?.body ?? '')).toEqual({
      id: onceId(0),
      summary: 'a',
      start: { dateTime: '2026-12-01T09:00:00', timeZone: 'Europe/Berlin' },
      end: { dateTime: '2026-12-01T10:00:00', timeZone: 'Europe/Berlin' },
      attendees: [{ email: 'a@example.com' }],
    });
    const day = await run('calendar_create_event', {
      summary: 'a',
      start: '2026-12-01',
      end: '2026-12-02',
      notify_attendees: true,
    });
    expect(day.query.sendUpdates).toBe('all');
    expect(JSON.parse(day.asked[0]?.body ?? '')).toMatchObject({ start: { date: '2026-12-01' } });
    const removed = await run('calendar_delete_event', {
      event_id: 'e1',
      calendar_id: 'de.german#holiday@group.v.calendar.google.com',
    });
    expect(removed.asked[0]).toMatchObject({
      method: 'DELETE',
      path: '/calendar/v3/calendars/de.german%23holiday%40group.v.calendar.google.com/events/e1',
    });
  });

  it('MC-40: reads times without an offset in the calendar’s zone', async () => {
    const event = { summary: 'a', start: '2026-12-01T09:00', end: '2026-12-01T10:00' };
    const made = await run('calendar_create_event', event, [{ timeZone: 'Europe/Berlin' }, {}]);
    expect(JSON.parse(made.asked[1]?.body ?? '')).toMatchObject({
      start: { dateTime: '2026-12-01T09:00:00', timeZone: 'Europe/Berlin' },
    });
    const blind = run('calendar_create_event', event, [refused(403, 'limited_by_key')]);
    await expect(blind).rejects.toMatchObject({ code: 'invalid_arguments' });
    const exact = { summary: 'a', start: '2026-12-01T09:00:00+01:00', end: '2026-12-01T10:00:00Z' };
    expect((await run('calendar_create_event', exact)).asked).toHaveLength(1);
    const zone = { timeZone: 'Europe/Berlin' };
    const weekly = { ...exact, recurrence: ['RRULE:FREQ=WEEKLY'] };
    expect((await run('calendar_create_event', weekly, [zone, {}])).asked[1]?.body).toContain('Europe/Berlin');
    for (const [time_min, timeMin] of [
      ['2026-12-01', '2026-11-30T23:00:00.000Z'],
      ['2026-12-01T00:00:00', '2026-11-30T23:00:00.000Z'],
      ['2026-12-01T00:00:00Z', '2026-12-01T00:00:00.000Z'],
      ['2026-07-01T08:30', '2026-07-01T06:30:00.000Z'],
    ]) {
      const answers = time_min?.endsWith('Z') ? [{}] : [zone, {}];
      const { query } = await run('calendar_list_events', { time_min, time_max: '2027-01-01T00:00:00Z' }, answers);
      expect(query.timeMin).toBe(timeMin);
    }
    for (const time_min of ['November 29', '2026-02-30', '2026-12-01T25:00', 'tomorrow', '1']) {
      await expect(run('calendar_list_events', { time_min })).rejects.toMatchObject({ code: 'invalid_arguments' });
    }
    const sameDay = { time_min: '2026-12-01', time_max: '2026-12-01' };
    await expect(run('calendar_list_events', sameDay, [zone])).rejects.toMatchObject({ code: 'invalid_arguments' });
  });

  describe('changing an event', () => {
    const GUESTS = [
      { email: 'Ann@example.com', responseStatus: 'accepted', displayName: 'Ann', self: true, organizer: true },
      {
        email: 'ben@example.com',
        responseStatus: 'declined',
        optional: true,
        comment: 'on leave',
        additionalGuests: 2,
      },
    ];
    const timed = {
      etag: '"1"',
      start: { dateTime: '2026-12-01T15:00:00+01:00', timeZone: 'America/New_York' },
      end: { dateTime: '2026-12-01T16:30:00+01:00', timeZone: 'America/New_York' },
      attendees: GUESTS,
    };
    const whole = { etag: '"1"', start: { date: '2026-12-01' }, end: { date: '2026-12-03' } };
    const change = async (args: Record<string, unknown>, before: object = timed, ...others: object[]) => {
      const asked = await run('calendar_update_event', { event_id: 'e1', etag: '1', ...args }, [before, ...others, {}]);
      const last = asked.asked.at(-1);
      expect(last).toMatchObject({ method: 'PATCH', path: '/calendar/v3/calendars/primary/events/e1' });
      expect(last?.headers).toContainEqual(['if-match', '"1"']);
      return JSON.parse(last?.body ?? '');
    };
    const zone = { timeZone: 'Europe/Berlin' };

    it('MC-34: changing an event is of the state that was read', async () => {
      expect(await change({ summary: 'b' })).toEqual({ summary: 'b' });
      const late = run('calendar_update_event', { event_id: 'e1', etag: '0', summary: 'b' }, [timed]);
      await expect(late).rejects.toMatchObject({ code: 'conflict' });
      await expect(change({})).rejects.toMatchObject({ code: 'invalid_arguments' });
    });

    it('MC-40: adds and removes guests by address, and keeps all others whole', async () => {
      const [ann, ben] = GUESTS.map(
        ({ self: _self, organizer: _organizer, ...guest }: Record<string, unknown>) => guest,
      );
      expect(await change({ add_attendees: ['cat@example.com', 'BEN@example.com', 'Cat@example.com'] })).toEqual({
        attendees: [ann, ben, { email: 'cat@example.com' }],
      });
      expect(await change({ remove_attendees: ['ann@EXAMPLE.com'] })).toEqual({ attendees: [ben] });
      expect(await change({ summary: 'b', add_attendees: ['ben@example.com'] })).toEqual({ summary: 'b' });
      for (const args of [
        { remove_attendees: ['dan@example.com'] },
        { add_attendees: ['ben@example.com'], remove_attendees: ['ben@example.com'] },
      ]) {
        await expect(change(args)).rejects.toMatchObject({ code: 'invalid_arguments' });
      }
      for (const hidden of [{ attendeesOmitted: true }, { guestsCanSeeOtherGuests: false }]) {
        const adding = change({ add_attendees: ['cat@example.com'] }, { ...timed, ...hidden });
        await expect(adding).rejects.toMatchObject({ code: 'forbidden' });
        expect(await change({ location: 'x' }, { ...timed, ...hidden })).toEqual({ location: 'x' });
      }
    });

    it('MC-40: makes a whole day a timed event and back, without what the other form has', async () => {
      const morning = { start: '2026-12-01T09:00', end: '2026-12-01T12:00' };
      expect(await change(morning, whole, zone)).toEqual({
        start: { dateTime: '2026-12-01T09:00:00+01:00', date: null },
        end: { dateTime: '2026-12-01T12:00:00+01:00', date: null },
      });
      const weekly = { ...whole, recurrence: ['RRULE:FREQ=WEEKLY'] };
      expect((await change(morning, weekly, zone)).start).toMatchObject({ timeZone: 'Europe/Berlin', date: null });
      expect(await change({ start: '2026-12-01', end: '2026-12-02' })).toEqual({
        start: { date: '2026-12-01', dateTime: null, timeZone: null },
        end: { date: '2026-12-02', dateTime: null, timeZone: null },
      });
      await expect(change({ start: '2026-12-01' })).rejects.toMatchObject({ code: 'invalid_arguments' });
      const mixed = change({ start: '2026-12-01', end: '2026-12-01T10:00' });
      await expect(mixed).rejects.toMatchObject({ code: 'invalid_arguments' });
    });

    it('MC-40: moves an event as it is by its start alone, and keeps the zone in which it repeats', async () => {
      expect(await change({ start: '2026-12-02T15:00' }, timed, zone)).toEqual({
        start: { dateTime: '2026-12-02T15:00:00+01:00' },
        end: { dateTime: '2026-12-02T16:30:00+01:00' },
      });
      expect(await change({ start: '2026-12-05' }, whole)).toEqual({
        start: { date: '2026-12-05' },
        end: { date: '2026-12-07' },
      });
      expect(await change({ end: '2026-12-01T17:00:00+01:00' })).toEqual({
        end: { dateTime: '2026-12-01T17:00:00+01:00' },
      });
      const named = { start: '2026-12-02T15:00', end: '2026-12-02T16:00', time_zone: 'Asia/Tokyo' };
      expect((await change(named)).start).toEqual({ dateTime: '2026-12-02T15:00:00+09:00', timeZone: 'Asia/Tokyo' });
    });

    it('answers an invitation with the user’s own entry alone', async () => {
      const args = { event_id: 'e1', response: 'tentative', comment: 'late' };
      const { asked, query } = await run('calendar_respond_to_event', args, [timed, {}]);
      const own = { email: 'Ann@example.com', responseStatus: 'tentative', displayName: 'Ann', comment: 'late' };
      expect(JSON.parse(asked[1]?.body ?? '')).toEqual({ attendees: [own, GUESTS[1]] });
      const hidden = await run('calendar_respond_to_event', args, [{ ...timed, attendeesOmitted: true }, {}]);
      expect(JSON.parse(hidden.asked[1]?.body ?? '')).toEqual({ attendeesOmitted: true, attendees: [own] });
      expect(asked[1]?.headers).toContainEqual(['if-match', '"1"']);
      expect(query.sendUpdates).toBe('none');
      await expect(run('calendar_respond_to_event', args, [whole])).rejects.toMatchObject({ code: 'not_found' });
    });

    it('MC-40: says where a list of guests was cut', async () => {
      const cut = { id: 'e1', attendees: [GUESTS[0]], attendeesOmitted: true };
      const listed = await run('calendar_list_events', {}, [{ items: [cut, { id: 'e2' }] }]);
      const events = listed.result.structuredContent?.events;
      expect(events).toMatchObject([{ attendees_note: expect.stringContaining('calendar_get_event') }, { id: 'e2' }]);
      const got = await run('calendar_get_event', { event_id: 'e1' }, [cut]);
      expect(got.result.structuredContent).toMatchObject({ attendees_note: expect.any(String) });
    });
  });

  it('MC-40: makes an event again that was deleted, and no event twice', async () => {
    const event = { summary: 'a', start: '2026-12-01', end: '2026-12-02' };
    const again = await run('calendar_create_event', event, [refused(409), { status: 'cancelled' }, refused(404), {}]);
    expect(again.asked.map(({ method }) => method)).toEqual(['POST', 'GET', 'GET', 'POST']);
    expect(JSON.parse(again.asked[3]?.body ?? '').id).toBe(onceId(1));
    const twice = run('calendar_create_event', event, [refused(409), { status: 'confirmed' }]);
    await expect(twice).rejects.toMatchObject({ code: 'conflict', details: { event_id: onceId(0) } });
    // What a person is to approve is looked at before it waits.
    const invited = { ...event, attendees: ['ann@example.com'] };
    const waiting = await run('calendar_create_event', invited, [{ status: 'cancelled' }, refused(404), {}]);
    expect(JSON.parse(waiting.asked[2]?.body ?? '').id).toBe(onceId(1));
    await expect(run('calendar_create_event', invited, [{ status: 'tentative' }])).rejects.toMatchObject({
      code: 'conflict',
    });
  });

  it('MC-40: takes ids of calendars with percent signs, and sends them to the letter', async () => {
    const calendar_id = 'nfl_-m-0713r_%4ew+%59ork+%47iants#sports@group.v.calendar.google.com';
    const { asked } = await run('calendar_get_event', { calendar_id, event_id: 'e1' });
    expect(decodeURIComponent(asked[0]?.path.split('/')[4] ?? '')).toBe(calendar_id);
  });

  describe('a free time', () => {
    const zone = { timeZone: 'Europe/Berlin' };
    const busy = (...spans: readonly (readonly [string, string])[]) => ({
      busy: spans.map(([start, end]) => ({ start: `2026-11-30T${start}:00Z`, end: `2026-11-30T${end}:00Z` })),
    });
    const args = { time_min: '2026-11-30', time_max: '2026-12-01', duration_minutes: 60, people: ['ben@example.com'] };

    it('a free time is one in which all are free, on days and in hours for meetings', async () => {
      const calendars = {
        primary: busy(['08:00', '09:30'], ['11:00', '13:00']),
        'ben@example.com': busy(['09:00', '09:45']),
      };
      const { asked, result } = await run('calendar_find_free_time', args, [zone, { calendars }]);
      expect(asked[1]).toMatchObject({ method: 'POST', path: '/calendar/v3/freeBusy' });
      expect(JSON.parse(asked[1]?.body ?? '').items).toEqual([{ id: 'primary' }, { id: 'ben@example.com' }]);
      expect(result.structuredContent).toEqual({
        time_zone: 'Europe/Berlin',
        free: [
          { start: '2026-11-30T10:45:00+01:00', end: '2026-11-30T12:00:00+01:00' },
          { start: '2026-11-30T14:00:00+01:00', end: '2026-11-30T17:00:00+01:00' },
        ],
      });
    });

    it('names the people whose calendars are not known, and begins now at the earliest', async () => {
      const calendars = { primary: busy(), 'ben@example.com': { errors: [{ reason: 'notFound' }], busy: [] } };
      const past = { ...args, time_min: '2026-11-01', time_max: '2026-11-28', weekends: true };
      const { result } = await run('calendar_find_free_time', past, [zone, { calendars }]);
      expect(result.structuredContent).toMatchObject({
        free: [{ start: '2026-11-27T13:00:00+01:00', end: '2026-11-27T17:00:00+01:00' }],
        unknown: [{ address: 'ben@example.com', reason: 'notFound' }],
        note: expect.any(String),
      });
      const weekend = { ...args, time_min: '2026-11-28', time_max: '2026-11-30' };
      const none = await run('calendar_find_free_time', weekend, [zone, { calendars: { primary: busy() } }]);
      expect(none.result.structuredContent?.free).toEqual([]);
    });

    it('covers no busy time, whatever the spans', () => {
      const span = fc
        .tuple(fc.nat(2_000), fc.nat(300))
        .map(([fromMs, length]) => ({ fromMs, untilMs: fromMs + length }));
      fc.assert(
        fc.property(fc.array(span), fc.array(span), fc.integer({ min: 1, max: 60 }), (within, taken, length) => {
          const free = freeSpans(within, taken, length);
          const isIn = (at: number, spans: typeof free) => spans.some((one) => at >= one.fromMs && at < one.untilMs);
          for (const { fromMs, untilMs } of free) {
            expect(untilMs - fromMs).toBeGreaterThanOrEqual(length);
            for (const at of [fromMs, untilMs - 1]) expect([isIn(at, within), isIn(at, taken)]).toEqual([true, false]);
          }
        }),
      );
    });
  });

  it('MC-40: times of a zone are moments, also where the clock changes', () => {
    expect(showMoment(momentIn('Europe/Berlin', '2026-10-25T02:30:00'), 'Europe/Berlin')).toBe(
      '2026-10-25T02:30:00+02:00',
    );
    expect(showMoment(momentIn('Europe/Berlin', '2026-03-29T02:30:00'), 'Europe/Berlin')).toBe(
      '2026-03-29T03:30:00+02:00',
    );
    const zone = fc.constantFrom('UTC', 'Asia/Kolkata', 'America/St_Johns', 'Pacific/Apia', 'Australia/Lord_Howe');
    fc.assert(
      fc.property(zone, fc.integer({ min: 1, max: 2_000_000 }), (timeZone, minutes) => {
        const ms = Date.UTC(2024, 0, 1) + minutes * 60_000;
        const local = showMoment(ms, timeZone).slice(0, 19);
        expect(Date.parse(showMoment(ms, timeZone))).toBe(ms);
        expect(showMoment(momentIn(timeZone, local), timeZone).slice(0, 19)).toBe(local);
      }),
    );
  });

  it('MC-33: continues with a list of events in the time of its first page, whatever the clock says by then', async () => {
    const first = await run('calendar_list_events', {}, [{ items: [], nextPageToken: 'next' }]);
    expect(first.query.timeMin).toBe(new Date(NOW_MS).toISOString());
    const page_token = String(first.result.structuredContent?.next_page_token);
    const next = await run('calendar_list_events', { page_token, time_min: '2031-01-01T00:00:00Z' });
    expect(next.query).toMatchObject({ timeMin: first.query.timeMin, timeMax: first.query.timeMax, pageToken: 'next' });
    const large = await run('calendar_list_events', { page_token: '0.5000.x' });
    expect(large.query.maxResults).toBe('100');
    const huge = run('calendar_list_events', { page_token: '0.50.9999999999999999~9999999999999999~x' });
    await expect(huge).rejects.toMatchObject({ code: 'invalid_arguments' });
  });

  it('MC-33: asks for no more than 100 items, whatever a page token says', async () => {
    const paged = TOOLS.filter(({ definition }) => 'page_token' in definition.inputSchema.properties);
    expect(paged.map(({ definition }) => definition.name)).toContain('drive_search_files');
    for (const { definition } of paged) {
      for (const page_token of ['0.5000.', '0.5000.x', '99.99999.x']) {
        const asked = await run(definition.name, { page_token }).then(
          ({ query }) => Number(query.pageSize ?? query.maxResults),
          (error: unknown) => Object(error).code,
        );
        expect([definition.name, page_token, [100, 'invalid_arguments'].includes(asked)]).toEqual([
          ...[definition.name, page_token, true],
        ]);
      }
    }
  });

  it('refuses arguments that are not those of the schema, and none that an object inherits', () => {
    const [search] = TOOLS;
    if (search === undefined) throw new Error('There are no tools');
    const problems = (args: Record<string, unknown>) => argumentProblems(search.definition, args);
    expect(problems({ constructor: 'x' })).toEqual(['constructor is no argument of this tool']);
    expect(problems({ page_size: 0 })).toEqual(['page_size must be a whole number from 1 to 100']);
    expect(problems({ page_size: '5' })).toHaveLength(1);
    expect(problems({ folder_id: '../x' })).toHaveLength(1);
    expect(problems({ name: '\ud800' })).toEqual(['name must be valid Unicode']);
    expect(problems({ include_trashed: 'yes' })).toHaveLength(1);
  });
});

describe('results', () => {
  it('MC-33: results are data, and the same as text, marked as what others wrote', () => {
    const result = dataResult({ a: 1 });
    expect(JSON.parse(result.content[0]?.text ?? '')).toEqual(result.structuredContent);
    expect(result._meta).toEqual({ untrusted: true });
    expect(failureResult(new ToolFailure('conflict', 'no', { retry_after: 3 }))).toMatchObject({
      isError: true,
      structuredContent: { code: 'conflict', message: 'no', retry_after: 3 },
    });
  });

  it('MC-24: what waits for a person is no failure, and says where that person decides', async () => {
    const approval = {
      approval_id: 'a1',
      url: 'https://gateway.example.com/approve/x',
      expires_at: '2026-11-28T12:00:00.000Z',
    };
    const error = new GatewayError('forbidden', 'A person has to approve this.', { members: { approval } });
    const logger = { info: () => {}, warn: () => {}, error: () => {} };
    const failure = await gatewayFailure(error, async () => undefined, logger, 'r-1');
    expect(failureResult(failure)).toMatchObject({
      structuredContent: { status: 'waiting_for_approval', ...approval },
    });
    expect(failureResult(failure)).not.toHaveProperty('isError');
  });

  it('MC-33: a list ends by whole items, and its pages together have every item once', () => {
    const item = fc.record({ id: fc.uuid(), text: fc.string({ maxLength: 4_000 }) });
    fc.assert(
      fc.property(fc.array(item, { maxLength: 60 }), fc.string(), (items, token) => {
        const seen: unknown[] = [];
        let sent: string | undefined;
        for (;;) {
          const page = readPageToken(sent, 60);
          const { structuredContent = {}, content } = listResult('files', items, { ...page, token }, token, { z: 1 });
          expect(content[0]?.text.length).toBeLessThanOrEqual(RESULT_MAX_CHARACTERS);
          const { files, truncated, next_page_token: next } = structuredContent;
          seen.push(...(Array.isArray(files) ? files : []));
          if (truncated !== true) {
            expect(next).toBe(token === '' ? undefined : `0.60.${token}`);
            break;
          }
          sent = String(next);
          expect(readPageToken(sent, 1)).toMatchObject({ pageSize: 60, token });
        }
        expect(seen).toEqual(items);
      }),
    );
  });

  it('MC-33: one item that is too large alone is shortened', () => {
    const large = {
      id: '1',
      description: 'x'.repeat(100_000),
      attendees: Array.from({ length: 500 }, () => 'a@example.com'),
    };
    const { content } = listResult('events', [large], { skip: 0, pageSize: 1, token: '' }, undefined);
    expect(content[0]?.text.length).toBeLessThan(RESULT_MAX_CHARACTERS);
    expect(content[0]?.text).toContain('(shortened)');
  });
});
