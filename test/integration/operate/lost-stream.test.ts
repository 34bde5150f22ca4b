// @module-tag long
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { localAws, runCommand } from '../../support/command-line.ts';
import { jsonRequest } from '../../support/gateway.ts';
import { restoreUnderOldName } from '../../support/restored-table.ts';
import { useTestGateway, useWebhookReceiver } from '../../support/use-gateway.ts';

const receiver = useWebhookReceiver();
const gateway = useTestGateway({ rules: true });
beforeAll(() => {
  for (const [name, value] of Object.entries(localAws(gateway))) vi.stubEnv(name, value);
});
afterAll(() => void vi.unstubAllEnvs());

/** A change with an event. @returns the event's id, as the connection's own list has it */
async function change(value: string): Promise<string> {
  const id = gateway.connectionId('google-drive');
  const path = `/connections/${id}?provider_config_key=google-drive`;
  // A table that has just come back may be out of reach for a moment, which the answer says: try again.
  await expect.poll(async () => (await gateway.call(path, jsonRequest('PATCH', { tags: { value } }))).status).toBe(200);
  const { body } = await gateway.json('GET', '/events?type=ConnectionUpdated&limit=1');
  return String(body.data[0].event_id);
}

async function command(...args: string[]) {
  const { code, out, err } = await runCommand(['--data', gateway.gateway.dataDir, ...args, '--yes', '--json']);
  expect(code, err).toBe(0);
  return JSON.parse(out);
}

const ids = () => receiver.messages.map(({ headers }) => String(headers['webhook-id']));
const told = (id: string) => ids().filter((one) => one === id).length;

describe('ST-27: the table was lost and is back under its old name', () => {
  test('one command leads its stream to the bus, and brings what was written while there was none, to each receiver once', async () => {
    const made = await gateway.json('POST', '/webhooks', { url: `${receiver.address}/lost-stream` });
    await gateway.json('POST', `/webhooks/${made.body.data.id}/enable`);
    const before = await change('before');
    await expect.poll(() => told(before)).toBe(1);
    await restoreUnderOldName(gateway);
    const meanwhile = await change('while there was no stream');

    const done = await command('events', 'rebind');
    expect(done).toMatchObject({ bound: true, replayed: expect.any(Number) });
    await expect.poll(() => told(meanwhile)).toBe(1);
    const after = await change('after');
    await expect.poll(() => told(after)).toBe(1);
    // On the bus it was more than once, under one id; its receiver does not see that.
    expect(gateway.gateway.events.filter(({ detail }) => Object(detail).event_id === before).length).toBeGreaterThan(1);
    expect(told(before)).toBe(1);

    expect(await command('events', 'rebind')).toMatchObject({ bound: false, stream: done.stream });
  });

  test('a message that was sent after the copy was made comes to its receiver again, under its id', async () => {
    const [copied, sent] = [await change('sent and copied'), await change('sent after the copy')];
    await expect.poll(() => [told(copied), told(sent)]).toEqual([1, 1]);
    // Its event is a row of the copy; that it was delivered is none.
    await restoreUnderOldName(gateway, (row) => row.type !== 'webhook_delivery' || row.eventId !== sent);
    await command('events', 'rebind');
    await expect.poll(() => told(sent)).toBe(2);
    const last = await change('after the second restore');
    await expect.poll(() => told(last)).toBe(1);
    expect([told(copied), told(sent)]).toEqual([1, 2]);
  });

  test('events of a time are put on the bus once more, in order and under their ids', async () => {
    const changes = [await change('first'), await change('second')];
    await expect.poll(() => told(changes[1] ?? '')).toBe(1);
    const since = new Date(Date.now() - 60_000).toISOString();
    const seen = gateway.gateway.events.length;
    const { replayed } = await command('events', 'replay', '--since', since);
    const again = gateway.gateway.events.slice(seen).map(({ detail }) => String(Object(detail).event_id));
    expect(again).toHaveLength(replayed);
    expect(again.filter((id) => changes.includes(id))).toEqual(changes);
    for (const id of changes) expect(told(id)).toBe(1);
  });

  test('a time that is none is refused', async () => {
    const ended = await runCommand(['--data', gateway.gateway.dataDir, 'events', 'replay', '--since', 'soon', '--yes']);
    expect(ended).toMatchObject({ code: 2, err: expect.stringMatching(/'soon' is invalid\. Write a time such as/) });
  });
});

test('ST-21: where every event comes to the bus twice, as after a move from the pipe, no receiver sees two', async () => {
  const marker = await change('before the stream is read again');
  await expect.poll(() => told(marker)).toBe(1);
  const onBus = (id: string) => gateway.gateway.events.filter(({ detail }) => Object(detail).event_id === id).length;
  const before = onBus(marker);
  const known = ids();
  gateway.gateway.switches.loseStreamPosition();
  await expect.poll(() => onBus(marker)).toBeGreaterThan(before);
  const last = await change('after it');
  await expect.poll(() => told(last)).toBe(1);
  expect(ids().slice(known.length)).toEqual([last]);
});
