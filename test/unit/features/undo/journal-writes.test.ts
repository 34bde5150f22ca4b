import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { SentRequest } from '../../../../lambdas/features/undo/read-write.rules.ts';
import { allProviders } from '../../../../lambdas/gateway/providers/index.ts';
import { INVERSES } from '../../../../lambdas/gateway/providers/inverses.ts';
import { type Json, UndoWorld } from './undo-world.ts';

let world: UndoWorld;
beforeAll(async () => {
  world = await UndoWorld.start();
});
afterAll(() => world?.[Symbol.asyncDispose]());
beforeEach(() => {
  world.wire = (send) => send();
  world.journal = true;
  world.failures.length = 0;
});

const DRIVE = '/drive/v3/files';
const EVENTS = '/calendar/v3/calendars/primary/events';
const JSON_BODY = [['content-type', 'application/json']] as const;

const newFile = async (content = 'content') =>
  (await world.ask('person', 'POST', '/upload/drive/v3/files?uploadType=media&fields=id', content, 'text/plain')).id;
const newest = (count = 1): Json[] =>
  world
    .rows()
    .slice(0, count)
    .map(({ method, state, notUndoable }) => [method, state, notUndoable]);
const json = (method: string, target: string, body: Json): SentRequest => ({
  ...{ method, target, headers: JSON_BODY },
  body: Buffer.from(JSON.stringify(body)),
});

describe('the methods that write', () => {
  /** Methods whose call changes nothing of the user's data, of those that are not GET. */
  const CHANGE_NOTHING = [
    ...['calendar.channels.stop', 'calendar.freebusy.query', 'drive.channels.stop', 'drive.files.download'],
    'driveactivity.activity.query',
  ];

  test('AP-20: each method of Google’s that writes has its way back, or says that there is none', () => {
    const writing = allProviders().flatMap(({ id, methods = [] }) =>
      methods
        .filter(([name, verb]) => verb !== 'GET' && !name.endsWith('.watch') && !CHANGE_NOTHING.includes(name))
        .map(([name]) => [id, name] as const),
    );
    const known = Object.entries(INVERSES).flatMap(([id, { methods }]) =>
      Object.keys(methods).map((name) => `${id} ${name}`),
    );
    expect([...new Set(writing.map(([id, name]) => `${id} ${name}`))].sort()).toEqual(known.sort());
    expect(known).toHaveLength(53);
  });
});

