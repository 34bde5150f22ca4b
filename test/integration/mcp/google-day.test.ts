/** An assistant's day at Google's MCP server, as docs/run-an-assistant.md describes it: the gateway's clock goes with the simulator's. */
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { beforeAll, describe, expect, test } from 'vitest';
import { PROJECT_ROOT } from '../../../dev/tools/run.ts';
import { control, forgetRequests, requests } from '../../support/simulator.ts';
import { useTestGateway } from '../../support/use-gateway.ts';
import { googleAgents } from './google-agents.ts';

const HOURS = 12;
const HOUR_SEC = 3600;
const gateway = useTestGateway({ clock: 'simulator', fresh: true });
const { connect, assistant, agentKey } = googleAgents(gateway);

beforeAll(async () => {
  await connect();
});

/** What the page's program for a backend prints. */
async function runBackend(key: string): Promise<string> {
  const page = readFileSync(`${PROJECT_ROOT}/docs/run-an-assistant.md`, 'utf8');
  const [, code = ''] = /```js backend\n(.*?)```/s.exec(page) ?? [];
  const child = spawn(process.execPath, ['--input-type=module', '-e', code], {
    cwd: PROJECT_ROOT,
    env: { ...process.env, GATEWAY_BASE_URL: gateway.gateway.gatewayUrl, AGENT_KEY: key },
  });
  const [printed, failed] = await Promise.all([text(child.stdout), text(child.stderr)]);
  if (failed !== '') throw new Error(failed);
  return printed;
}

describe('an assistant at Google’s MCP server', () => {
  test('GA-6, GA-23: reads and writes a calendar for 12 hours after one consent, with a refresh each time a token has ended', async () => {
    const limits = { mode: 'enforce', allow: ['calendar:read', 'calendar:write'], approve: ['delete'] };
    const { call } = await assistant({ limits });
    await forgetRequests(gateway);
    for (let hour = 1; hour <= HOURS; hour++) {
      await control(gateway, 'POST', '/clock', { offsetSec: hour * HOUR_SEC });
      const day = { startTime: '2026-12-01T09:00:00Z', endTime: '2026-12-01T10:00:00Z' };
      const made = await call('create_event', { ...day, summary: `Hour ${hour}` });
      expect(made.isError, JSON.stringify(made)).toBeUndefined();
      const { structuredContent } = await call('list_events', { startTime: '2026-12-01T00:00:00Z' });
      expect(structuredContent.events.map(({ summary }: { summary: string }) => summary)).toContain(`Hour ${hour}`);
    }
    const sent = await requests(gateway);
    expect(sent.filter(({ target }) => target.startsWith('/o/oauth2/'))).toEqual([]);
    const refreshes = sent.filter(({ origin }) => origin === 'token');
    expect(refreshes.length).toBeGreaterThanOrEqual(HOURS - 1);
    expect(refreshes.length).toBeLessThanOrEqual(HOURS + 1);
    await control(gateway, 'POST', '/clock', { offsetSec: 0 });
  });

  test('GA-23: answers the program of docs/run-an-assistant.md', async () => {
    const { call } = await assistant({
      limits: { mode: 'enforce', allow: ['calendar:read', 'calendar:write'], approve: ['delete'] },
    });
    await call('create_event', {
      summary: 'Lunch',
      startTime: '2026-12-01T12:00:00Z',
      endTime: '2026-12-01T13:00:00Z',
    });
    const [tools, ...events] = (await runBackend(await agentKey())).trim().split('\n');
    expect(tools).toBe('calendar_google_list_events calendar_google_get_event calendar_google_search_events');
    expect(events).toContain('Lunch');
  });
});
