// @module-tag long
/** What the management function's process holds does not grow with the days that it lives. */
import { expect, test } from 'vitest';
import { asModule } from '../../faults/support/fault-world.ts';
import { HEAP_PROBE, heapBytes } from '../../faults/support/resources.ts';
import { control } from '../../support/simulator.ts';
import { useTestGateway } from '../../support/use-gateway.ts';

const gateway = useTestGateway({ clock: 'simulator', preloads: [asModule(HEAP_PROBE)], maxChildrenPerFunction: 1 });

const MIB = 1024 * 1024;
/** Code that is compiled and caches that are filled on the first days. */
const WARM_DAYS = 5;
const DAYS = 30;
/** A process that keeps 0.5 MB a day has five times as much more by then; measurements differ by 1 MiB. */
const GROWTH_MAX_MIB = 3;

/** What operators and backends ask for in a day. */
const READ = [
  ...['/overview', '/connections?limit=50', '/integrations', '/events?limit=50', '/quota', '/usage', '/calls?limit=50'],
  ...['/account/keys', '/feeds', '/webhooks'],
];

async function liveOneDay(day: number): Promise<void> {
  await control(gateway, 'POST', '/clock', { offsetSec: day * 86_400 });
  for (const path of READ) {
    const answer = await gateway.call(path);
    expect(answer.status, path).toBe(200);
    await answer.arrayBuffer();
  }
  expect((await gateway.json('POST', '/connect/sessions', { end_user: { id: `user-${day}` } })).status).toBe(201);
  const { body, status } = await gateway.json('POST', '/account/keys', { name: `of day ${day}`, right: 'read' });
  expect(status).toBe(201);
  expect((await gateway.json('DELETE', `/account/keys/${body.data.id}`)).status).toBe(200);
  await gateway.gateway.tick('refresh');
}

async function heapMiB(): Promise<number> {
  const process = gateway.gateway.children().find(({ functionName }) => functionName === 'management');
  return (await heapBytes(process?.pid ?? 0)) / MIB;
}

test(`after ${DAYS} days the living heap of the management process is what it was after ${WARM_DAYS}`, async () => {
  for (let day = 1; day <= WARM_DAYS; day++) await liveOneDay(day);
  const warm = await heapMiB();
  for (let day = WARM_DAYS + 1; day <= DAYS; day++) await liveOneDay(day);
  expect(await heapMiB()).toBeLessThan(warm + GROWTH_MAX_MIB);
});
