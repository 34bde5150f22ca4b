import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { GatewayError } from '../../../lambdas/gateway/core/errors.ts';
import { TOOL_NAMES } from '../../../lambdas/gateway/keys/agent.rules.ts';
import { allProviders } from '../../../lambdas/gateway/providers/index.ts';
import { APPROVAL_STATUS } from '../../../lambdas/mcp/approval-status.ts';
import { gatewayFailure } from '../../../lambdas/mcp/failures.ts';
import { argumentProblems } from '../../../lambdas/mcp/tools/arguments.rules.ts';
import {
  dataResult,
  failureResult,
  listResult,
  RESULT_MAX_CHARACTERS,
  readPageToken,
} from '../../../lambdas/mcp/tools/results.rules.ts';
import type { ToolAnswer, ToolRequest } from '../../../lambdas/mcp/tools/tool.ts';
import { ToolFailure } from '../../../lambdas/mcp/tools/tool-failure.rules.ts';
import { hasTool, TOOLS } from '../../../lambdas/mcp/tools/tool-list.ts';

const NOW_MS = Date.UTC(2026, 10, 27, 12);

/** Runs a tool on answers that are given one after the other, and says what it asked. */
async function run(name: string, args: Record<string, unknown>, answers: readonly unknown[] = [{}]) {
  const tool = TOOLS.find(({ definition }) => definition.name === name);
  if (tool === undefined) throw new Error(`No tool ${name}`);
  expect(argumentProblems(tool.definition, args)).toEqual([]);
  const asked: ToolRequest[] = [];
  const send = async (request: ToolRequest): Promise<ToolAnswer> => {
    asked.push(request);
    const answer = answers[asked.length - 1] ?? {};
    const body = typeof answer === 'string' ? answer : JSON.stringify(answer);
    return { headers: [], body: Buffer.from(body) };
  };
  const result = await tool.run(args, { send, nowMs: NOW_MS, onceId: 'f'.repeat(40) });
  return { asked, result, query: Object.fromEntries(asked.at(-1)?.query ?? []) };
}

