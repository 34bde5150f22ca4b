// @module-tag long
/** Calls to Google's own MCP servers that a person approves, at the gateway, at Google or at both. */
import { beforeAll, describe, expect, test } from 'vitest';
import { control, forgetRequests, requests } from '../../support/simulator.ts';
import { useTestGateway } from '../../support/use-gateway.ts';
import { approvalTools } from '../approvals/support.ts';
import { ANN, CALENDAR_SERVER, googleAgents } from './google-agents.ts';

const EVENT = { summary: 'Plan', startTime: '2026-12-01T09:00:00Z', endTime: '2026-12-01T10:00:00Z' };
const STATUS = 'gateway_approval_status';

const gateway = useTestGateway({ rules: true, fresh: true });
const { connect, assistant } = googleAgents(gateway);
const { approve, openPage, statusOf } = approvalTools(gateway);

beforeAll(async () => {
  await connect();
});

const limits = (more: object = {}) => ({
  limits: {
    mode: 'enforce',
    allow: ['calendar:read', 'calendar:write', 'calendar:delete'],
    approve: ['delete', 'invite'],
    ...more,
  },
});
/** Calls of tools that Google's server has had, and whether its client showed forms. */
const toolCalls = async (tool: string) =>
  (await requests(gateway)).filter(
    ({ target, headers }) => target.startsWith(CALENDAR_SERVER) && JSON.stringify(headers).includes(tool),
  );
const asks = (policy: 'none' | 'changes') => control(gateway, 'POST', '/mcp', { approvals: { account: ANN, policy } });

/** Answers of a person who allows what Google's forms ask. */
const allowing = (forms: unknown[]) => (form: unknown) => {
  forms.push(form);
  return { action: 'accept', content: { decision: 'allow' } };
};

type Assistant = Awaited<ReturnType<typeof assistant>>;

/** An event, and a call that would delete it and waits. */
async function heldDelete({ call }: Assistant, summary = 'Plan') {
  const made = await call('create_event', { ...EVENT, summary });
  const eventId: string = made.structuredContent.id;
  const held = await call('delete_event', { eventId });
  expect(held).not.toHaveProperty('isError');
  expect(held.structuredContent).toMatchObject({ status: 'waiting_for_approval' });
  const { approval_id: id, url } = held.structuredContent;
  return { eventId, id, url };
}