describe('what a write leaves in the journal', () => {
  test('AP-20: reads leave nothing, and a refused write nothing of what was there', async () => {
    const id = await newFile();
    const rows = world.rows().length;
    await world.ask('agent', 'GET', `${DRIVE}/${id}`);
    await world.ask('agent', 'POST', '/calendar/v3/freeBusy', {
      timeMin: '2027-01-01T00:00:00Z',
      timeMax: '2027-01-02T00:00:00Z',
      items: [],
    });
    expect(world.rows()).toHaveLength(rows);
    await world.send('agent', json('PATCH', `${DRIVE}/${id}`, { parents: ['x'] }));
    expect(newest()).toEqual([['drive.files.update', 'refused', undefined]]);
    expect(world.rows()[0].sealed).toBeUndefined();
  });

  test('AP-20: what cannot be undone is made, and says why', async () => {
    const id = await newFile();
    const doc = await world.ask('person', 'POST', `${DRIVE}?fields=id`, {
      name: 'd',
      mimeType: 'application/vnd.google-apps.document',
    });
    const cases: [SentRequest, string | undefined, string][] = [
      [json('PATCH', `${DRIVE}/${id}`, { contentHints: { indexableText: 'x' } }), 'drive.files.update', 'write_only'],
      [
        {
          ...json('PATCH', `/upload/drive/v3/files/${doc.id}?uploadType=media`, 'x'),
          headers: [['content-type', 'text/plain']],
        },
        'drive.files.update',
        'google_document',
      ],
      [json('POST', `${DRIVE}?fields=name`, { name: 'x' }), 'drive.files.create', 'no_id'],
      [
        { ...json('PATCH', `${DRIVE}/${id}`, {}), body: Buffer.from('{"name": "x"}x') },
        'drive.files.update',
        'unreadable_body',
      ],
      [{ method: 'DELETE', target: `${DRIVE}/${id}`, headers: [] }, 'drive.files.delete', 'permanent'],
      [{ method: 'DELETE', target: `${DRIVE}/${id}/`, headers: [] }, null as never, 'unknown_request'],
    ];
    for (const [request, method, reason] of cases) {
      await world.send('agent', request);
      expect([request.target, ...newest().map(([name, , why]) => [name, why])]).toEqual([
        request.target,
        [method, reason],
      ]);
    }
    expect(world.failures).toEqual([]);
  });

  test('AP-20: what is larger than a row holds cannot be undone', async () => {
    // Google limits texts to less than a row holds; attachments are what makes an event larger.
    const attachments = Array.from({ length: 25 }, () => ({ fileUrl: `https://example.com/?x=${'x'.repeat(13_000)}` }));
    const event = await world.ask('person', 'POST', `${EVENTS}?supportsAttachments=true`, {
      summary: 's',
      start: { date: '2027-01-01' },
      end: { date: '2027-01-02' },
      attachments,
    });
    await world.ask('agent', 'PATCH', `${EVENTS}/${event.id}`, { summary: 't' });
    expect(newest()).toEqual([['calendar.events.patch', 'done', 'too_large']]);
    expect(Buffer.byteLength(JSON.stringify(world.rows()[0]))).toBeLessThan(310_000);
  });

  test('AP-20: each part of a batch that writes has a row, in their order, and is undone', async () => {
    const [a, b] = [await newFile(), await newFile()];
    const since = world.clock.nowMs();
    await new Promise((resolve) => setTimeout(resolve, 2));
    const parts: SentRequest[] = [
      json('PATCH', `${DRIVE}/${a}`, { name: 'batched' }),
      { method: 'GET', target: `${DRIVE}/${a}`, headers: [] },
      json('PATCH', `${DRIVE}/missing`, { name: 'x' }),
      json('PATCH', `${DRIVE}/${b}`, { starred: true }),
      json('POST', DRIVE, { name: 'made in a batch' }),
    ];
    const body = parts
      .map(
        ({ method, target, body: inner }) =>
          `--b\r\nContent-Type: application/http\r\n\r\n${method} ${target} HTTP/1.1\r\nContent-Type: application/json\r\n\r\n${inner === undefined ? '' : Buffer.from(inner).toString()}\r\n`,
      )
      .join('');
    const batch: SentRequest = {
      method: 'POST',
      target: '/batch/drive/v3',
      headers: [['content-type', 'multipart/mixed; boundary=b']],
      body: Buffer.from(`${body}--b--\r\n`),
    };
    const answer = await world.send('agent', batch, parts);
    expect(answer.status).toBe(200);
    expect(answer.text).toContain('made in a batch');
    expect(newest(4)).toEqual([
      ['drive.files.create', 'done', undefined],
      ['drive.files.update', 'done', undefined],
      ['drive.files.update', 'refused', undefined],
      ['drive.files.update', 'done', undefined],
    ]);
    const report = await world.undo(since);
    expect([report.undone.length, report.conflicts, report.notUndoable]).toEqual([3, [], []]);
    expect(await world.ask('person', 'GET', `${DRIVE}/${a}?fields=name`)).toEqual({ name: 'Untitled' });
    expect(await world.ask('person', 'GET', `${DRIVE}/${b}?fields=starred`)).toEqual({ starred: false });
  });

  test('AP-20: a write whose answer was lost is undone if it was made, and left alone if it was not', async () => {
    for (const isMade of [true, false]) {
      const id = await newFile();
      const since = world.clock.nowMs();
      await new Promise((resolve) => setTimeout(resolve, 2));
      world.wire = async (send, method) => {
        if (method !== 'PATCH') return send();
        if (isMade) await send();
        throw new Error('lost');
      };
      await expect(world.send('agent', json('PATCH', `${DRIVE}/${id}`, { name: 'lost' }))).rejects.toThrow('lost');
      world.wire = (send) => send();
      expect(newest()).toEqual([['drive.files.update', 'unknown', undefined]]);
      const { conflicts, notUndoable } = await world.undo(since);
      expect([conflicts, notUndoable]).toEqual([[], []]);
      expect(await world.ask('person', 'GET', `${DRIVE}/${id}?fields=name`)).toEqual({ name: 'Untitled' });
    }
  });

  test('AP-20: a write continues without a row where the journal is out of reach, which is counted', async () => {
    const id = await newFile();
    world.table.fails = () => true;
    await world.ask('agent', 'PATCH', `${DRIVE}/${id}`, { name: 'unseen' });
    world.table.fails = () => false;
    expect(world.failures).toContain('JournalFailed');
    expect(world.failures.join()).not.toContain('unseen');
  });
});

