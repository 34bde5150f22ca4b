// @module-tag long
/** An assistant's day at Google's MCP server, as docs/run-an-assistant.md describes it: the gateway's clock goes with the simulator's. */
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { beforeAll, describe, expect, test } from 'vitest';
import { PROJECT_ROOT } from '../../../dev/tools/run.ts';
import { control, forgetRequests, requests } from '../../support/simulator.ts';
import { useTestGateway } from '../../support/use-gateway.ts';
import { approvalTools } from '../approvals/support.ts';
import { CALENDAR_AGENTS, googleAgents } from './google-agents.ts';

const HOURS = 12;
const HOUR_SEC = 3600;
const DAY_MS = 24 * HOUR_SEC * 1000;
const gateway = useTestGateway({ clock: 'simulator', rules: true, fresh: true });
const { connect, assistant, agentKey } = googleAgents(gateway);
const { approve, statusOf } = approvalTools(gateway);

let connectionId: string;

beforeAll(async () => {
  connectionId = await connect();
});

/** Undoes writes to the end of their range, and counts. */
async function undoAll(wish: object): Promise<{ readonly undone: number; readonly reasons: readonly string[] }> {
  let undone = 0;
  const reasons: string[] = [];
  let cursor: string | undefined;
  do {
    const { status, body } = await gateway.json('POST', '/undo', {
      ...wish,
      ...(cursor === undefined ? {} : { cursor }),
    });
    expect(status, JSON.stringify(body)).toBe(200);
    undone += body.data.undone.length;
    reasons.push(...body.data.not_undoable.map(({ reason }: { reason: string }) => reason));
    expect(body.data.conflicts).toEqual([]);
    cursor = body.data.next_cursor ?? undefined;
  } while (cursor !== undefined);
  return { undone, reasons };
}

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

  test('GA-23, GA-24, GA-25, GA-26: works 12 hours after one consent, is stopped by the day of Google’s server and continues the next, asks a person once, and what it did is found and undone', async () => {
    const limits = {
      mode: 'enforce',
      allow: ['calendar:read', 'calendar:write', 'calendar:delete'],
      approve: ['delete'],
    };
    const { call, callTool } = await assistant({ limits: { ...limits, day: { calls: 5_000 } } });
    const day = { startTime: '2026-12-01T09:00:00Z', endTime: '2026-12-01T10:00:00Z' };
    const sharing = async (tool_requests_per_day: number) => {
      const body = { quota: { tool_requests_per_day, tool_keys: 1 } };
      expect((await gateway.json('PATCH', `/integrations/${CALENDAR_AGENTS}`, body)).status).toBe(200);
    };
    await forgetRequests(gateway);
    let hour = 24;
    const later = async (hours: number) => {
      hour += hours;
      await control(gateway, 'POST', '/clock', { offsetSec: hour * HOUR_SEC });
    };
    await later(0);
    const since = new Date(Date.now() + hour * HOUR_SEC * 1000).toISOString();
    let eventId = '';
    for (let passed = 0; passed < HOURS; passed++) {
      await later(1);
      const made = await call('create_event', { ...day, summary: `Hour ${hour}` });
      expect(made.isError, JSON.stringify(made)).toBeUndefined();
      eventId = made.structuredContent.id;
      expect((await call('list_events', { startTime: '2026-12-01T00:00:00Z' })).isError).toBeUndefined();
    }
    expect((await requests(gateway)).filter(({ target }) => target.startsWith('/o/oauth2/'))).toEqual([]);
    const { tools } = (await gateway.json('GET', '/quota')).body.data;
    expect(tools).toMatchObject([{ provider: 'google-calendar', integrations: [CALENDAR_AGENTS], limit: 5_000 }]);

    await sharing(2);
    // A process knows a new setting within a minute, which passes here.
    await later(24);
    const asked: boolean[] = [];
    for (let i = 0; i < 4; i++) asked.push((await call('list_events', {})).isError === true);
    expect(asked).toEqual([false, false, true, true]);
    expect((await call('list_events', {})).structuredContent).toMatchObject({ code: 'budget_spent' });
    await later(24);
    expect((await call('list_events', {})).isError).toBeUndefined();

    await sharing(5_000);
    await later(24);
    const held = await call('delete_event', { eventId });
    expect(held.structuredContent).toMatchObject({ status: 'waiting_for_approval' });
    const id: string = held.structuredContent.approval_id;
    await approve(id);
    await expect.poll(() => statusOf(id)).toBe('done');
    expect((await callTool('gateway_approval_status', { approval_id: id })).isError).toBeUndefined();
    expect((await call('get_event', { eventId })).structuredContent.status).toBe('cancelled');
    expect((await gateway.json('GET', '/approvals')).body.data).toHaveLength(1);

    const whose = { provider_config_key: CALENDAR_AGENTS, connection_id: connectionId };
    const found = await gateway.json('GET', `/journal?${new URLSearchParams({ ...whose, since })}`);
    const made = found.body.data.filter(({ outcome }: { outcome: string }) => outcome === 'done');
    expect(made.map(({ method }: { method: string }) => method)).toEqual([
      'tools/delete_event',
      ...Array<string>(HOURS).fill('tools/create_event'),
    ]);
    const { undone, reasons } = await undoAll({ ...whose, since });
    // What was deleted stays deleted; that it was created is undone with it.
    expect({ undone, reasons }).toEqual({ undone: HOURS, reasons: ['no_tool'] });
    const left = (await call('list_events', { startTime: '2026-12-01T00:00:00Z' })).structuredContent.events;
    const summaries: string[] = left.map(({ summary }: { summary: string }) => summary);
    expect(summaries.filter((summary) => Number(summary.replace('Hour ', '')) > 24)).toEqual([]);
    await control(gateway, 'POST', '/clock', { offsetSec: 0 });
  });

  test('GA-25: stops when Google’s answer to an approved call is that the day is used up', async () => {
    const limits = {
      mode: 'enforce',
      allow: ['calendar:read', 'calendar:write', 'calendar:delete'],
      approve: ['delete'],
    };
    const { call } = await assistant({ limits });
    const evening = Math.floor(Date.now() / DAY_MS + 10) * DAY_MS + 20 * HOUR_SEC * 1000;
    await control(gateway, 'POST', '/clock', { offsetSec: Math.floor((evening - Date.now()) / 1000) });
    const day = { startTime: '2026-12-01T09:00:00Z', endTime: '2026-12-01T10:00:00Z' };
    const made = await call('create_event', { ...day, summary: 'Late' });
    const held = await call('delete_event', { eventId: made.structuredContent.id });
    const server = 'calendarmcp.googleapis.com';
    await control(gateway, 'POST', '/mcp', { tools: [{ server, name: 'delete_event', requests: 100_000 }] });
    const id: string = held.structuredContent.approval_id;
    await approve(id);
    await expect.poll(() => statusOf(id)).toBe('failed');
    await forgetRequests(gateway);
    const next = await call('list_events', {});
    expect(next.structuredContent).toMatchObject({ code: 'budget_spent', limit: { name: 'project.day.tools' } });
    expect(await requests(gateway)).toEqual([]);
    await control(gateway, 'POST', '/mcp', { tools: [{ server, name: 'delete_event', requests: 1 }] });
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