describe('calls to Google’s MCP servers that a person approves', () => {
  test('GA-24: calls to Google’s MCP servers that a person approves wait, are shown with the tool, its arguments and the event as it is, run once and give their result', async () => {
    const agent = await assistant(limits());
    const { eventId, id, url } = await heldDelete(agent);
    expect(await agent.names()).toContain(STATUS);
    const page = (await openPage(id)).text;
    expect(url).toContain('/approve/');
    expect(page).toMatch(/Delete the event <strong>Plan<\/strong>/);
    for (const shown of [
      'delete_event',
      eventId,
      'Deletes an event.',
      '2026-12-01T',
      'what else Google’s server does',
    ]) {
      expect(page).toContain(shown);
    }
    await forgetRequests(gateway);
    await approve(id);
    await expect.poll(() => statusOf(id)).toBe('done');
    expect(await toolCalls('delete_event')).toHaveLength(1);
    const result = await agent.callTool(STATUS, { approval_id: id });
    expect(result.isError).toBeUndefined();
    expect((await agent.call('get_event', { eventId })).structuredContent.status).toBe('cancelled');
  });

  test('GA-24: calls that a person refuses are never sent', async () => {
    const agent = await assistant(limits());
    const { eventId, id } = await heldDelete(agent);
    expect(await (await openPage(id)).decide('refuse')).toContain('Nothing was done');
    const result = await agent.callTool(STATUS, { approval_id: id });
    expect(result.structuredContent).toMatchObject({ status: 'refused' });
    expect((await agent.call('get_event', { eventId })).structuredContent.summary).toBe('Plan');
  });

  test('GA-24: calls to Google’s MCP servers that a person approves say what invites people outside, and that the rest is not known', async () => {
    const { call } = await assistant(limits());
    const held = await call('create_event', { ...EVENT, attendeeEmails: ['guest@elsewhere.example'] });
    const { body } = await gateway.json('GET', `/approvals/${held.structuredContent.approval_id}`);
    const { about } = body.data;
    expect(about.sentence).toBe('Create the event “Plan”');
    expect(about.facts).toContainEqual(
      expect.objectContaining({ name: 'attendeeEmails', is_risk: true, after: expect.stringContaining('guest@') }),
    );
    expect(about.facts.map(({ name }: { name: string }) => name)).toContain('Not known');
    expect(about.risks).toContain('This reaches people outside your organization.');
  });

  test('GA-24: calls to Google’s MCP servers that a person approves are not sent when the event or the tool is another than the person saw', async () => {
    const agent = await assistant(limits());
    const first = await heldDelete(agent, 'First');
    const page = await openPage(first.id);
    await agent.call('update_event', { eventId: first.eventId, summary: 'Other' });
    expect(await page.decide('approve')).toContain('It has changed since you opened the page.');
    expect(await statusOf(first.id)).toBe('pending');
    const second = await heldDelete(agent, 'Second');
    const changed = { server: 'calendarmcp.googleapis.com', name: 'delete_event', description: 'Deletes everything.' };
    await control(gateway, 'POST', '/mcp', { tools: [changed] });
    await gateway.json('POST', '/agent-tools/fetch');
    await approve(second.id);
    await expect.poll(() => statusOf(second.id)).toBe('stale');
    expect((await agent.call('get_event', { eventId: second.eventId })).structuredContent.summary).toBe('Second');
    await control(gateway, 'POST', '/mcp', { tools: [{ ...changed, description: 'Deletes an event.' }] });
    await gateway.json('POST', '/agent-tools/fetch');
  });

  test('GA-24: calls to Google’s MCP servers that a person approves end with a clear answer where Google asks its user too, and the key lets only the gateway ask', async () => {
    const agent = await assistant(limits());
    const { id, eventId } = await heldDelete(agent);
    await asks('changes');
    await approve(id);
    await expect.poll(() => statusOf(id)).toBe('failed');
    const result = await agent.callTool(STATUS, { approval_id: id });
    expect(result).toMatchObject({ isError: true, structuredContent: { code: 'approval_needed', who: 'operator' } });
    await asks('none');
    expect((await agent.call('get_event', { eventId })).structuredContent.summary).toBe('Plan');
  });

  test('GA-24, GA-26: calls to Google’s MCP servers that a person approves are sent for a key whose journal is required, which is refused other writes that cannot be undone', async () => {
    const { eventId } = await heldDelete(await assistant(limits()), 'Kept');
    const agent = await assistant(limits({ journal: 'required' }));
    const refused = await agent.call('update_event', { eventId, location: 'Room 1' });
    expect(refused).toMatchObject({ isError: true, structuredContent: { code: 'not_undoable' } });
    const held = await agent.call('delete_event', { eventId });
    await approve(held.structuredContent.approval_id);
    await expect.poll(() => statusOf(held.structuredContent.approval_id)).toBe('done');
  });

  test('GA-24: with approval both, Google’s form reaches the client after the person has approved, and is answered once', async () => {
    const forms: unknown[] = [];
    const answer = allowing(forms);
    const agent = await assistant(limits({ approval: 'both' }), { answer });
    const { id, eventId } = await heldDelete(agent);
    await asks('changes');
    await approve(id);
    await expect.poll(() => statusOf(id)).toBe('failed');
    expect(forms).toEqual([]);
    const result = await agent.callTool(STATUS, { approval_id: id });
    expect(forms).toHaveLength(1);
    expect(result.isError).toBeUndefined();
    expect(await statusOf(id)).toBe('done');
    await asks('none');
    expect((await agent.call('get_event', { eventId })).structuredContent.status).toBe('cancelled');
    await agent.callTool(STATUS, { approval_id: id });
    expect(forms).toHaveLength(1);
  });

  test('GA-24: with approval both, calls are unknown when Google’s answer after its form is lost, and are not sent again', async () => {
    const agent = await assistant(limits({ approval: 'both' }), { answer: allowing([]) });
    const { id } = await heldDelete(agent);
    await asks('changes');
    await approve(id);
    await expect.poll(() => statusOf(id)).toBe('failed');
    await control(gateway, 'POST', '/faults', {
      match: { origin: 'api', pathPrefix: CALENDAR_SERVER },
      action: { closeAfterApply: true },
      // The journal reads the event first.
      after: 1,
      times: 1,
    });
    await forgetRequests(gateway);
    expect((await agent.callTool(STATUS, { approval_id: id })).isError).toBe(true);
    expect(await statusOf(id)).toBe('unknown');
    await agent.callTool(STATUS, { approval_id: id });
    expect(await toolCalls('delete_event')).toHaveLength(1);
    await asks('none');
  });

  test('GA-24: with approval google, the gateway asks nobody and Google’s form is the only one', async () => {
    const forms: unknown[] = [];
    const answer = allowing(forms);
    const agent = await assistant(limits({ approval: 'google' }), { answer });
    const made = await agent.call('create_event', EVENT);
    await asks('changes');
    const gone = await agent.call('delete_event', { eventId: made.structuredContent.id });
    expect(gone.isError).toBeUndefined();
    expect(forms).toHaveLength(1);
    await asks('none');
    const key = (await gateway.json('GET', '/account/keys')).body.data.find(
      ({ limits: of }: { limits?: { approval?: string } }) => of?.approval === 'google',
    );
    expect(key.limits).toMatchObject({ approval: 'google', approve: ['delete', 'invite'] });
  });
});
