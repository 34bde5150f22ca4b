import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { ENDPOINT_VARIABLE } from '../../dev/local/dynamodb/engine.ts';
import type { LifecycleEvent } from '../../dev/local/events/bus.ts';
import type { LocalGateway } from '../../dev/local/local-gateway.ts';
import { staleAssembly } from '../../dev/tools/assembly.ts';
import { quickFolder } from './quick-folder.ts';

/** Environment variable that names the folder of the prepared data folders while a test run lasts. */
const PREPARED_DATA = 'GATEWAY_PREPARED_DATA';

/**
 * Runs once before the suites that start gateways: makes the data folder of a gateway that has its first key, and of one
 * that has its first connections as well. A gateway on a copy starts in 20 % of the time of one that makes its own.
 * Refuses bundles that are older than the sources: their results would say nothing of the code that is there.
 * @returns what removes them again
 */
export default function prepareData(): (() => void) | undefined {
  // Another suite of the same run has made them, or the tables are in an engine that copies nothing.
  if (process.env[PREPARED_DATA] !== undefined || process.env[ENDPOINT_VARIABLE] !== undefined) return undefined;
  const stale = staleAssembly();
  if (stale !== undefined) throw new Error(stale);
  const folder = mkdtempSync(join(quickFolder(), 'gateway-prepared-'));
  const { NODE_COMPILE_CACHE: compiled } = process.env;
  execFileSync(process.execPath, [import.meta.filename, folder], {
    // What V8 compiled of these few calls would be less than what later processes leave to each other.
    env: { ...process.env, ...(compiled === undefined ? {} : { NODE_COMPILE_CACHE: join(compiled, 'prepared') }) },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  process.env[PREPARED_DATA] = folder;
  return () => rmSync(folder, { recursive: true, force: true });
}

/** A new data folder. What is left of it goes with the prepared ones, also where a worker was killed. */
export function newDataFolder(): string {
  return mkdtempSync(join(process.env[PREPARED_DATA] ?? quickFolder(), 'gateway-'));
}

/** Copies a prepared data folder; does nothing where none was prepared, and the gateway makes its own. */
export function copyPreparedData(dataDir: string, seed: boolean): void {
  const folder = process.env[PREPARED_DATA];
  if (folder !== undefined) cpSync(join(folder, nameOf(seed)), dataDir, { recursive: true });
}

function nameOf(seed: boolean): string {
  return seed ? 'seeded' : 'unseeded';
}

/** How long a gateway waits for its last event, on a machine that is busy with other things. */
const DELIVERY_WAIT_MS = 20_000;

/**
 * Closes a gateway once every event of its data is on the bus: what is left would start a process in each gateway on a copy. That
 * costs time and changes nothing, so where it takes long, nobody waits for it.
 */
async function closeWhenDelivered(gateway: LocalGateway): Promise<void> {
  const last = gateway.connections.at(-1)?.connection_id;
  const isLast = ({ 'detail-type': type, detail }: LifecycleEvent) =>
    last === undefined ? type === 'Heartbeat' : type === 'ConnectionCreated' && Object(detail).connection_id === last;
  const giveUpAt = Date.now() + DELIVERY_WAIT_MS;
  await gateway.waitForEvent(isLast, DELIVERY_WAIT_MS).catch(() => {});
  // The stream is read on from here only after the function has answered.
  while (gateway.children().some(({ state }) => state === 'busy') && Date.now() < giveUpAt) await delay(10);
  await gateway.close();
}

if (import.meta.main) {
  const { startLocal } = await import('../../dev/local/start.ts');
  const folder = process.argv[2] ?? '';
  const [unseeded, seeded] = [join(folder, nameOf(false)), join(folder, nameOf(true))];
  // Nothing else runs meanwhile: only the functions that it takes start, and what both folders hold is made once.
  const options = { quiet: true, synth: 'reuse', schedules: false, rules: false, warmUp: false } as const;
  await closeWhenDelivered(await startLocal({ ...options, dataDir: unseeded, seed: false }));
  cpSync(unseeded, seeded, { recursive: true });
  await closeWhenDelivered(await startLocal({ ...options, dataDir: seeded, seed: true }));
}