describe('the tools', () => {
  it('MC-21: are the named ones in one order, with names, schemas and hints that every client takes', () => {
    const all = [...TOOLS.map(({ definition }) => definition), APPROVAL_STATUS];
    expect(all.map(({ name }) => name)).toEqual(TOOL_NAMES);
    expect(JSON.stringify(all).length).toBeLessThanOrEqual(12_000);
    for (const definition of all) {
      expect(definition.name).toMatch(/^[a-z_]{1,56}$/);
      expect(definition.inputSchema).toMatchObject({ type: 'object', additionalProperties: false });
      expect(definition.annotations).toMatchObject({ openWorldHint: false });
      for (const name of definition.inputSchema.required ?? [])
        expect(definition.inputSchema.properties).toHaveProperty(name);
    }
  });

  it('MC-22: name methods and scopes that there are', () => {
    const methods = allProviders().flatMap(({ methodMeanings = [] }) => methodMeanings.map(({ id }) => id));
    for (const tool of TOOLS) {
      const provider = allProviders().find(({ id }) => id === tool.provider);
      const scopes = provider?.scopes.map(({ scope }) => scope.split('/').at(-1));
      expect(tool.methods.filter((id) => !methods.includes(id))).toEqual([]);
      expect(tool.scopes.filter((scope) => scopes?.includes(scope) !== true)).toEqual([]);
    }
  });

  it('MC-21: need all their methods, one of their scopes, and to be named where tools are', () => {
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

  it('MC-22: no argument reaches a path, a header or a query but in its place, encoded', async () => {
    const odd = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom('../..', 'a/b?c=d', '%2e%2e', 'x\r\ny: z', 'trash', "a' or 'b"),
    );
    const args = fc.dictionary(
      fc.constantFrom(...new Set(TOOLS.flatMap(({ definition }) => Object.keys(definition.inputSchema.properties)))),
      odd,
    );
    const paths =
      /^(\/upload)?\/drive\/v3\/files(\/[A-Za-z0-9_-]+(\/(copy|export))?)?$|^\/calendar\/v3\/(users\/me\/calendarList|calendars\/(?:[\w.!~*'()-]|%[0-9A-F]{2})+\/events(\/[A-Za-z0-9_-]+)?)$/;
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
        await tool.run(right, { send, nowMs: NOW_MS, onceId: 'f'.repeat(40) }).catch((error: unknown) => {
          if (!(error instanceof ToolFailure)) throw error;
        });
      }),
      { numRuns: 500 },
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

  it('MC-34: changes a file only at the version that was read', async () => {
    const args = { file_id: 'abc', content: 'new', expected_version: '7' };
    const changed = await run('drive_update_file_content', args, [
      { version: '7', mimeType: 'text/plain' },
      { id: 'abc' },
    ]);
    expect(changed.asked.map(({ method, path }) => `${method} ${path}`)).toEqual([
      'GET /drive/v3/files/abc',
      'PATCH /upload/drive/v3/files/abc',
    ]);
    await expect(
      run('drive_update_file_content', args, [{ version: '8', mimeType: 'text/plain' }]),
    ).rejects.toMatchObject({
      code: 'conflict',
    });
    await expect(
      run('drive_trash_file', { file_id: 'abc', expected_version: '7' }, [{ version: '8' }]),
    ).rejects.toMatchObject({
      code: 'conflict',
    });
    const document = { version: '7', mimeType: 'application/vnd.google-apps.document' };
    const replaced = await run('drive_update_file_content', args, [document, {}]);
    expect(replaced.asked[1]?.headers).toEqual([['content-type', 'text/markdown; charset=UTF-8']]);
    await expect(
      run('drive_update_file_content', args, [{ version: '7', mimeType: 'image/png' }]),
    ).rejects.toMatchObject({
      code: 'not_text',
    });
  });

  it('MC-33: reads by code points, and says where to go on', async () => {
    const content = '😀'.repeat(30);
    const file = { name: 'a', mimeType: 'text/plain', size: '120', version: '1' };
    const { result } = await run('drive_read_file_content', { file_id: 'abc', offset: 5, max_characters: 10 }, [
      file,
      content,
    ]);
    const [about, text] = result.content;
    expect(text?.text).toBe('😀'.repeat(10));
    expect(JSON.parse(about?.text ?? '')).toMatchObject({ next_offset: 15, total_characters: 30, truncated: true });
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

  it('uploads what is to be in a file beside its name', async () => {
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
    const zoned = await run('calendar_create_event', { ...event, attendees: ['a@example.com'] });
    expect(zoned.query.sendUpdates).toBe('none');
    expect(JSON.parse(zoned.asked[0]?.body ?? '')).toEqual({
      id: 'f'.repeat(40),
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
    await expect(
      run('calendar_create_event', { summary: 'a', start: '2026-12-01T09:00', end: '2026-12-01T10:00' }),
    ).rejects.toMatchObject({
      code: 'invalid_arguments',
    });
    const changed = await run('calendar_update_event', { event_id: 'e1', etag: '123', summary: 'b' });
    expect(changed.asked[0]).toMatchObject({
      method: 'PATCH',
      path: '/calendar/v3/calendars/primary/events/e1',
      body: '{"summary":"b"}',
    });
    expect(changed.asked[0]?.headers).toContainEqual(['if-match', '"123"']);
    const removed = await run('calendar_delete_event', {
      event_id: 'e1',
      calendar_id: 'de.german#holiday@group.v.calendar.google.com',
    });
    expect(removed.asked[0]).toMatchObject({
      method: 'DELETE',
      path: '/calendar/v3/calendars/de.german%23holiday%40group.v.calendar.google.com/events/e1',
    });
  });

  it('MC-33: goes on with a list of events in the time of its first page, whatever the clock says by then', async () => {
    const first = await run('calendar_list_events', {}, [{ items: [], nextPageToken: 'next' }]);
    expect(first.query.timeMin).toBe(new Date(NOW_MS).toISOString());
    const page_token = String(first.result.structuredContent?.next_page_token);
    const next = await run('calendar_list_events', { page_token, time_min: '2031-01-01T00:00:00Z' });
    expect(next.query).toMatchObject({ timeMin: first.query.timeMin, timeMax: first.query.timeMax, pageToken: 'next' });
    const huge = run('calendar_list_events', { page_token: '0.50.9999999999999999~9999999999999999~x' });
    await expect(huge).rejects.toMatchObject({ code: 'invalid_arguments' });
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
  it('MC-33: are data, and the same as text, marked as what others wrote', () => {
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
    const error = Object.assign(new GatewayError('forbidden', 'A person has to approve this.'), { approval });
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