describe('a journal that is required', () => {
  beforeEach(() => {
    world.journal = 'required';
  });

  test('AP-20: refuses what cannot be undone before anything is sent', async () => {
    const id = await newFile();
    const sent: string[] = [];
    world.wire = (send, method, path) => {
      sent.push(`${method} ${path}`);
      return send();
    };
    await expect(
      world.send('agent', { method: 'DELETE', target: `${DRIVE}/${id}`, headers: [] }),
    ).rejects.toMatchObject({
      code: 'not_undoable',
      status: 403,
      message: expect.stringContaining('drive.files.delete could not be: permanent'),
    });
    expect(sent).toEqual([]);
    await world.ask('agent', 'PATCH', `${DRIVE}/${id}`, { name: 'may be' });
  });

  /** Requests that create something at Google, of every method that has an answer with an id. */
  const creates = (file: string, more: string, headers: SentRequest['headers'] = []): readonly SentRequest[] => {
    const event = { summary: 's', start: { date: '2027-01-01' }, end: { date: '2027-01-02' } };
    const upload = `/upload${DRIVE}?uploadType`;
    const all = [
      json('POST', `${DRIVE}?${more}`, { name: 'n' }),
      json('POST', `${DRIVE}/${file}/copy?${more}`, { name: 'n' }),
      json('POST', `${DRIVE}/${file}/permissions?${more}`, { type: 'anyone', role: 'reader' }),
      json('POST', `${DRIVE}/${file}/comments?${more}`, { content: 'c' }),
      json('POST', `/drive/v3/drives?requestId=r1&${more}`, { name: 'd' }),
      json('POST', `${EVENTS}?${more}`, event),
      json('POST', `${EVENTS}/import?${more}`, { ...event, iCalUID: 'u1' }),
      { method: 'POST', target: `${EVENTS}/quickAdd?text=lunch&${more}`, headers: [] },
      json('POST', `/calendar/v3/calendars?${more}`, { summary: 'c' }),
      { method: 'POST', target: `${upload}=media&${more}`, headers: [], body: Buffer.from('x') },
      json('POST', `${upload}=resumable&${more}`, { name: 'n' }),
      json('POST', `/upload${DRIVE}?upload_protocol=resumable&${more}`, { name: 'n' }),
      { method: 'PUT', target: `${upload}=resumable&upload_id=u&${more}`, headers: [], body: Buffer.from('x') },
    ];
    return all.map((request) => ({ ...request, headers: [...request.headers, ...headers] }));
  };

  test('refuses every create whose answer would not have the id that an undo needs, before anything is sent (AP-24)', async () => {
    const file = await newFile();
    let sent = 0;
    world.wire = (send) => {
      sent++;
      return send();
    };
    const ways: readonly (readonly [query: string, headers?: SentRequest['headers']])[] = [
      ...['fields=name', 'fields=', 'fields=files(id)', 'fields=name,owners(id,*)', '%66ields=name', '$fields=name'],
      ...['fields=id&fields=name', 'Fields=name', 'a=b;fields=name', 'alt=media', 'alt=proto', '$alt=proto', 'ALT=csv'],
    ].map((query) => [query] as const);
    const headers = [['X-Goog-FieldMask', 'name'] as const, ['Accept-Encoding', 'gzip, compress'] as const];
    for (const [query, more] of [...ways, ...headers.map((one) => ['a=b', [one]] as const)]) {
      for (const request of creates(file, query, more)) {
        await expect(world.send('agent', request), `${request.target} ${more}`).rejects.toMatchObject({
          code: 'not_undoable',
          message: expect.stringContaining('no_id'),
        });
        await expect(
          world.send('agent', { method: 'POST', target: '/batch/drive/v3', headers: [] }, [request]),
        ).rejects.toMatchObject({ code: 'not_undoable', message: expect.stringContaining('parts[0]') });
      }
    }
    expect(sent).toBe(0);
  });

  test('sends a create whose answer has its id, with the fields that the caller named, and undoes it (AP-24)', async () => {
    const since = world.clock.nowMs();
    const name = { name: 'asked for' };
    await new Promise((resolve) => setTimeout(resolve, 2));
    expect(Object.keys(await world.ask('agent', 'POST', `${DRIVE}?fields=name,id&prettyPrint=false`, name))).toEqual(
      expect.arrayContaining(['id', 'name']),
    );
    for (const query of ['fields=*', 'fields=kind,id,owners(displayName)', 'alt=json', '']) {
      await world.ask('agent', 'POST', `${DRIVE}?${query}`, name);
    }
    expect(newest(5)).toEqual(Array.from({ length: 5 }, () => ['drive.files.create', 'done', undefined]));
    expect((await world.undo(since)).undone).toHaveLength(5);
  });

  test('AP-20: refuses a write while what it would change cannot be read, or its row not be written', async () => {
    const id = await newFile();
    world.wire = (send, method) => (method === 'GET' ? Promise.reject(new Error('down')) : send());
    const write = () => world.send('agent', json('PATCH', `${DRIVE}/${id}`, { name: 'not now' }));
    await expect(write()).rejects.toMatchObject({ code: 'service_unavailable', applied: 'no' });
    world.wire = (send) => send();
    world.table.fails = () => true;
    await expect(write()).rejects.toMatchObject({ code: 'service_unavailable' });
    world.table.fails = () => false;
    expect(await world.ask('person', 'GET', `${DRIVE}/${id}?fields=name`)).toEqual({ name: 'Untitled' });
  });
});

