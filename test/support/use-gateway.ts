import { afterAll, beforeAll, expect } from 'vitest';
import type { StartOptions } from '../../dev/local/start.ts';
import { startTestGateway, type TestGateway } from './gateway.ts';
import { misfitsOf } from './judge-events.ts';
import { type ProxyGateway, startProxyGateway } from './proxy-gateway.ts';
import { startTableRecorder, type TableRecorder } from './table-recorder.ts';
import { startWebhookReceiver, type WebhookReceiver } from './webhook-receiver.ts';

/**
 * The gateway of a file, or of a `describe`: it starts before the first test and ends after the last. Whatever it puts on its bus must
 * be what the catalogue of events says.
 */
export function useTestGateway(options: Partial<StartOptions> = {}): TestGateway {
  return startedBeforeTests(async () => {
    const test = await startTestGateway(options);
    return {
      ...test,
      async [Symbol.asyncDispose]() {
        const misfits = misfitsOf(test.gateway.events);
        await test[Symbol.asyncDispose]();
        expect(misfits).toEqual([]);
      },
    };
  });
}

/** Likewise one whose API calls go to a scripted upstream. */
export function useProxyGateway(options: Partial<StartOptions> = {}): ProxyGateway {
  return startedBeforeTests(() => startProxyGateway(options));
}

/** A gateway whose functions reach the table through a recorder of their calls. */
export interface RecordedGateway extends TestGateway {
  readonly recorder: TableRecorder;
}

/** Likewise one whose calls of the table are recorded. */
export function useRecordedGateway(options: Partial<StartOptions> = {}): RecordedGateway {
  return startedBeforeTests(async () => {
    const recorder = await startTableRecorder();
    const test = await startTestGateway({ ...options, endpointOverrides: { dynamodb: recorder.inFrontOf } });
    return {
      ...test,
      recorder,
      async [Symbol.asyncDispose]() {
        await test[Symbol.asyncDispose]();
        await recorder[Symbol.asyncDispose]();
      },
    };
  });
}

/** An endpoint of webhooks for as long. */
export function useWebhookReceiver(): WebhookReceiver {
  return startedBeforeTests(startWebhookReceiver);
}

/** A proxy for an object that the hooks create: its members can be read in tests and in later hooks. */
function startedBeforeTests<T extends AsyncDisposable>(start: () => Promise<T>): T {
  let started: T | undefined;
  beforeAll(async () => {
    started = await start();
  });
  afterAll(() => started?.[Symbol.asyncDispose]());
  return new Proxy({} as T, {
    get(_, name) {
      if (started === undefined) throw new Error('The gateway starts before the first test, not while the file loads.');
      return Reflect.get(started, name);
    },
  });
}
