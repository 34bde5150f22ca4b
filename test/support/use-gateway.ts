import { afterAll, beforeAll } from 'vitest';
import type { StartOptions } from '../../local/start.ts';
import { startTestGateway, type TestGateway } from './gateway.ts';
import { type ProxyGateway, startProxyGateway } from './proxy-gateway.ts';

/** The gateway of a file, or of a `describe`: it starts before the first test and ends after the last. */
export function useTestGateway(options: Partial<StartOptions> = {}): TestGateway {
  return startedBeforeTests(() => startTestGateway(options));
}

/** Likewise one whose API calls go to a scripted upstream. */
export function useProxyGateway(options: Partial<StartOptions> = {}): ProxyGateway {
  return startedBeforeTests(() => startProxyGateway(options));
}

/** Stands for what the hooks start: its members can be read in tests and in later hooks. */
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
