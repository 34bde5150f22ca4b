import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { matchesPattern } from '../../../dev/local/events/pattern.ts';
import { bareEnvironment, runGateway } from '../../support/command-line.ts';
import { eventually } from '../../support/eventually.ts';
import { freePorts } from '../../support/free-ports.ts';
import { control } from '../../support/simulator.ts';
import { useTestGateway, useWebhookReceiver } from '../../support/use-gateway.ts';
import { refreshTokenOf } from './keys.ts';

const ROOT = join(import.meta.dirname, '../../..');
const PAGE = readFileSync(join(ROOT, 'docs/events.md'), 'utf8');

/** A block of docs/events.md by its info, such as `ts receiver.ts`. */
function block(info: string): string {
  const [, code] = PAGE.split(`\n\`\`\`${info}\n`);
  if (code === undefined) throw new Error(`docs/events.md has no block ${info}`);
  return code.split('\n```')[0] ?? '';
}

type Json = Record<string, unknown>;

const gateway = useTestGateway({ rules: true });
const other = useWebhookReceiver();
const details = () => gateway.gateway.events.map(({ detail }) => detail as Record<string, string>);

/** Waits for an event of a type about a connection. */
function happened(type: string, connectionId: string) {
  return gateway.gateway.waitForEvent(
    (event) => event['detail-type'] === type && (event.detail as Json).connection_id === connectionId,
  );
}

async function enabledWebhook(url: string): Promise<{ id: string; secret: string }> {
  const made = (await gateway.json('POST', '/webhooks', { url })).body.data;
  expect((await gateway.json('POST', `/webhooks/${made.id}/enable`)).status).toBe(200);
  return made;
}

/** A connection that somebody imported. */
async function imported(connectionId: string): Promise<void> {
  const { status } = await gateway.json('POST', '/connections', {
    provider_config_key: 'google-drive',
    connection_id: connectionId,
    end_user: { id: 'user-42' },
    credentials: { type: 'OAUTH2', refresh_token: await refreshTokenOf(gateway, 'google-drive') },
  });
  expect(status).toBeLessThan(300);
}

/** Programs of the page, each with what starts it. */
const RECEIVERS = [
  { name: 'receiver.ts', info: 'ts receiver.ts', command: process.execPath },
  { name: 'receiver.py', info: 'python receiver.py', command: 'python3' },
].filter(({ command }) => command === process.execPath || spawnSync(command, ['--version']).status === 0);

