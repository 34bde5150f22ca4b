// @module-tag long
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { failed, printed, runGateway } from '../../../support/command-line.ts';
import { control, forgetRequests, requests } from '../../../support/simulator.ts';
import { useTestGateway } from '../../../support/use-gateway.ts';

const gateway = useTestGateway();
const folder = mkdtempSync(join(tmpdir(), 'gateway-risc-'));
const keyFile = join(folder, 'key.json');
let key: Record<string, string>;
let cloudProject: string;
let receiverUrl: string;

beforeAll(async () => {
  key = Object(await control(gateway, 'POST', '/service-accounts', {}));
  writeFileSync(keyFile, JSON.stringify(key));
  const { body } = await gateway.json('GET', '/security-events');
  receiverUrl = body.data.receiver_url;
  cloudProject = body.data.projects[0].cloud_project;
});
afterAll(() => rmSync(folder, { recursive: true }));

const run = (args: readonly string[], input?: string) => runGateway(gateway, ['security-events', ...args], {}, input);
const streams = async () => Object(await control(gateway, 'GET', '/streams')).streams;

test('RI-15: registers the gateway at Google, and waits until Google has proven the stream', async () => {
  expect(await run(['status'])).toMatchObject(
    printed(`${cloudProject}\tgoogle-calendar, google-drive\tnot registered`),
  );
  expect(await run(['verify', '--key-file', keyFile])).toMatchObject(failed(2, 'is not registered'));
  const done = await run(['register', '--key-file', keyFile]);
  expect(done).toMatchObject(printed(`Verified: the security events of ${cloudProject} reach the gateway.`));
  expect(await streams()).toMatchObject([{ project: cloudProject, url: receiverUrl, status: 'enabled' }]);
  expect(await run(['status', '--key-file', keyFile])).toMatchObject(
    printed(/State\tverified[\s\S]*Stream at Google\tenabled/),
  );
  const { body } = await gateway.json('GET', '/security-events');
  expect(body.data.projects[0]).toMatchObject({ state: 'verified', last_event_at: expect.any(String) });
});

test('RI-15: the key of the service account reaches neither the gateway nor Google nor the terminal', async () => {
  const told: string[] = [];
  for (const args of [['verify'], ['register', cloudProject], ['status', '--json']]) {
    const { out, err, code } = await run([...args, '--key-file', '-'], JSON.stringify(key));
    expect({ args, code }).toEqual({ args, code: 0 });
    told.push(out + err);
  }
  const lines = String(key.private_key).split('\n').slice(1, -2);
  expect(lines.length).toBeGreaterThan(10);
  const atGoogle = JSON.stringify(await requests(gateway));
  for (const line of lines) expect(told.join('') + atGoogle).not.toContain(line);
});

test('RI-5: asks before it takes the stream from another receiver, and leaves one that is not its own alone', async () => {
  const other = 'http://127.0.0.1:9/elsewhere';
  await control(gateway, 'POST', '/streams', { register: { clientId: `${cloudProject}-x`, url: other } });
  expect(await run(['register', '--key-file', keyFile])).toMatchObject(failed(2, `to ${other} today`));
  expect(await run(['verify', '--key-file', keyFile])).toMatchObject(failed(4, `to ${other}.`));
  expect(await run(['off', cloudProject, '--key-file', keyFile, '--yes'])).toMatchObject({
    code: 0,
    err: `The stream at Google is left as it is: it delivers to ${other}.\n`,
  });
  expect(await streams()).toMatchObject([{ url: other, status: 'enabled' }]);
  expect(await run(['register', '--key-file', keyFile, '--yes'])).toMatchObject(printed('Verified'));
});

test('RI-5: says so where no verification comes, and where Google refuses', async () => {
  await control(gateway, 'POST', '/streams', { drop: 1 });
  const quiet = await run(['verify', '--key-file', keyFile, '--wait', '1']);
  expect(quiet).toMatchObject(failed(4, 'no verification has come within 1 s'));
  expect((await run(['status'])).out).toContain('not verified');

  const stranger = join(folder, 'stranger.json');
  writeFileSync(stranger, JSON.stringify({ ...key, private_key_id: 'unknown' }));
  expect(await run(['verify', '--key-file', stranger])).toMatchObject(
    failed(1, /Google answers 401: [\s\S]*clock is wrong/),
  );
  const fault = { match: { pathPrefix: '/v1beta/stream' }, action: { apiError: { code: 403, reason: 'forbidden' } } };
  const { id } = Object(await control(gateway, 'POST', '/faults', fault));
  expect(await run(['register', '--key-file', keyFile])).toMatchObject(failed(1, 'RISC Configuration Admin'));
  await control(gateway, 'DELETE', `/faults/${id}`);
  writeFileSync(stranger, 'secret text');
  expect(await run(['verify', '--key-file', stranger])).toEqual({
    code: 2,
    out: '',
    err: `${stranger} cannot be read as a service account’s key: it is no JSON.\n`,
  });
  expect(await run(['verify', '7', '--key-file', keyFile])).toMatchObject(failed(2, `There are: ${cloudProject}.`));
});

test('is turned off at Google and here, or here alone', async () => {
  expect(await run(['register', '--key-file', keyFile])).toMatchObject(printed('Verified'));
  expect(await run(['off', cloudProject])).toMatchObject(failed(2, '--gateway-only'));
  expect(await run(['off', cloudProject, '--key-file', keyFile])).toMatchObject(failed(2, '--yes'));
  expect(await run(['off', cloudProject, '--key-file', keyFile, '--yes'])).toMatchObject(printed('is disabled'));
  expect(await streams()).toMatchObject([{ status: 'disabled' }]);
  expect((await run(['status'])).out).toContain('not registered');
  await forgetRequests(gateway);
  expect(await run(['off', cloudProject, '--gateway-only', '--yes'])).toMatchObject({ code: 0 });
  expect(await requests(gateway)).toEqual([]);
});
