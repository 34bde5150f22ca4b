import { expect, test } from 'vitest';
import { parseMultipart, readBoundary } from '../../../simulator/http/multipart.ts';
import type { Simulator } from '../../../simulator/index.ts';
import { api, control, EDITOR, obtainTokens, record, records, startTestSimulator } from './harness.ts';

function batchBody(calls: string[]): string {
  const parts = calls.map(
    (call, index) => `--b\r\nContent-Type: application/http\r\nContent-ID: <item${index}>\r\n\r\n${call}\r\n`,
  );
  return `${parts.join('')}--b--\r\n`;
}

function send(simulator: Simulator, token: string, calls: string[], path = '/batch/drive/v3'): Promise<Response> {
  const headers = { 'content-type': 'multipart/mixed; boundary=b' };
  return api(simulator, token, path, { method: 'POST', headers, body: batchBody(calls) });
}

async function readAnswers(response: Response): Promise<{ id: string | undefined; status: number; text: string }[]> {
  expect(response.status).toBe(200);
  const boundary = readBoundary([['Content-Type', response.headers.get('content-type') ?? '']]);
  const parts = parseMultipart(Buffer.from(await response.arrayBuffer()), boundary ?? '');
  return parts.map(({ headers, body }) => ({
    id: headers.find(([name]) => name === 'Content-ID')?.[1],
    status: Number(/^HTTP\/1\.1 (\d+)/.exec(String(body))?.[1]),
    text: String(body),
  }));
}

async function open() {
  const simulator = await startTestSimulator();
  const { accessToken } = await obtainTokens(simulator);
  return { simulator, accessToken };
}

test('answers each call under response-<id>, in order', async () => {
  const { simulator, accessToken } = await open();
  const calls = [
    'GET /drive/v3/files?pageSize=1 HTTP/1.1\r\nAccept: application/json\r\n',
    'GET /drive/v3/files/1missing',
  ];
  const answers = await readAnswers(await send(simulator, accessToken, calls));
  expect(answers.map(({ id, status }) => [id, status])).toEqual([
    ['<response-item0>', 200],
    ['<response-item1>', 404],
  ]);
  expect(answers[0]?.text).toContain('drive#fileList');
});

test('runs writes with their bodies', async () => {
  const { simulator, accessToken } = await open();
  const json = '{"name":"from a batch"}';
  const call = `POST /drive/v3/files HTTP/1.1\r\nContent-Type: application/json\r\nContent-Length: ${json.length}\r\n\r\n${json}`;
  const [answer] = await readAnswers(await send(simulator, accessToken, [call]));
  expect(answer?.text).toContain('from a batch');
});

test('lets an inner Authorization win over the outer one', async () => {
  const { simulator, accessToken } = await open();
  const editor = await obtainTokens(simulator, {}, { account: EDITOR });
  const about = 'GET /drive/v3/about?fields=user HTTP/1.1';
  const answers = await readAnswers(
    await send(simulator, accessToken, [
      about,
      `${about}\r\nAuthorization: Bearer ${editor.accessToken}\r\n`,
      `${about}\r\nauthorization: Bearer dead\r\n`,
    ]),
  );
  expect(answers[0]?.text).toContain('first.user@example.com');
  expect(answers[1]?.text).toContain(EDITOR);
  expect(answers[2]?.status).toBe(401);
});

test('answers an inner path under /proxy, of the other API or for uploads with 404', async () => {
  const { simulator, accessToken } = await open();
  const calls = ['/proxy/drive/v3/files', '/calendar/v3/users/me/calendarList', '/upload/drive/v3/files'];
  const answers = await readAnswers(
    await send(
      simulator,
      accessToken,
      calls.map((path) => `GET ${path}`),
    ),
  );
  expect(answers.map(({ status }) => status)).toEqual([404, 404, 404]);
});

test.each([
  ['/batch/drive/v3', 'GET /drive/v3/about?fields=kind', 100],
  ['/batch/calendar/v3', 'GET /calendar/v3/users/me/calendarList?maxResults=1', 50],
])('takes as many calls at %s as Google and refuses one more', async (path, call, limit) => {
  const { simulator, accessToken } = await open();
  const most = await readAnswers(await send(simulator, accessToken, Array(limit).fill(call), path));
  expect(most.every(({ status }) => status === 200)).toBe(true);
  expect((await send(simulator, accessToken, Array(limit + 1).fill(call), path)).status).toBe(400);
});

test.each(['not a request line', ''])('refuses a batch whose call is %j', async (call) => {
  const { simulator, accessToken } = await open();
  expect((await send(simulator, accessToken, [call])).status).toBe(400);
});

test('refuses a batch that is no multipart/mixed', async () => {
  const { simulator, accessToken } = await open();
  const response = await api(simulator, accessToken, '/batch/drive/v3', { method: 'POST', body: 'x' });
  expect(response.status).toBe(400);
});

test('records the inner calls beside the batch', async () => {
  const { simulator, accessToken } = await open();
  await send(simulator, accessToken, ['GET /drive/v3/files/a HTTP/1.1\r\nX-Inner: 1\r\n']);
  const requests = records((await control(simulator, 'GET', 'requests')).requests);
  const [part] = records(requests.at(-1)?.parts);
  expect(part).toMatchObject({ method: 'GET', target: '/drive/v3/files/a' });
  expect(JSON.stringify(record(part).headers)).toContain('X-Inner');
});
