import { expect } from 'vitest';
import { parseMultipart, readBoundary } from '../../../packages/simulator/http/multipart.ts';
import { control, test, type User } from './harness.ts';
import { EDITOR, FIRST, LIST } from './names.ts';
import { records } from './values.ts';

const headers = { 'content-type': 'multipart/mixed; boundary=b' };

function send({ call }: User, calls: readonly string[], path = '/batch/drive/v3'): Promise<Response> {
  const parts = calls.map(
    (one, index) => `--b\r\nContent-Type: application/http\r\nContent-ID: <item${index}>\r\n\r\n${one}\r\n`,
  );
  return call(path, { method: 'POST', headers, body: `${parts.join('')}--b--\r\n` });
}

async function answersOf(user: User, calls: readonly string[], path?: string) {
  const response = await send(user, calls, path);
  expect(response.status).toBe(200);
  const boundary = readBoundary([['Content-Type', response.headers.get('content-type') ?? '']]);
  const parts = parseMultipart(Buffer.from(await response.arrayBuffer()), boundary ?? '');
  return parts.map((part) => ({
    id: part.headers.find(([name]) => name === 'Content-ID')?.[1],
    status: Number(/^HTTP\/1\.1 (\d+)/.exec(String(part.body))?.[1]),
    text: String(part.body),
  }));
}

test('answers each call under response-<id>, in order', async ({ owner }) => {
  const get = 'GET /drive/v3/files?pageSize=1 HTTP/1.1\r\nAccept: application/json\r\n';
  expect(await answersOf(owner, [get, 'GET /drive/v3/files/1missing'])).toMatchObject([
    { id: '<response-item0>', status: 200, text: expect.stringContaining('drive#fileList') },
    { id: '<response-item1>', status: 404 },
  ]);
});

test('runs writes with their bodies', async ({ owner }) => {
  const json = '{"name":"from a batch"}';
  const call = `POST /drive/v3/files HTTP/1.1\r\nContent-Type: application/json\r\nContent-Length: ${json.length}\r\n\r\n${json}`;
  const [answer] = await answersOf(owner, [call]);
  expect(answer?.text).toContain('from a batch');
});

test('lets an inner Authorization win over the outer one', async ({ owner, editor }) => {
  const about = 'GET /drive/v3/about?fields=user HTTP/1.1';
  const inner = `${about}\r\nAuthorization: Bearer ${editor.accessToken}\r\n`;
  expect(await answersOf(owner, [about, inner, `${about}\r\nauthorization: Bearer dead\r\n`])).toMatchObject([
    { text: expect.stringContaining(FIRST) },
    { text: expect.stringContaining(EDITOR) },
    { status: 401 },
  ]);
});

test('answers an inner path under /proxy, of the other API or for uploads with 404', async ({ owner }) => {
  const paths = ['/proxy/drive/v3/files', LIST, '/upload/drive/v3/files'];
  const answers = await answersOf(
    owner,
    paths.map((path) => `GET ${path}`),
  );
  expect(answers.map(({ status }) => status)).toEqual([404, 404, 404]);
});

test.for([
  ['/batch/drive/v3', 'GET /drive/v3/about?fields=kind', 100],
  ['/batch/calendar/v3', `GET ${LIST}?maxResults=1`, 50],
] as const)('takes as many calls at %s as Google and refuses one more', async ([path, call, limit], { owner }) => {
  const most = await answersOf(owner, Array<string>(limit).fill(call), path);
  expect(most.every(({ status }) => status === 200)).toBe(true);
  expect((await send(owner, Array<string>(limit + 1).fill(call), path)).status).toBe(400);
});

test('refuses a batch whose call is none, and one that is no multipart/mixed', async ({ owner }) => {
  expect((await send(owner, ['not a request line'])).status).toBe(400);
  expect((await send(owner, [''])).status).toBe(400);
  expect(await owner.status('/batch/drive/v3', { method: 'POST', body: 'x' })).toBe(400);
});

test('records the inner calls alongside the batch', async ({ simulator, owner }) => {
  await send(owner, ['GET /drive/v3/files/a HTTP/1.1\r\nX-Inner: 1\r\n']);
  const { requests } = await control(simulator, 'GET', 'requests');
  const [part] = records(records(requests).at(-1)?.parts);
  expect(part).toMatchObject({ method: 'GET', target: '/drive/v3/files/a' });
  expect(JSON.stringify(part?.headers)).toContain('X-Inner');
});