describe('a receiver written from docs/events.md alone', () => {
  const folder = mkdtempSync(join(tmpdir(), 'events-'));
  const running: { name: string; child: ChildProcess; port: number; id: string; lines: string[] }[] = [];

  beforeAll(async () => {
    for (const { name, info, command } of RECEIVERS) {
      // As in a project that has installed the packages the page names.
      const standard = JSON.stringify(import.meta.resolve('standardwebhooks'));
      writeFileSync(join(folder, name), block(info).replace("'standardwebhooks'", standard));
      // The webhook names a port before its receiver listens: where another program has taken it meanwhile, all begins again.
      while (!running.some((one) => one.name === name)) await startReceiver(name, command);
    }
  });

  async function startReceiver(name: string, command: string): Promise<void> {
    const port = await freePorts();
    const [, words = ''] = block('bash register').replace(':4000', `:${port}`).split('gateway -- ');
    const made = await runGateway(gateway, words.trim().split(' '));
    const id = /wh_\w+/.exec(made.err)?.[0] ?? '';
    const child = spawn(command, [join(folder, name)], {
      env: { ...bareEnvironment(), PORT: String(port), WEBHOOK_SECRET: made.out.trim() },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const lines: string[] = [];
    createInterface({ input: child.stdout }).on('line', (line) => lines.push(line));
    const isListening = await eventually(async () => {
      if (child.exitCode !== null) return false;
      await fetch(`http://127.0.0.1:${port}/`);
      return child.exitCode === null;
    });
    if (isListening) running.push({ name, child, port, id, lines });
    else await gateway.json('DELETE', `/webhooks/${id}`);
  }

  afterAll(() => {
    for (const { child } of running) child.kill();
    rmSync(folder, { recursive: true, force: true });
  });

  test('receives three types, drops what comes twice, and refuses what is not signed', async () => {
    const [enable = '', remove = ''] = block('bash cause').split('\n');
    const words = (line: string) => line.split('gateway -- ')[1]?.split(' ') ?? [];
    for (const { id } of running) {
      const enabled = await runGateway(gateway, words(enable.replace('<webhook>', id)));
      expect(enabled.out).toMatch(/Status\tenabled/);
    }
    await imported('of-the-page');
    await control(gateway, 'POST', '/grants/kill', { account: 'first.user@example.com', reason: 'user_revoked' });
    await gateway.json('POST', '/connections/of-the-page/refresh?provider_config_key=google-drive');
    await happened('ConnectionReauthorizationRequired', 'of-the-page');
    const deleted = await runGateway(gateway, words(remove.replace('<connection>', 'of-the-page')));
    expect(deleted.code).toBe(0);
    const about = (lines: readonly string[]) => lines.filter((line) => line.includes('of-the-page')).sort();
    const expected = [
      'begin with of-the-page of user-42',
      'forget of-the-page',
      expect.stringMatching(/^invite of-the-page: \w+$/),
    ];
    for (const { name, lines } of running) {
      await expect.poll(() => about(lines), { message: name }).toEqual(expected);
    }
    // All of them once more, each under the id it had.
    for (const { id } of running) {
      const from = new Date(Date.now() - 3_600_000).toISOString();
      expect((await gateway.json('POST', `/webhooks/${id}/replay?from=${from}`)).status).toBe(202);
    }
    await gateway.gateway.tick('deliver');
    for (const { name, id, port, lines } of running) {
      const attempts = async () => {
        const { data } = (await gateway.json('GET', `/webhooks/${id}/deliveries`)).body;
        return data
          .filter((one: Json) => one.type === 'ConnectionDeleted')
          .map((one: { attempts: Json[] }) => one.attempts.length);
      };
      await expect.poll(attempts, { message: name }).toEqual([2]);
      expect(about(lines), name).toEqual(expected);
      const forged = await fetch(`http://127.0.0.1:${port}/`, {
        method: 'POST',
        headers: {
          'webhook-id': '1',
          'webhook-timestamp': String(Math.floor(Date.now() / 1000)),
          'webhook-signature': 'v1,AAAA',
        },
        body: '{"type":"ConnectionDeleted","data":{"connection_id":"of-the-page"}}',
      });
      expect(forged.status, name).toBe(401);
    }
  }, 180_000);
});

describe('an event', () => {
  test('an event of an update says the health of its connection, on the bus and at a webhook', async () => {
    const { id } = await enabledWebhook(`${other.address}/updates`);
    const connectionId = gateway.connectionId('google-calendar');
    const path = `/connections/${connectionId}?provider_config_key=google-calendar`;
    const { health } = (await gateway.json('GET', path)).body;
    expect((await gateway.json('PATCH', path, { end_user: { id: 'somebody-else' } })).status).toBe(200);
    const { detail } = await happened('ConnectionUpdated', connectionId);
    expect(detail).toMatchObject({ health: health.status, end_user_id: 'somebody-else' });
    const message = await other.waitFor(
      ({ path: to, body }) => to === '/updates' && body.includes('"ConnectionUpdated"'),
    );
    expect(JSON.parse(message.body)).toMatchObject({ type: 'ConnectionUpdated', data: detail });
    await gateway.json('DELETE', `/webhooks/${id}`);
  });

  test('an event is the same on the bus, in the audit trail, in the timeline and on the command line', async () => {
    const connectionId = gateway.connectionId('google-calendar');
    const { detail } = await happened('ConnectionUpdated', connectionId);
    const trail = (await gateway.json('GET', '/events?limit=200')).body.data;
    const byId = new Map(trail.map(({ event_id, data }: Json) => [event_id, data]));
    // What was there before this gateway started is in the trail alone.
    expect(details().length).toBeGreaterThan(5);
    for (const one of details()) expect(byId.get(one.event_id), one.event_id).toEqual(one);
    const timeline = `/connections/${connectionId}/events?provider_config_key=google-calendar`;
    const { events } = (await gateway.json('GET', timeline)).body;
    const { event_id: eventId } = detail as Json;
    expect(events.find(({ event_id }: Json) => event_id === eventId).data).toEqual(detail);
    for (const args of [
      ['events', '--json'],
      ['events', 'google-calendar', connectionId, '--json'],
    ]) {
      const lines = (await runGateway(gateway, args)).out
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line));
      expect(
        lines.find((line) => line.event_id === eventId),
        args.join(' '),
      ).toMatchObject({ type: 'ConnectionUpdated', data: detail });
    }
  });

  test('matches the rules of docs/events.md', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'aws-'));
    try {
      writeFileSync(join(folder, 'aws'), '#!/bin/sh\nfor one in "$@"; do printf "%s\\n" "$one"; done\n', {
        mode: 0o755,
      });
      const out = execFileSync('sh', ['-euc', block('bash rule')], {
        encoding: 'utf8',
        env: {
          ...bareEnvironment(),
          PATH: `${folder}${delimiter}${process.env.PATH}`,
          EVENT_BUS_NAME: 'bus',
          FUNCTION_ARN: 'arn:aws:lambda:eu-central-1:123456789012:function:receiver',
        },
      });
      const given = out.split('\n');
      expect(given.slice(0, 6)).toEqual([
        'events',
        'put-rule',
        '--name',
        'dead-connections',
        '--event-bus-name',
        'bus',
      ]);
      expect(given).toContain('Id=function,Arn=arn:aws:lambda:eu-central-1:123456789012:function:receiver');
      const ofOneType = JSON.parse(given[given.indexOf('--event-pattern') + 1] ?? '');
      const ofAll = JSON.parse(block('json pattern'));
      const events = gateway.gateway.events.map((event) => ({ ...event }));
      const matched = events.filter((event) => matchesPattern(ofOneType, event));
      expect(new Set(matched.map((event) => event['detail-type']))).toEqual(
        new Set(['ConnectionReauthorizationRequired']),
      );
      expect(events.filter((event) => matchesPattern(ofAll, event))).toEqual(events);
      // The page has every type once: in a section, which may name another source, or in the table of records.
      const sections = PAGE.split(/^#{2,3} /m);
      const ofTypes = sections.slice(sections.findIndex((one) => one.startsWith('Each type\n')) + 1);
      const records = ofTypes.findIndex((one) => one.startsWith('Records of who did what\n'));
      const inSections = ofTypes.slice(0, records).map((section) => {
        const source = /^Source on the bus: `(.*)`$/m.exec(section)?.[1];
        return {
          ...ofOneType,
          ...(source === undefined ? {} : { source: [source] }),
          'detail-type': [section.split('\n')[0]],
        };
      });
      const inTable = [...(ofTypes[records] ?? '').matchAll(/^\| `(\w+)` \|/gm)].map(([, type]) => ({
        ...ofOneType,
        'detail-type': [type],
      }));
      const shown = [...inSections, ...inTable];
      for (const event of events) expect(shown.filter((pattern) => matchesPattern(pattern, event))).toHaveLength(1);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
