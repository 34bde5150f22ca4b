// @module-tag long
import { createHash } from 'node:crypto';
import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, test } from 'vitest';
import { runGateway } from '../../../support/command-line.ts';
import { assistant } from '../../../support/mcp-client.ts';
import { signIn } from '../../../support/operator.ts';
import { tableClient } from '../../../support/table.ts';
import { keyWith } from '../../api/keys.ts';
import { stored } from '../../api/secrecy/stored.ts';
import { type Json, useUndoWorld } from './undo-world.ts';

const world = useUndoWorld();
const { ask, undo, gateway } = world;

const DRIVE = '/drive/v3/files';
const EVENTS = '/calendar/v3/calendars/primary/events';
const SECOND = 'second.user@example.com';
const EVENT = { summary: 'before', start: { date: '2027-02-01' }, end: { date: '2027-02-02' } };

const commandLine = (...words: string[]) => runGateway(gateway, words);
const keyId = () => createHash('sha256').update(world.key()).digest('hex').slice(0, 12);

describe('what a key wrote', () => {
  test('AP-21: one command undoes forty writes, and reports the one that a person has changed since', {
    tags: ['long'],
  }, async () => {
    const files: string[] = [];
    const events: string[] = [];
    for (let i = 0; i < 5; i++) {
      files.push((await ask('person', 'POST', `${DRIVE}?fields=id`, { name: `file ${i}`, mimeType: 'text/plain' })).id);
      events.push((await ask('person', 'POST', EVENTS, EVENT)).id);
    }
    const look = async () => [
      ...(await Promise.all(
        files.map((id) =>
          ask(
            'person',
            'GET',
            `${DRIVE}/${id}?fields=name,description,starred,explicitlyTrashed,permissions(role,emailAddress)`,
          ),
        ),
      )),
      ...(await Promise.all(events.map(async (id) => (await ask('person', 'GET', `${EVENTS}/${id}`)).summary))),
    ];
    const before = await look();
    const since = new Date();
    for (const [i, id] of files.entries()) {
      await ask('agent', 'PATCH', `${DRIVE}/${id}`, { name: `renamed ${i}` });
      await ask('agent', 'PATCH', `${DRIVE}/${id}`, { description: 'new', starred: true });
      await ask('agent', 'POST', `${DRIVE}/${id}/permissions`, { type: 'user', role: 'reader', emailAddress: SECOND });
      await ask('agent', 'PATCH', `${DRIVE}/${id}`, { trashed: true });
    }
    for (const id of events) {
      await ask('agent', 'PATCH', `${EVENTS}/${id}`, { summary: 'patched' });
      await ask('agent', 'PATCH', `${EVENTS}/${id}`, { colorId: '3' });
      await ask('agent', 'DELETE', `${EVENTS}/${id}`);
      await ask('agent', 'POST', EVENTS, { ...EVENT, summary: 'by the agent' });
    }
    const [planted = ''] = events;
    const cancelled = await ask('person', 'GET', `${EVENTS}/${planted}`);
    await ask('person', 'PUT', `${EVENTS}/${planted}`, { ...cancelled, status: 'confirmed', summary: 'by a person' });
    const ended = await commandLine('undo', '--key', keyId(), '--since', since.toISOString(), '--json', '--yes');
    expect(ended.code, ended.err).toBe(0);
    const report: Json = JSON.parse(ended.out);
    expect(report.conflicts.map(({ object }: Json) => object.ids.at(-1))).toEqual([planted]);
    expect(report.notUndoable).toEqual([]);
    expect(report.undone).toHaveLength(37);
    const after = await look();
    expect(after[5]).toBe('by a person');
    expect(after.toSpliced(5, 1)).toEqual(before.toSpliced(5, 1));
    const rows = await commandLine('journal', '--key', keyId(), '--limit', '3');
    expect(rows.out).toContain('calendar.events.');
  });

  test('AP-21: a file’s id finds what every key did to it, and API and command line each undo one write alone', async () => {
    const file = await ask('person', 'POST', `${DRIVE}?fields=id`, { name: 'one', description: 'old' });
    const other = await keyWith(gateway, { right: 'proxy', limits: { mode: 'enforce', journal: true } });
    const { integration, connection } = world.connectionOf(DRIVE);
    await ask('agent', 'PATCH', `${DRIVE}/${file.id}`, { name: 'two' });
    const asOther = await gateway.proxyAs(integration, connection, `${DRIVE}/${file.id}`, {
      method: 'PATCH',
      headers: { authorization: `Bearer ${other}`, 'content-type': 'application/json' },
      body: JSON.stringify({ description: 'new' }),
    });
    expect(asOther.status).toBe(200);
    const found = await gateway.json('GET', `/journal?object_id=${file.id}`);
    expect(found.body.data).toHaveLength(2);
    const listed = await commandLine('journal', '--object', file.id, '--json');
    expect(JSON.parse(listed.out).data.map(({ id }: Json) => id)).toEqual(found.body.data.map(({ id }: Json) => id));
    const look = async () => ask('person', 'GET', `${DRIVE}/${file.id}?fields=name,description`);
    const [second, first] = found.body.data;
    const one = await gateway.json('POST', '/undo', { key_id: second.key_id, write_id: second.id });
    expect(one.body.data.undone).toHaveLength(1);
    expect(await look()).toEqual({ name: 'two', description: 'old' });
    const ended = await commandLine('undo', '--key', keyId(), '--write', first.id, '--json', '--yes');
    expect(ended.code, ended.err).toBe(0);
    expect(JSON.parse(ended.out).undone).toHaveLength(1);
    expect(await look()).toEqual({ name: 'one', description: 'old' });
  });

  test('AP-23: what was in it shows in nothing that is stored or logged, and in no answer', async () => {
    const since = new Date();
    const made = await ask('agent', 'POST', `${DRIVE}?fields=id`, { name: 'canary-name', description: 'canary-text' });
    await ask('agent', 'PATCH', `${DRIVE}/${made.id}`, {
      name: 'canary-other',
      properties: { canary: 'canary-value' },
    });
    await ask('agent', 'POST', `${DRIVE}/${made.id}/permissions`, {
      type: 'user',
      role: 'reader',
      emailAddress: SECOND,
    });
    const event = await ask('agent', 'POST', EVENTS, { ...EVENT, summary: 'canary-event' });
    await ask('person', 'PATCH', `${EVENTS}/${event.id}`, { summary: 'canary-person' });
    await world.send('agent', 'PATCH', `${DRIVE}/${made.id}`, { body: '{"name":"canary-broken"' });
    const planned = await undo(since, { dryRun: true });
    const done = await undo(since);
    expect([done.undone.length, done.conflicts.length]).toEqual([3, 1]);
    const listed = await world.journal({ limit: '20' });
    expect(listed.data.some(({ object }: Json) => object?.ids[0] === made.id)).toBe(true);
    const reported = JSON.stringify([planned, done, listed, gateway.gateway.events]);
    expect(reported).not.toMatch(/canary|second\.user/);
    for (const { name, text } of stored(gateway.gateway.dataDir)) {
      expect([name, /canary-|undo.*second\.user/.test(text)]).toEqual([name, false]);
    }
  });

  test('AP-23: a row takes few units of the table, and is found by no other account', { tags: ['long'] }, async () => {
    const { Items = [] } = await tableClient(gateway).send(new ScanCommand({ TableName: await journalTable() }));
    const writes = Items.filter(({ pk }) => String(pk).startsWith('JOURNAL#'));
    expect(writes.length).toBeGreaterThan(40);
    const units = writes.map((item) => Math.ceil(Buffer.byteLength(JSON.stringify(item)) / 1024));
    const mean = units.reduce((sum, one) => sum + one, 0) / units.length;
    // Written before and after the write, at first without what it left; one more is the entry of the index. See ASSUMPTIONS.journalWriteUnits.
    expect(mean).toBeLessThan(3.2);
  });

  test('AP-20: what a person approved, and what an agent key wrote, is in the journal and undone as any other write', async () => {
    const { integration, connection } = world.connectionOf(DRIVE);
    const operator = (await signIn(gateway.gateway)).accessToken;
    const { id } = await ask('person', 'POST', `${DRIVE}?fields=id`, { name: 'asked for', mimeType: 'text/plain' });
    const asking = await keyWith(gateway, {
      right: 'proxy',
      limits: { mode: 'enforce', approve: ['delete'], journal: true },
    });
    const since = new Date();
    const held = await gateway.proxyAs(integration, connection, `${DRIVE}/${id}`, {
      method: 'PATCH',
      headers: { authorization: `Bearer ${asking}`, 'content-type': 'application/json' },
      body: '{"trashed":true}',
    });
    const { approval_id } = Object(await held.json()).error.approval;
    await gateway.json('POST', `/approvals/${approval_id}/decision`, { decision: 'approve' }, operator);
    const detail = { account_id: 'default', approval_id, outcome: 'approved' };
    expect(await gateway.gateway.tick('approvals', { detail })).toEqual({ state: 'done' });
    const isTrashed = async () => (await ask('person', 'GET', `${DRIVE}/${id}?fields=trashed`)).trashed;
    expect(await isTrashed()).toBe(true);
    expect((await undo(since, { key: asking })).undone).toHaveLength(1);
    expect(await isTrashed()).toBe(false);

    const made = await gateway.json('POST', '/account/agents', {
      ...{ name: 'Agent', connections: [{ integration_id: integration, connection_id: connection }] },
      limits: { mode: 'enforce', allow: ['drive:read', 'drive:write'], approve: ['share'], journal: true },
    });
    const { agent_key: agentKey } = made.body.data;
    const { call } = assistant(gateway, agentKey);
    const before = new Date();
    expect((await call('drive_trash_file', { file_id: id })).structuredContent.trashed).toBe(true);
    const written = (await call('drive_create_file', { name: 'by an agent', kind: 'text', content: 'x' }))
      .structuredContent;
    expect((await undo(before, { key: agentKey })).undone).toHaveLength(2);
    expect(await isTrashed()).toBe(false);
    expect((await ask('person', 'GET', `${DRIVE}/${written.id}?fields=trashed`)).trashed).toBe(true);
  });

  test('AP-21: forty random calls of tools by an agent key are undone by one command, but for the one that a person has changed since', {
    tags: ['long'],
  }, async () => {
    const seed = Math.floor(Math.random() * 1e9);
    const random = randomOf(seed);
    const pick = <T>(all: readonly T[]): T | undefined => all[Math.floor(random() * all.length)];
    const upload = (path: string, method: string, content: string) =>
      ask('person', method, `/upload${path}?uploadType=media&fields=id`, content, { 'content-type': 'text/plain' });
    const files: string[] = [];
    const events: string[] = [];
    for (let i = 0; i < 4; i++) {
      files.push((await upload(DRIVE, 'POST', `content ${i}`)).id);
      events.push((await ask('person', 'POST', EVENTS, { ...EVENT, summary: `event ${i}` })).id);
    }
    const [planted = ''] = files;
    const look = async () => ({
      files: await Promise.all(
        files.map((id) => ask('person', 'GET', `${DRIVE}/${id}?fields=name,md5Checksum,trashed,parents`)),
      ),
      count: (await ask('person', 'GET', `${DRIVE}?q=trashed%3Dfalse&pageSize=1000&fields=files(id)`)).files.length,
      events: await Promise.all(
        events.map(async (id) => {
          const { summary, location, start, status, attendees } = await ask('person', 'GET', `${EVENTS}/${id}`);
          return { summary, location, start, status, attendees };
        }),
      ),
      listed: (await ask('person', 'GET', `${EVENTS}?maxResults=2500`)).items.length,
    });
    const before = await look();
    const places = [DRIVE, EVENTS].map((path) => world.connectionOf(path));
    const made = await gateway.json('POST', '/account/agents', {
      name: 'Random agent',
      connections: places.map(({ integration, connection }) => ({
        integration_id: integration,
        connection_id: connection,
      })),
      limits: {
        ...{ mode: 'enforce', journal: true, approve: ['share'], minute: { calls: 2_000 } },
        allow: ['drive:read', 'drive:write', 'calendar:read', 'calendar:write', 'calendar:delete'],
      },
    });
    const { agent_key: agentKey, id: agentId } = made.body.data;
    const { call } = assistant(gateway, agentKey);
    const since = new Date();
    const own = { files: [...files], events: [...events] };
    const change = async (file_id: string) => {
      const { version } = (await call('drive_get_file_metadata', { file_id })).structuredContent;
      const args = { file_id, content: `changed ${random()}`, expected_version: version, replace_unread: true };
      return call('drive_update_file_content', args);
    };
    const ways: readonly (() => Promise<Json>)[] = [
      () => call('drive_create_file', { name: `made ${random()}`, kind: 'text', content: 'x' }),
      () => call('drive_copy_file', { file_id: pick(own.files) ?? planted, name: `copy ${random()}` }),
      () => change(pick(own.files) ?? planted),
      () => change(pick(own.files) ?? planted),
      () => {
        const file_id = pick(own.files.filter((id) => id !== planted)) ?? planted;
        own.files = own.files.filter((id) => id !== file_id || id === planted);
        return file_id === planted ? change(planted) : call('drive_trash_file', { file_id });
      },
      () => call('calendar_create_event', { summary: `made ${random()}`, start: '2027-03-01', end: '2027-03-02' }),
      async () => {
        const event_id = pick(own.events) ?? '';
        const { etag } = (await call('calendar_get_event', { event_id })).structuredContent;
        return call('calendar_update_event', {
          event_id,
          etag,
          location: `place ${random()}`,
          summary: `s ${random()}`,
        });
      },
      () => {
        const event_id = own.events.length > 1 ? (pick(own.events) ?? '') : '';
        if (event_id === '')
          return call('calendar_create_event', { summary: `m ${random()}`, start: '2027-03-01', end: '2027-03-02' });
        own.events = own.events.filter((id) => id !== event_id);
        return call('calendar_delete_event', { event_id });
      },
    ];
    for (let written = 0; written < 39; written++) {
      const result = await pick(ways)?.();
      expect([seed, written, result?.isError, result?.code]).toEqual([seed, written, undefined, undefined]);
      const { id } = result.structuredContent;
      if (
        typeof id === 'string' &&
        !own.files.includes(id) &&
        !own.events.includes(id) &&
        /made|copy/.test(result.structuredContent.name ?? '')
      )
        own.files.push(id);
    }
    expect(await change(planted)).not.toHaveProperty('isError');
    await upload(`${DRIVE}/${planted}`, 'PATCH', 'by a person');
    const ended = await commandLine('undo', '--key', agentId, '--since', since.toISOString(), '--json', '--yes');
    expect(ended.code, `${seed} ${ended.err}`).toBe(0);
    const report: Json = JSON.parse(ended.out);
    expect([seed, report.conflicts.map(({ object }: Json) => object.ids[0])]).toEqual([seed, [planted]]);
    expect([seed, report.notUndoable]).toEqual([seed, []]);
    const after = await look();
    expect(after.files[0].md5Checksum).toBe(createHash('md5').update('by a person').digest('hex'));
    expect([seed, { ...after, files: after.files.slice(1) }]).toEqual([
      seed,
      { ...before, files: before.files.slice(1) },
    ]);
  });

  test('AP-20: a key without a journal leaves none, and only full keys and operators undo', async () => {
    const plain = await keyWith(gateway, { right: 'proxy' });
    const { integration, connection } = world.connectionOf(DRIVE);
    await gateway.proxyAs(integration, connection, DRIVE, {
      method: 'POST',
      headers: { authorization: `Bearer ${plain}`, 'content-type': 'application/json' },
      body: '{"name":"x"}',
    });
    const plainId = createHash('sha256').update(plain).digest('hex');
    expect((await gateway.json('GET', `/journal?key_id=${plainId}`)).body.data).toEqual([]);
    const body = { key_id: plainId, since: new Date().toISOString() };
    expect((await gateway.json('POST', '/undo', body, plain)).status).toBe(403);
    const reader = await keyWith(gateway, { right: 'read' });
    expect((await gateway.json('POST', '/undo', body, reader)).status).toBe(403);
    expect((await gateway.json('GET', `/journal?key_id=${plainId}`, undefined, reader)).status).toBe(403);
    expect((await gateway.json('POST', '/undo', { since: body.since })).body.error.code).toBe('invalid_body');
  });

  test('AP-21: what all keys wrote on a connection is undone by its id', async () => {
    const { integration, connection } = world.connectionOf(DRIVE);
    const other = await keyWith(gateway, { right: 'proxy', limits: { mode: 'enforce', journal: 'required' } });
    const { id } = await ask('person', 'POST', `${DRIVE}?fields=id`, { name: 'shared work' });
    const since = new Date().toISOString();
    await ask('agent', 'PATCH', `${DRIVE}/${id}`, { name: 'one' });
    const send = (method: string, path: string, body?: Json) =>
      gateway.proxyAs(integration, connection, path, {
        method,
        headers: { authorization: `Bearer ${other}`, 'content-type': 'application/json' },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
    expect((await send('PATCH', `${DRIVE}/${id}`, { name: 'two' })).status).toBe(200);
    const refused = await send('DELETE', `${DRIVE}/${id}`);
    expect([refused.status, refused.headers.get('x-gateway-error')]).toEqual([403, 'not_undoable']);
    const whose = { provider_config_key: integration, connection_id: connection };
    const { body } = await gateway.json('POST', '/undo', { ...whose, since });
    expect([body.data.undone.length, body.data.conflicts, body.data.not_undoable]).toEqual([2, [], []]);
    expect(await ask('person', 'GET', `${DRIVE}/${id}?fields=name`)).toEqual({ name: 'shared work' });
    const event = await gateway.gateway.waitForEvent((one) => one['detail-type'] === 'ChangesUndone');
    expect(event.detail).toMatchObject({ undone: expect.any(String) });
  });
});

async function journalTable(): Promise<string> {
  const { ListTablesCommand } = await import('@aws-sdk/client-dynamodb');
  const { TableNames = [] } = await tableClient(gateway).send(new ListTablesCommand({}));
  const [name = ''] = TableNames.filter((one) => /Journal/i.test(one));
  return name;
}

/** The same numbers again for the same seed (mulberry32). */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let value = Math.imul(state ^ (state >>> 15), 1 | state);
    value = (value + Math.imul(value ^ (value >>> 7), 61 | value)) ^ value;
    return ((value ^ (value >>> 14)) >>> 0) / 4294967296;
  };
}