describe('what an undo sends', () => {
  test('AP-21: asks Google for no mail, and writes an event only with its etag', async () => {
    const event = await world.ask('person', 'POST', EVENTS, {
      summary: 's',
      start: { date: '2027-01-01' },
      end: { date: '2027-01-02' },
      attendees: [{ email: 'second.user@example.com' }],
    });
    const id = await newFile();
    const shared = await world.ask('person', 'POST', `${DRIVE}/${id}/permissions`, {
      type: 'user',
      role: 'reader',
      emailAddress: 'second.user@example.com',
    });
    const since = world.clock.nowMs();
    await new Promise((resolve) => setTimeout(resolve, 2));
    await world.ask('agent', 'PATCH', `${EVENTS}/${event.id}?sendUpdates=all`, { summary: 't' });
    await world.ask('agent', 'DELETE', `${EVENTS}/${event.id}?sendUpdates=all`);
    await world.ask('agent', 'POST', EVENTS, {
      summary: 'new',
      start: { date: '2027-01-01' },
      end: { date: '2027-01-02' },
    });
    await world.ask('agent', 'DELETE', `${DRIVE}/${id}/permissions/${shared.id}`);
    const writes: string[] = [];
    world.wire = (send, method, path) => {
      if (method !== 'GET') writes.push(`${method} ${path}`);
      return send();
    };
    const { undone } = await world.undo(since);
    expect(undone).toHaveLength(4);
    expect(writes).toHaveLength(4);
    for (const write of writes) expect(write).toMatch(/sendUpdates=none|sendNotificationEmail=false/);
    expect(world.rows().filter(({ undoes }) => undoes !== undefined).length).toBeGreaterThanOrEqual(4);
    expect(world.told.at(-1)).toMatchObject({
      eventType: 'ChangesUndone',
      says: { undone: '4', conflicts: '0', not_undoable: '0' },
    });
  });

  test('AP-21: a folder that the key has made stays where somebody has put something into it', async () => {
    const since = world.clock.nowMs();
    await new Promise((resolve) => setTimeout(resolve, 2));
    const folder = await world.ask('agent', 'POST', DRIVE, {
      name: 'f',
      mimeType: 'application/vnd.google-apps.folder',
    });
    await world.ask('agent', 'POST', DRIVE, { name: 'mine', parents: [folder.id] });
    await world.ask('person', 'POST', DRIVE, { name: 'theirs', parents: [folder.id] });
    for (const dryRun of [true, false]) {
      const { undone, conflicts } = await world.undo(since, { dryRun });
      expect([undone.length, conflicts.map(({ object }: Json) => object.ids)]).toEqual([1, [[folder.id]]]);
    }
  });

  test('AP-21: stops where Google is out of breath, and continues from there', async () => {
    const ids = [await newFile(), await newFile(), await newFile()];
    const since = world.clock.nowMs();
    await new Promise((resolve) => setTimeout(resolve, 2));
    for (const id of ids) await world.ask('agent', 'PATCH', `${DRIVE}/${id}`, { name: 'changed' });
    let patches = 0;
    world.wire = async (send, method) => {
      if (method !== 'PATCH' || ++patches !== 2) return send();
      return { status: 503, headers: [], body: (async function* () {})(), abandon: () => {} };
    };
    const first = await world.undoOnce(since);
    expect([first.undone.length, first.next === undefined]).toEqual([1, false]);
    world.wire = async () => ({ status: 429, headers: [], body: (async function* () {})(), abandon: () => {} });
    await expect(world.undoOnce(since)).rejects.toMatchObject({ code: 'service_unavailable' });
    world.wire = (send) => send();
    const rest = await world.undoOnce(since, { ...(first.next && { from: first.next }) });
    expect([rest.undone.length, rest.next]).toEqual([2, undefined]);
    for (const id of ids)
      expect(await world.ask('person', 'GET', `${DRIVE}/${id}?fields=name`)).toEqual({ name: 'Untitled' });
  });

  test('AP-23: rows are encrypted and end after seven days, and nothing of a file’s content is in them', async () => {
    const id = await newFile('the canary content');
    await world.ask('agent', 'PATCH', `/upload/drive/v3/files/${id}?uploadType=media`, 'canary two', 'text/plain');
    await world.ask('agent', 'PATCH', `${DRIVE}/${id}`, { name: 'canary name', description: 'canary text' });
    const rows = world.rows().slice(0, 2);
    const open = rows.map(({ sealed: _, ...row }) => JSON.stringify(row)).join();
    expect(open).not.toMatch(/canary/);
    expect(open).not.toContain(id);
    const sealed = rows.map(({ sealed }) => Buffer.from(sealed.split('.').at(-1), 'base64url').toString()).join();
    expect(sealed).toMatch(/canary name/);
    expect(sealed).not.toMatch(/canary content|canary two/);
    for (const { expiresAtEpochSec } of rows) {
      expect(expiresAtEpochSec * 1000 - world.clock.nowMs()).toBeLessThanOrEqual(7 * 86_400_000);
    }
  });
});
