import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type LocalGateway, type StartOptions, startLocal } from '../local/start.ts';
import { type AnyGateway, anyGateway } from '../support/upgrade/any-gateway.ts';

/** A gateway for one opinion: the stack as it is built, a temporary data folder, free ports, no schedules. */
export interface OwnGateway extends AsyncDisposable {
  readonly gateway: LocalGateway;
  readonly ask: AnyGateway['ask'];
}

/**
 * Starts it, with a first key and connections of the simulated Google.
 *
 * @param environmentOverrides of its functions
 * @param seedScopes what its connections may do @default reading
 */
export async function openGateway(
  environmentOverrides: NonNullable<StartOptions['environmentOverrides']> = {},
  seedScopes?: StartOptions['seedScopes'],
): Promise<OwnGateway> {
  const dataDir = mkdtempSync(join(tmpdir(), 'gateway-'));
  const gateway = await startLocal({
    ...{ dataDir, quiet: true, synth: 'reuse', schedules: false, rules: false, warmUp: false },
    environmentOverrides,
    ...(seedScopes === undefined ? {} : { seedScopes }),
  });
  return {
    gateway,
    ask: anyGateway(gateway).ask,
    async [Symbol.asyncDispose]() {
      await gateway.close();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}
