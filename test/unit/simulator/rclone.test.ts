/** What rclone sends, as recorded of rclone 1.60.1 (`sync`, `check`, `copy`, `move`, `link`, `deletefile`, `purge`, `cleanup`). */
import { createHash } from 'node:crypto';
import { expect } from 'vitest';
import { test, type User } from './harness.ts';
import { FILES, FOLDER } from './names.ts';
import { type Json, jsonInit, records, text } from './values.ts';

const FIELDS =
  'id,name,size,md5Checksum,trashed,explicitlyTrashed,modifiedTime,createdTime,mimeType,parents,webViewLink,shortcutDetails,exportLinks,resourceKey';
const ALL = 'prettyPrint=false&supportsAllDrives=true';
const WRITTEN = `alt=json&fields=${FIELDS}&keepRevisionForever=false&${ALL}`;
const MODIFIED = '2026-11-01T10:00:00.000Z';
const CHUNK = 256 * 1024;
const md5 = (bytes: Uint8Array) => createHash('md5').update(bytes).digest('hex');

/** The calls of rclone on one place: My Drive, or a shared drive. */
function rclone(user: User, driveId: string | undefined) {
  const where = driveId === undefined ? '' : `&corpora=drive&driveId=${driveId}`;
  const describe = (name: string, parent: string): Json => ({ name, parents: [parent], modifiedTime: MODIFIED });
  return {
    mkdir: async (name: string, parent: string) =>
      text((await user.post(`${FILES}?alt=json&fields=id&${ALL}`, { ...describe(name, parent), mimeType: FOLDER })).id),
    async list(folder: string, name?: string) {
      const q = `trashed=false and ('${folder}' in parents)${name === undefined ? '' : ` and (name='${name}')`}`;
      const lists = `alt=json&fields=files(${FIELDS}),nextPageToken,incompleteSearch&includeItemsFromAllDrives=true&pageSize=1000`;
      const page = await user.json(`${FILES}?${lists}&${ALL}${where}&q=${encodeURIComponent(q)}`);
      expect(page.incompleteSearch).toBe(false);
      return records(page.files);
    },
    /** An upload below the cutoff. */
    async upload(name: string, parent: string, bytes: string) {
      const parts = [`application/json\r\n\r\n${JSON.stringify(describe(name, parent))}`, `text/plain\r\n\r\n${bytes}`];
      const body = `${parts.map((part) => `--b\r\nContent-Type: ${part}\r\n`).join('')}--b--\r\n`;
      const headers = { 'content-type': 'multipart/related; boundary=b' };
      return user.json(`/upload${FILES}?uploadType=multipart&${WRITTEN}`, { method: 'POST', headers, body });
    },
    /** An upload above it: rclone sends the chunks by POST. */
    async uploadLarge(name: string, parent: string, bytes: Buffer) {
      const started = await user.call(
        `/upload${FILES}?alt=json&fields=${FIELDS}&supportsAllDrives=true&uploadType=resumable`,
        jsonInit('POST', describe(name, parent), {
          'x-upload-content-type': 'application/octet-stream',
          'x-upload-content-length': String(bytes.length),
        }),
      );
      const session = new URL(started.headers.get('location') ?? '');
      const statuses: number[] = [];
      let last = started;
      for (let at = 0; at < bytes.length; at += CHUNK) {
        const part = bytes.subarray(at, at + CHUNK);
        const range = `bytes ${at}-${at + part.length - 1}/${bytes.length}`;
        const init = { method: 'POST', headers: { 'content-range': range }, body: new Uint8Array(part) };
        last = await user.call(session.pathname + session.search, init);
        statuses.push(last.status);
      }
      return { statuses, made: Object(await last.json()) };
    },
    /** The one call that rclone sends without supportsAllDrives. */
    async download(id: string) {
      const answer = await user.call(`${FILES}/${id}?alt=media`);
      expect(answer.status).toBe(200);
      return Buffer.from(await answer.arrayBuffer());
    },
    copy: (id: string, name: string, parent: string) =>
      user.post(`${FILES}/${id}/copy?${WRITTEN}`, describe(name, parent)),
    move: (id: string, name: string, to: string, from: string) =>
      user.patch(`${FILES}/${id}?${WRITTEN}&addParents=${to}&removeParents=${from}`, { name, modifiedTime: MODIFIED }),
    link: (id: string) =>
      user.status(
        `${FILES}/${id}/permissions?alt=json&fields=&${ALL}`,
        jsonInit('POST', { type: 'anyone', role: 'reader', allowFileDiscovery: false }),
      ),
    trash: (id: string) => user.status(`${FILES}/${id}?alt=json&fields=&${ALL}`, jsonInit('PATCH', { trashed: true })),
  };
}

test.for(['My Drive', 'a shared drive'])('serves the calls of rclone in %s', async (place, { editor }) => {
  const driveId =
    place === 'My Drive' ? undefined : text((await editor.list('/drive/v3/drives?pageSize=100', 'drives'))[0]?.id);
  const calls = rclone(editor, driveId);
  const root = driveId ?? text((await editor.json(`${FILES}/root?alt=json&fields=id&${ALL}`)).id);
  const back = await calls.mkdir('back', root);
  const small = await calls.upload('one.txt', back, 'one');
  const large = Buffer.alloc(2 * CHUNK + 5, 7);
  const { statuses, made } = await calls.uploadLarge('big.bin', back, large);
  expect(statuses).toEqual([308, 308, 200]);
  // `rclone check`, and with --download.
  const listed = await calls.list(back);
  const seen = listed.map(({ name, size, md5Checksum, modifiedTime }) => [name, size, md5Checksum, modifiedTime]);
  expect(seen.toSorted()).toEqual([
    ['big.bin', String(large.length), md5(large), MODIFIED],
    ['one.txt', '3', md5(Buffer.from('one')), MODIFIED],
  ]);
  expect(await calls.download(text(made.id))).toEqual(large);
  expect(await calls.list(back, 'one.txt')).toMatchObject([{ id: small.id }]);
  // `rclone copy` on the server, `rclone moveto` and `rclone link`.
  const other = await calls.mkdir('back2', root);
  const copy = await calls.copy(text(small.id), 'two.txt', other);
  expect(copy).toMatchObject({ name: 'two.txt', md5Checksum: small.md5Checksum, parents: [other] });
  const moved = await calls.move(text(copy.id), 'three.txt', back, other);
  expect(moved).toMatchObject({ name: 'three.txt', parents: [back] });
  expect(await calls.link(text(moved.id))).toBe(200);
  // `rclone deletefile` and `rclone purge` put into the trash.
  expect([await calls.trash(text(moved.id)), await calls.trash(other)]).toEqual([200, 200]);
  expect((await calls.list(root)).map(({ id }) => id)).not.toContain(other);
  expect((await calls.list(back)).map(({ name }) => name).toSorted()).toEqual(['big.bin', 'one.txt']);
});

test('rclone empties the trash and lists shared drives', async ({ editor }) => {
  expect(await editor.status(`${FILES}/trash?alt=json&prettyPrint=false`, { method: 'DELETE' })).toBe(204);
  const { drives } = await editor.json('/drive/v3/drives?alt=json&pageSize=100&prettyPrint=false');
  expect(drives).toMatchObject([{ id: expect.any(String), name: 'Team projects', kind: 'drive#drive' }]);
});
