// @module-tag long
import { beforeAll, describe, expect, test } from 'vitest';
import { isAlarming, type Measurement } from '../../../dev/local/measurements.ts';
import { useTestGateway } from '../../support/use-gateway.ts';

const MINUTE_MS = 60_000;
const SWEEPS = ['refresh', 'feeds', 'deliver'] as const;
const HEARTBEAT_MINUTES = 10;

// Data of its own: prepared data has the heartbeat of the present ten minutes already.
const gateway = useTestGateway({ fresh: true, seed: false, rules: true });

/** Runs each sweep once, and waits for the heartbeat that the first one sends, where it can arrive. */
async function oneOfEach(): Promise<void> {
  for (const sweep of SWEEPS) await gateway.gateway.tick(sweep);
}

/** What the real run measured, by what caused it: each sweep's tick, and the heartbeat at the far end of its path. */
let measured: {
  readonly ticks: ReadonlyMap<string, readonly Measurement[]>;
  readonly heartbeat: readonly Measurement[];
};

beforeAll(async () => {
  await oneOfEach();
  await gateway.gateway.waitForEvent((event) => event['detail-type'] === 'Heartbeat');
  const all = [...gateway.gateway.measurements()];
  const nameOf = (sweep: string) => new RegExp(`Gateway${sweep}Function`, 'i');
  const calls = (sweep: string) =>
    all.filter(
      ({ namespace, metricName, dimensions }) =>
        namespace === 'AWS/Lambda' && metricName === 'Invocations' && nameOf(sweep).test(dimensions.FunctionName ?? ''),
    );
  measured = {
    ticks: new Map(SWEEPS.map((sweep) => [sweep, calls(sweep).slice(0, 1)])),
    heartbeat: all.filter(({ namespace }) => namespace === 'AWS/Events').slice(0, 1),
  };
});

/** Two hours in which the run is repeated each minute, but for what stops after the first. */
function played(stopped: string | undefined): readonly Measurement[] {
  const minutes: Measurement[] = [];
  for (let minute = 1; minute <= 120; minute += 1) {
    const runs = (what: string) => what !== stopped || minute <= 60;
    const at = (one: Measurement) => ({ ...one, atMs: minute * MINUTE_MS });
    for (const [sweep, values] of measured.ticks) if (runs(sweep)) minutes.push(...values.map(at));
    if (minute % HEARTBEAT_MINUTES === 0 && runs('events')) {
      minutes.push(...measured.heartbeat.map(at));
      // The far end is the deliver function.
      minutes.push(...(measured.ticks.get('deliver') ?? []).map(at));
    }
  }
  return minutes;
}

/** Names of the alarms that are on so many minutes after the beginning. */
function firing(measurements: readonly Measurement[], minute: number): string[] {
  return gateway.gateway.alarms
    .filter((alarm) => isAlarming(alarm, measurements, minute * MINUTE_MS))
    .map(({ description }) => description.split('#').at(-1) ?? '')
    .toSorted();
}

describe('what works all the time', () => {
  test('what works all the time is measured under the names that the alarms look at: nothing fires while all of it works (ST-23)', () => {
    expect([...measured.ticks.values()].map((values) => values.length)).toEqual([1, 1, 1]);
    expect(measured.heartbeat).toHaveLength(1);
    for (const minute of [30, 60, 61, 75, 118]) expect(firing(played(undefined), minute)).toEqual([]);
  });

  test.each([
    ['refresh', 'dropped-ticks'],
    ['feeds', 'dropped-feed-ticks'],
    ['deliver', 'dropped-webhook-ticks'],
    ['events', 'events-silent'],
  ])(
    'what works all the time is missed by its own alarm alone within forty minutes: %s (ST-22, ST-23)',
    (stopped, alarm) => {
      const measurements = played(stopped);
      expect(firing(measurements, 60)).toEqual([]);
      expect(firing(measurements, 100)).toEqual([alarm]);
    },
  );

  test('what works all the time is on where nothing was measured yet, which the alarm of silence waits out', () => {
    expect(firing([], 5)).toEqual(['dropped-feed-ticks', 'dropped-ticks', 'dropped-webhook-ticks', 'events-silent']);
    expect(firing(played(undefined), 20)).toEqual([]);
  });
});

describe('the path of events', () => {
  const atItsFarEnd = () =>
    gateway.gateway
      .measurements()
      .filter(({ namespace, metricName }) => namespace === 'AWS/Events' && metricName === 'Invocations').length;

  test('brings nothing to its far end while its trigger is disabled, and all of it afterwards', async () => {
    const { trigger } = gateway.gateway.switches;
    if (trigger === undefined) throw new Error('The stack has a trigger.');
    trigger.paused = true;
    const before = atItsFarEnd();
    const body = { unique_key: 'silent', provider: 'google-drive', credentials_source: 'test' };
    expect((await gateway.json('POST', '/integrations', body)).status).toBe(200);
    await oneOfEach();
    expect(atItsFarEnd()).toBe(before);
    trigger.paused = false;
    await gateway.gateway.waitForEvent((event) => event['detail-type'] === 'IntegrationCreated');
    expect(atItsFarEnd()).toBeGreaterThan(before);
  });

  test('carries heartbeats under a source that rules for the gateway’s events do not match', () => {
    const heartbeats = gateway.gateway.events.filter((event) => event['detail-type'] === 'Heartbeat');
    expect(heartbeats.map(({ source }) => source)).toEqual(['integration-gateway.heartbeat']);
    const others = gateway.gateway.events.filter((event) => event['detail-type'] !== 'Heartbeat');
    expect(new Set(others.map(({ source }) => source))).toEqual(new Set(['integration-gateway']));
  });
});
