// @module-tag long
/** examples/assistant on loopback: the tools of its agent as the role of their function, and a person who approves. The model is not here. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { synthesizeApp } from '../../../dev/local/synthesize-app.ts';
import type { ToolCall } from '../../../examples/assistant/run-tool.ts';
import { signIn } from '../../support/operator.ts';
import { useTestGateway } from '../../support/use-gateway.ts';

const folder = mkdtempSync(join(tmpdir(), 'assistant-'));
const assemblyFolder = await synthesizeApp({
  ...{ folder: 'examples/assistant', outdir: join(folder, 'assembly'), mode: 'reuse' },
  step: (_name, work) => work(),
});
const running = useTestGateway({ assemblyFolder, app: true, rules: true });

afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Runs a tool as Bedrock does. */
async function use(
  name: string,
  given: Readonly<Record<string, string>>,
  sessionAttributes = { connectionId: running.gateway.connections[0]?.connection_id ?? '' },
): Promise<string> {
  const call: ToolCall = {
    ...{ actionGroup: 'calendar', function: name },
    parameters: Object.entries(given).map(([one, value]) => ({ name: one, value })),
    sessionAttributes,
  };
  const [tools = ''] = running.gateway.app?.functions ?? [];
  const answer = Object(await running.gateway.tick(tools, JSON.parse(JSON.stringify(call))));
  expect(answer).toMatchObject({ messageVersion: '1.0', response: { actionGroup: 'calendar', function: name } });
  return answer.response.functionResponse.responseBody.TEXT.body;
}

const DAY = { from: '2027-03-01T00:00:00Z', to: '2027-03-02T00:00:00Z' };
const HOUR = { from: '2027-03-01T09:00:00Z', to: '2027-03-01T10:00:00Z', title: 'Dentist' };

async function titles(): Promise<readonly string[]> {
  const { items } = JSON.parse(await use('list_events', DAY));
  return items.map(({ summary }: { readonly summary: string }) => summary);
}

test('the assistant lists and creates events at once, and deletes one only after a person has approved it', async () => {
  expect(running.gateway.app?.notRun).toEqual([expect.stringMatching(/^Agent \(AWS::Bedrock::Agent\)$/)]);
  const { id } = JSON.parse(await use('create_event', HOUR));
  expect(await titles()).toContain('Dentist');

  const waiting = await use('delete_event', { event_id: id });
  expect(waiting).toMatch(/^Nothing has changed yet: a person has to approve this at http\S+\/approve\//);
  expect(await titles()).toContain('Dentist');

  const { accessToken } = await signIn(running.gateway);
  const { body } = await running.json('GET', '/approvals', undefined, accessToken);
  const [approval] = body.data;
  expect(approval).toMatchObject({ status: 'pending', object: { kind: 'event', id } });
  const decision = { decision: 'approve', seen: approval.about.seen };
  const decided = await running.json('POST', `/approvals/${approval.id}/decision`, decision, accessToken);
  expect(decided.status).toBe(200);
  const status = async () => {
    const shown = await running.json('GET', `/approvals/${approval.id}`, undefined, accessToken);
    return shown.body.data.status;
  };
  await expect.poll(status).toBe('done');
  expect(await titles()).not.toContain('Dentist');
});

test('the model gets refusals of the gateway and of Google as text, and can use no connection but that of the session', async () => {
  expect(await use('move_event', {})).toBe('There is no tool move_event.');
  expect(await use('list_events', { ...DAY, from: 'soon' })).toMatch(/400/);
  expect(await use('list_events', DAY, { connectionId: 'somebody-else' })).toMatch(/unknown_connection/);
});
