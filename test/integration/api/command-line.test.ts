// @module-tag long
import type { ChildProcess } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, describe, expect, test } from 'vitest';
import { failed, printed, runGateway, startGateway } from '../../support/command-line.ts';
import { connectAccount, finishFlow, setScopes, startFlow } from '../../support/connect.ts';
import { DOMAIN, DRIVE_SCOPE, EDITOR, list, makeRobot } from '../../support/delegation.ts';
import { countCalls } from '../../support/roll-up.ts';
import { control } from '../../support/simulator.ts';
import { changeConnection } from '../../support/table.ts';
import { useTestGateway } from '../../support/use-gateway.ts';
import { refreshTokenOf } from './keys.ts';

const DRIVE = 'https://www.googleapis.com/auth/drive';

describe('the command line', () => {
  const gateway = useTestGateway();
  const started = new Set<ChildProcess>();
  afterAll(() => {
    for (const child of started) child.kill();
  });

  const run = (args: readonly string[], environment?: Record<string, string>, input?: string) =>
    runGateway(gateway, args, environment, input);

  /** A command that runs on, and its lines. */
  function start(args: readonly string[]) {
    const { child, ended } = startGateway(gateway, args);
    started.add(child);
    if (child.stdout === null) throw new Error('no pipe');
    return { child, ended, lines: createInterface({ input: child.stdout })[Symbol.asyncIterator]() };
  }

  async function json(...args: string[]): Promise<unknown> {
    const { code, out, err } = await run(['--json', ...args]);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    return JSON.parse(out);
  }

  /** Names of members in a document that are no names of the API; what people named themselves stands below `of`. */
  function foreignNames(value: unknown, of: readonly string[] = ['tags', 'metadata']): string[] {
    if (Array.isArray(value)) return value.flatMap((one) => foreignNames(one, of));
    if (typeof value !== 'object' || value === null) return [];
    return Object.entries(value).flatMap(([name, member]) => [
      ...(/^[a-z0-9_]+$/.test(name) ? [] : [name]),
      ...(of.includes(name) ? [] : foreignNames(member, of)),
    ]);
  }

  const drive = () => gateway.connectionId('google-drive');

  test('shows integrations and connections as tables, and as JSON', async () => {
    const table = await run(['integrations', 'list']);
    expect(table.code).toBe(0);
    expect(table.out).toMatch(/^google-drive\tgoogle-drive\ttest\ttest\tclient works since 20/m);
    expect(await json('integrations', 'show', 'google-drive')).toMatchObject({
      data: { unique_key: 'google-drive', credentials_source: 'test' },
    });
    const list = await run(['connections', 'list', '--integration', 'google-drive']);
    expect(list.out).toContain(drive());
    expect(list.out).not.toContain(gateway.connectionId('google-calendar'));
    const some = await run(['connections', 'list', '--integration', 'google-drive', '--columns', 'health,End user']);
    expect(some).toMatchObject(printed(/^Health\tEnd user\nnot_used_yet\t/));
    const unknown = await run(['connections', 'list', '--columns', 'colour']);
    expect(unknown).toMatchObject(
      failed(2, 'There is no column colour. Columns of this table: integration, connection'),
    );
    const shown = await run(['connections', 'show', 'google-drive', drive()]);
    expect(shown.out).toMatch(/Health\tnot_used_yet/);
    expect(await json('connections', 'refresh', 'google-drive', drive())).toMatchObject({ connection_id: drive() });
  });

  test('makes, describes and deletes an integration; the client secret comes by standard input', async () => {
    const quick = await run(['integrations', 'quickstart', 'google-drive', 'trial', '--scopes', 'drive.file']);
    expect(quick.out).toContain('https://www.googleapis.com/auth/drive.file');
    const secret = 'GOCSPX-typed';
    const client = ['--client-id', '123456789012-own.apps.googleusercontent.com'];
    const made = await run(
      ['--json', 'integrations', 'create', 'google-calendar', 'own', ...client],
      {},
      `${secret}\n`,
    );
    expect(JSON.parse(made.out)).toMatchObject({ data: { unique_key: 'own', credentials_source: 'own' } });
    expect(made.out + made.err).not.toContain(secret);
    expect(made.err).toContain('The simulator, which plays Google here, knows the client.');
    const registered = await run(['integrations', 'register', 'own'], {}, `${secret}\n`);
    expect(registered).toMatchObject(printed('connect own --end-user'));
    // However its address is written, and with a profile's: the gateway says itself which one it is.
    const { gatewayUrl, secretKey } = gateway.gateway;
    const elsewhere = ['--base-url', gatewayUrl.replace('127.0.0.1', 'localhost')];
    const key = { GATEWAY_SECRET_KEY: secretKey };
    const register = ['integrations', 'register', 'own'];
    expect(await run([...elsewhere, ...register], key, `${secret}\n`)).toMatchObject(printed('connect own --end-user'));
    const home = { XDG_CONFIG_HOME: mkdtempSync(join(tmpdir(), 'gateway-profiles-')) };
    await run(['login', ...elsewhere, '--profile', 'mine'], home, `${secretKey}\n`);
    const mine = await run(['--profile', 'mine', ...register], home, `${secret}\n`);
    expect(mine).toMatchObject(printed('connect own --end-user'));
    const otherFolder = await run(['--profile', 'mine', '--data', '/nowhere', ...register], home, `${secret}\n`);
    expect(otherFolder).toMatchObject(
      failed(2, `${gatewayUrl} does not run from /nowhere. Name its data folder with --data.`),
    );
    rmSync(home.XDG_CONFIG_HOME, { recursive: true });
    // What is registered is the gateway's own callback, whatever address led to it.
    await connectAccount(gateway, 'own', {});
    const rotated = await run(['integrations', 'rotate-secret', 'own'], {}, 'GOCSPX-next\n');
    expect(rotated).toMatchObject(printed(/^own has the new client secret/));
    expect(rotated.out + rotated.err).not.toContain('GOCSPX-next');
    expect((await run(['integrations', 'readiness', 'trial'])).out).toMatch(
      /^Not ready to go live\.\nown_client \(to do\)/,
    );
    expect(await run(['integrations', 'delete', 'trial'])).toMatchObject(failed(2, /--yes/));
    expect(await run(['integrations', 'delete', 'trial', '--yes'])).toMatchObject({
      code: 0,
      out: 'Deleted trial with 0 connections.\n',
    });
    await run(['integrations', 'delete', 'own', '--yes']);
  });

  test('changes of an integration what is named, and leaves the rest', async () => {
    await run(['integrations', 'quickstart', 'google-drive', 'plain', '--scopes', 'drive.file']);
    const words = ['--name', 'Files', '--hosted-domain', 'workspace.example', '--publishing-status', 'production'];
    const changed = await run(['integrations', 'update', 'plain', ...words]);
    expect(changed).toMatchObject(printed(/Name\tFiles[\s\S]*drive\.file[\s\S]*production[\s\S]*workspace\.example/));
    const client = ['--client-id', '123456789012-other.apps.googleusercontent.com'];
    const replaced = await run(['integrations', 'update', 'plain', '--id', 'renamed', ...client], {}, 'GOCSPX-other\n');
    expect(replaced).toMatchObject(printed(/Integration\trenamed\nName\tFiles\n[\s\S]*Client\town/));
    expect((await run(['integrations', 'show', 'renamed'])).out).toContain('123456789012-other');
    expect(replaced.out + replaced.err).not.toContain('GOCSPX-other');
    const lifted = await run(['integrations', 'update', 'renamed', '--hosted-domain', '']);
    expect(lifted.out).not.toContain('workspace.example');
    const names = (...words: string[]) =>
      run(['integrations', 'update', 'renamed', ...words.flatMap((word) => ['--public-name-in', word])]);
    await names('de=Ihre Dateien', 'fr=Vos fichiers=ici');
    expect(await names('fr=', 'ja=ファイル')).toMatchObject(
      printed(/Names by language\tde: Ihre Dateien\tja: ファイル/),
    );
    expect((await names('de=', 'ja=')).out).not.toContain('Names by language');
    expect(await names('nl=Bestanden')).toMatchObject(
      failed(2, /Write language=name, such as de=Berichte; languages: en,/),
    );
    expect(await run(['integrations', 'update', 'renamed'])).toMatchObject(failed(2, /Say what to change/));
    expect(await run(['integrations', 'update', 'renamed', ...client])).toMatchObject(failed(2, /standard input/));
    await run(['integrations', 'delete', 'renamed', '--yes']);
  });

  test('creates an integration of a service account, says what to list and which scope is missing, and connects a user', async () => {
    const robot = await makeRobot(gateway, 'command');
    const who = ['--service-account', robot.email, '--client-id', robot.clientId, '--project-number', '123456789012'];
    const create = ['delegation', 'create', 'google-drive', 'domain', ...who, '--domains', DOMAIN];
    const made = await run([...create, '--scopes', 'drive,drive.activity'], {}, JSON.stringify(robot.key));
    expect(made).toMatchObject(printed('delegation show domain'));
    expect(made.out + made.err).not.toContain('PRIVATE KEY');
    expect(await run(['delegation', 'show', 'domain'])).toMatchObject(printed(robot.clientId));
    await list(gateway, robot, [DRIVE_SCOPE]);
    const missing = await run(['delegation', 'check', 'domain', EDITOR]);
    expect(missing).toMatchObject({
      code: 4,
      out: expect.stringMatching(/auth\/drive: listed\n.*activity: not listed/),
    });
    await list(gateway, robot, [DRIVE_SCOPE, `${DRIVE_SCOPE}.activity`]);
    expect(await run(['delegation', 'check', 'domain', EDITOR])).toMatchObject(
      printed(`may act for users of ${DOMAIN}`),
    );
    expect(await run(['delegation', 'connect', 'domain', EDITOR])).toMatchObject(printed(/sub_[\w-]{32}/));
    await run(['integrations', 'delete', 'domain', '--yes']);
  });

  test('prints as JSON what the API answers, by the API’s names', async () => {
    const one = ['google-drive', drive()];
    const asked = [
      ['integrations', 'list'],
      ['integrations', 'show', 'google-drive'],
      ['integrations', 'readiness', 'google-drive'],
      ['connections', 'list'],
      ['connections', 'show', ...one],
      ['connections', 'check', ...one],
      ['calls', ...one],
      ['keys', 'list'],
      ['feeds', 'list'],
      ['webhooks', 'list'],
      ['reconnect', 'list'],
      ['usage'],
      ['usage', '--changes'],
      ['quota'],
      ['quota', '--by', 'key'],
      ['check'],
      ['connect', 'google-drive', '--no-wait'],
      ['revoke', '--all', '--dry-run'],
    ];
    for (const args of asked) expect([args, foreignNames(await json(...args))]).toEqual([args, []]);
    for (const args of [['audit'], ['events'], ['events', ...one]]) {
      const lines = (await run(['--json', ...args])).out.trim().split('\n');
      expect(lines.length).toBeGreaterThan(0);
      expect([args, lines.flatMap((line) => foreignNames(JSON.parse(line)))]).toEqual([args, []]);
    }
    const fromApi = await gateway.json('GET', '/integrations/google-drive?include=credentials');
    expect(await json('integrations', 'show', 'google-drive')).toEqual(fromApi.body);
  });

  test('shows a list page by page, and says alongside each how to get the next one', async () => {
    const first = await run(['connections', 'list', '--limit', '1']);
    const cursor = /--cursor (\S+)\n$/.exec(first.err)?.[1] ?? '';
    const second = await run(['connections', 'list', '--limit', '1', '--cursor', cursor]);
    const idOf = ({ out }: { out: string }) => out.split('\n')[1]?.split('\t')[1];
    expect(idOf(second)).toMatch(/^[\w-]{20,}$/);
    expect(idOf(second)).not.toBe(idOf(first));
    expect(await json('connections', 'list', '--limit', '1')).toMatchObject({ next_cursor: expect.any(String) });
    const events = await run(['audit', '--limit', '1']);
    const older = /--cursor (\S+)$/m.exec(events.err)?.[1] ?? '';
    const rest = await run(['audit', '--limit', '1', '--cursor', older]);
    expect([events.out, rest.out].map((text) => text.split('\n').length)).toEqual([2, 2]);
    expect(rest.out).not.toBe(events.out);
    const lists = [
      ['integrations', 'list'],
      ['keys', 'list'],
      ['feeds', 'list'],
      ['calls', 'google-drive', drive()],
    ];
    for (const list of lists) {
      const refused = await run([...list, '--cursor', 'no-cursor']);
      expect([list, refused]).toMatchObject([list, failed(1, /cursor/)]);
    }
  });

  test('keeps a gateway and its key as a profile, and forgets it', async () => {
    const home = mkdtempSync(join(tmpdir(), 'gateway-profiles-'));
    const environment = { XDG_CONFIG_HOME: home };
    const { secretKey, gatewayUrl } = gateway.gateway;
    const nowhere = (args: readonly string[], input?: string) =>
      run(['--data', '/nowhere', ...args], environment, input);
    const login = ['login', '--base-url', gatewayUrl, '--profile', 'mine'];
    expect(await nowhere(login, 'sk_default_wrong\n')).toMatchObject(failed(1, /invalid_secret_key/));
    expect(await nowhere(login)).toMatchObject(failed(2, /standard input/));
    expect((await nowhere(['profiles'])).out).toBe('Profile\tGateway\tProxied calls\n');
    const done = await nowhere(login, `${secretKey}\n`);
    expect(done).toMatchObject(printed(`Logged in to ${gatewayUrl} as profile mine, kept in ${home}`));
    const profiles = await nowhere(['profiles']);
    expect(profiles.out).toContain(`\nmine\t${gatewayUrl}\t-\n`);
    expect([done, profiles].map(({ out, err }) => out + err).join()).not.toContain(secretKey);
    const list = ['connections', 'list'];
    expect((await nowhere(list)).code).toBe(2);
    expect((await nowhere(['--profile', 'mine', ...list])).out).toContain(drive());
    const named = await run(['--data', '/nowhere', ...list], { ...environment, GATEWAY_PROFILE: 'mine' });
    expect(named.out).toContain(drive());
    expect((await nowhere(['logout', '--profile', 'mine'])).code).toBe(0);
    expect(await nowhere(['--profile', 'mine', ...list])).toMatchObject(failed(2, /There is no profile mine/));
    rmSync(home, { recursive: true });
  });

  test('makes a key that works, and revokes it by the start of its id', async () => {
    const made = await run(['keys', 'create', 'nightly', '--right', 'read']);
    const key = made.out.trim();
    expect(key).toMatch(/^sk_default_[\w-]{43}$/);
    const elsewhere = ['--base-url', gateway.gateway.gatewayUrl, 'connections', 'list'];
    expect((await run(elsewhere, { GATEWAY_SECRET_KEY: key })).code).toBe(0);
    const listed = await run(['keys', 'list']);
    const start = /^(\w{12})\tnightly/m.exec(listed.out)?.[1] ?? '';
    expect(listed.out).not.toContain(key);
    expect(await run(['keys', 'revoke', start, '--yes'])).toMatchObject({ code: 0, out: 'Revoked "nightly".\n' });
    expect((await run(['keys', 'list'])).out).toMatch(/nightly\t.*revoked 20/);
    expect((await run(['keys', 'revoke', start, '--yes'])).code).toBe(2);
  });

  test('IA-11: registers a role with limits under its own name, lists it by its ARN and revokes it', async () => {
    const arn = 'arn:aws:iam::111122223333:role/jobs/nightly-export';
    const made = await run([
      'keys',
      'register-role',
      arn,
      '--role-id',
      'AROAEXAMPLEEXAMPLE123',
      '--allow',
      'drive:read',
    ]);
    expect(made).toMatchObject({ code: 0, out: expect.stringContaining(`${arn} may call below /iam`) });
    const start = /\((\w{12})\)/.exec(made.out)?.[1] ?? '';
    expect((await run(['keys', 'list'])).out).toMatch(
      new RegExp(`^${start}\tnightly-export\tproxy\tall\t.*\t${arn}\t`, 'm'),
    );
    expect((await run(['keys', 'register-role', arn])).err).toContain('registered already');
    expect((await run(['keys', 'register-role', 'arn:aws:iam::111122223333:role/*'])).err).toContain(
      'without wildcards',
    );
    expect((await run(['keys', 'revoke', start, '--yes'])).code).toBe(0);
  });

  test('connects an account: prints the link, waits, says what came of it', async () => {
    const { ended, lines } = start(['connect', 'google-drive', '--end-user', 'user-9', '--timeout', '60']);
    const link: unknown = (await lines.next()).value;
    const token = /#session_token=(cs_[\w-]+)$/.exec(String(link))?.[1] ?? '';
    await finishFlow(await startFlow(gateway, token, 'google-drive'), { account: 'second.user@example.com' });
    expect((await lines.next()).value).toMatch(/^Connected\t[\w-]{20,}$/);
    expect(await ended).toMatchObject({ code: 0 });
    const listed = await json('connections', 'list', '--end-user', 'user-9');
    expect(listed).toMatchObject({ connections: [{ provider_account: { email: 'second.user@example.com' } }] });
  });

  test('the command line has files selected for a connection, and lists them', async () => {
    await setScopes(gateway, 'google-drive', [`${DRIVE}.readonly`, `${DRIVE}.file`]);
    const account = 'editor@workspace.example';
    const connection = await connectAccount(gateway, 'google-drive', { account });
    const pick = ['--pick', '--multiple', '--timeout', '60'];
    const { ended, lines } = start(['connect', 'google-drive', '--connection', connection, ...pick]);
    const token = /#session_token=(cs_[\w-]+)$/.exec(String((await lines.next()).value))?.[1] ?? '';
    await finishFlow(await startFlow(gateway, token), { account });
    expect((await lines.next()).value).toMatch(new RegExp(`^Connected\\t${connection}$`));
    expect((await lines.next()).value).toMatch(/^Integration\tgoogle-drive$/);
    expect((await lines.next()).value).toMatch(/^Selected\t[\w-]{10,}\t\w+\/[\w.-]+$/);
    expect(await ended).toMatchObject({ code: 0 });
    const stray = await run(['connect', 'google-drive', '--multiple']);
    expect(stray).toMatchObject(failed(2, 'need --pick'));
    await setScopes(gateway, 'google-drive', [`${DRIVE}.readonly`]);
  });

  test('gives up waiting with exit code 1, and only prints the link with --no-wait', async () => {
    const waited = await run(['connect', 'google-drive', '--timeout', '1']);
    expect(waited).toMatchObject(failed(1, /Nobody connected within 1 s/));
    const link = await run(['connect', 'google-drive', '--connection', drive(), '--no-wait']);
    expect(link.out).toMatch(/^http:\S+\/connect#session_token=cs_[\w-]+\n$/);
  });

  test('prints the addresses of the dashboard and of the API reference', async () => {
    const page = async (...args: string[]) => (await run(['open', ...args, '--no-browser'])).out.trim();
    expect((await fetch(await page())).headers.get('content-type')).toContain('text/html');
    expect(await page('docs')).toBe(`${gateway.gateway.gatewayUrl}/docs`);
    const elsewhere = { GATEWAY_SECRET_KEY: 'sk_default_x', GATEWAY_BASE_URL: 'https://gateway.example.com/v1' };
    const unknown = await run(['--data', '/nowhere', 'open', '--no-browser'], elsewhere);
    expect(unknown).toMatchObject(failed(2, 'gateway open --stack'));
  });

  test('imports a refresh token from standard input, and deletes the connection', async () => {
    const refreshToken = await refreshTokenOf(gateway, 'google-drive');
    const imported = await run(['connections', 'import', 'google-drive', '--id', 'by hand'], {}, refreshToken);
    expect(imported.out).toMatch(/Connection\tby hand/);
    const deleted = await run(['connections', 'delete', 'google-drive', 'by hand', '--yes']);
    expect(deleted.out).toMatch(/Deleted\tby hand\nGrant at the provider\tnot_requested/);
    expect(await run(['connections', 'show', 'google-drive', 'by hand'])).toMatchObject(
      failed(1, /unknown_connection[\s\S]*connections list[\s\S]*Request id/),
    );
  });

  test('calls Google: the body on standard output byte for byte, Google’s errors in its own words', async () => {
    const one = ['-i', 'google-drive', '-c', drive()];
    const files = await run(['call', 'get', '/drive/v3/files?pageSize=2&fields=files(id,size)', ...one]);
    expect(JSON.parse(files.out).files).toHaveLength(2);
    const missing = await run(['call', 'GET', '/drive/v3/files/none', '--include', ...one]);
    expect(missing).toMatchObject(failed(1, /HTTP 404[\s\S]*File not found/));
    expect(JSON.parse(missing.out).error.code).toBe(404);
    const calendars = await run(['call', 'GET', '/calendar/v3/users/me/calendarList?maxResults=1']);
    expect(JSON.parse(calendars.out).items).toHaveLength(1);
    const unclear = await run(['call', 'GET', '/drive/v3/files']);
    expect(unclear).toMatchObject(failed(2, /Which connection\? Add one of:\n {2}-i google-drive -c/));
    expect(await run(['call', 'TRACE', '/drive/v3/files', ...one])).toMatchObject({ code: 2 });
  });

  test('checks everything, and ends with 4 where something does not work', async () => {
    expect(await run(['check'])).toMatchObject(printed(/^ok\tgateway and key/m));
    await changeConnection(gateway, 'google-calendar', gateway.connectionId('google-calendar'), {
      accessTokenExpiresAtEpochSec: 1_700_000_000,
    });
    await control(gateway, 'POST', '/grants/kill', { account: 'first.user@example.com', reason: 'user_revoked' });
    const found = await run(['check']);
    expect(found.code).toBe(4);
    expect(found.out).toMatch(/^NOT\tconnection google-calendar/m);
    const dead = await run(['connections', 'check', 'google-calendar', gateway.connectionId('google-calendar')]);
    expect(dead).toMatchObject(printed(/Reason\treauthorization_required[\s\S]*user_revoked/, 4));
  });

  test('shows what was called: of a connection, of a request id, by day', async () => {
    const failed = await run(['calls', 'google-drive', drive(), '--status', 'failed']);
    expect(failed.out).toMatch(/GET \/drive\/v3\/files\/\{\}\t404\tnotFound/);
    const all = await run(['calls', '--failure', 'refused', '--status', '404']);
    expect(all.out).toMatch(/google-drive \/ \S.*\tGET \/drive\/v3\/files\/\{\}\t404\tnotFound/);
    expect((await run(['calls', '--status', 'ok'])).err).toContain('takes one status');
    const requestId = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/.exec(failed.out)?.[0] ?? '';
    const one = await run(['calls', requestId]);
    expect(one.out).toMatch(
      new RegExp(`Connection\\tgoogle-drive / ${drive()}\\nCall\\tGET /drive/v3/files/\\{\\}\\nStatus\\t404`),
    );
    const recorded = await run(['calls', 'google-drive', drive(), '--record']);
    expect(recorded).toMatchObject({ code: 0, err: expect.stringMatching(/^Every call is logged until 20/) });
    expect(await json('calls', 'google-drive', drive(), '--stop-recording')).toEqual({
      data: { recording_until: null },
    });
    expect((await run(['calls', 'no-such-request'])).code).toBe(1);
    await countCalls(gateway);
    const byDay = await run(['usage', '--by', 'connection', '--integration', 'google-drive', '--connection', drive()]);
    expect(byDay.out).toMatch(new RegExp(`20\\d\\d-\\d\\d-\\d\\d\t${drive()}\t[1-9]`));
    expect(await json('usage', '--since', '2020-01-01', '--until', '2020-01-02')).toMatchObject({ data: { rows: [] } });
  });

  test('makes reconnect links for anyone who is dead, says who came back, and withdraws the others', async () => {
    const calendar = gateway.connectionId('google-calendar');
    const folder = mkdtempSync(join(tmpdir(), 'gateway-links-'));
    const words = join(folder, 'words.txt');
    const file = join(folder, 'links.csv');
    writeFileSync(words, 'Dear {name}, please: {link}');
    const files = ['--message-file', words, '--csv', file];
    const made = await run(['reconnect', 'create', '--integration', 'google-calendar', ...files]);
    expect(made).toMatchObject(printed(/^1 links are in/));
    const batch = /reconnect show (\S+)/.exec(made.out)?.[1] ?? '';
    const written = readFileSync(file, 'utf8');
    rmSync(folder, { recursive: true });
    expect(written).toMatch(new RegExp(`google-calendar,${calendar},first-user,[\\s\\S]*Dear .*, please: http`));
    const follow = () => run(['reconnect', 'show', batch]);
    expect((await follow()).out).toMatch(new RegExp(`${calendar}\\t.*waiting`));
    const token = /#session_token=(cs_[\w-]+)/.exec(written)?.[1] ?? '';
    await finishFlow(await startFlow(gateway, token, 'google-calendar'), { account: 'first.user@example.com' });
    expect((await follow()).out).toMatch(new RegExp(`${calendar}\\t.*came back`));
    expect((await run(['reconnect', 'list'])).out).toMatch(new RegExp(`^${batch}\t.*\t1\t1$`, 'm'));
    expect((await run(['reconnect', 'create', '--cause', 'admin_restricted'])).err).toMatch(
      /No connection needs a link/,
    );
    const one = ['--integration', 'google-drive', '--connection', drive(), '--valid', '30m'];
    const { batches } = JSON.parse((await run(['--json', 'reconnect', 'create', ...one])).out);
    expect(await run(['reconnect', 'revoke', batches[0].id])).toMatchObject({ code: 2 });
    expect((await run(['reconnect', 'revoke', batches[0].id, '--yes'])).out).toBe('The links are withdrawn.\n');
    expect((await run(['reconnect', 'show', batches[0].id])).out).toMatch(/revoked/);
  });

  test('CS-22: deletes the sessions of an end user', async () => {
    await run(['connect', 'google-drive', '--no-wait', '--end-user', 'erased']);
    const erase = ['sessions', 'delete', '--end-user', 'erased'];
    expect(await run(erase)).toMatchObject({ code: 2 });
    expect(await run([...erase, '--yes'])).toMatchObject(printed(/^1 connect session was deleted\.\n$/));
    expect(await json(...erase, '--yes')).toEqual({ success: true, deleted_sessions: 0, has_more: false });
  });

  test('shows events, and continues with what happens', async () => {
    const all = await run(['events']);
    expect(all.out).toMatch(/SecretKeyCreated/);
    expect(all.out).toMatch(
      new RegExp(`^20[\\d-]{8}T\\d\\d:\\d\\dZ\\tConnectionCreated\\tgoogle-drive / ${drive()}`, 'm'),
    );
    const one = await run(['events', 'google-drive', drive()]);
    expect(one.out).not.toMatch(/SecretKeyCreated|google-calendar/);
    const { child, lines } = start(['--json', 'events', '--follow']);
    const seen: string[] = [];
    const arrived = (async () => {
      for await (const line of lines) {
        seen.push(JSON.parse(line).type);
        if (seen.at(-1) === 'IntegrationCreated' && line.includes('"late"')) return;
      }
    })();
    await expect.poll(() => seen.length).toBeGreaterThan(5);
    await run(['integrations', 'quickstart', 'google-drive', 'late']);
    await arrived;
    child.kill();
  });

  test('polls the timelines of a gateway that is not this computer’s', async () => {
    const environment = { GATEWAY_SECRET_KEY: gateway.gateway.secretKey, GATEWAY_BASE_URL: gateway.gateway.gatewayUrl };
    const polled = await run(['--data', '/nowhere', 'events'], environment);
    expect(polled.out).toMatch(
      new RegExp(`^20[\\d-]{8}T\\d\\d:\\d\\dZ\\tConnectionCreated\\tgoogle-drive / ${drive()}`, 'm'),
    );
    expect(polled.out).not.toMatch(/SecretKeyCreated/);
  });

  test('says what to do when there is no gateway, no key, or a wrong one', async () => {
    expect(await run(['--data', '/nowhere', 'integrations', 'list'])).toMatchObject({
      code: 2,
      err: 'No gateway is running from /nowhere. Set --base-url or GATEWAY_BASE_URL, log in to one (gateway login), or start one in the project with npm start.\n',
    });
    const closed = ['--base-url', 'http://127.0.0.1:9', 'integrations', 'list'];
    expect(await run(closed)).toMatchObject(failed(2, /GATEWAY_SECRET_KEY/));
    expect(await run(closed, { GATEWAY_SECRET_KEY: 'sk_default_x' })).toMatchObject(
      failed(3, /Is the gateway running\?/),
    );
    expect(await run(['integrations', 'list'], { GATEWAY_SECRET_KEY: 'sk_default_x' })).toMatchObject(
      failed(1, /invalid_secret_key[\s\S]*Check GATEWAY_SECRET_KEY/),
    );
    expect(await run(['integrations', 'lost'])).toMatchObject(failed(2, /unknown command/));
  });
});
