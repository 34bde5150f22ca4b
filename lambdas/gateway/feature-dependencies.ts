import type { Config } from './config.ts';
import type { Clock, Logger, Metrics, Random, TokenCipher } from './core/ports.ts';
import type { Table } from './platform/dynamodb/client.ts';

/** What features stand on, in every function. */
export interface FeatureDependencies {
  readonly config: Pick<Config, 'setting' | 'without'>;
  readonly table: Table;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly cipher: TokenCipher;
  /** Loads what the build has put next to the bundle as `<name>.mjs`. */
  readonly later: <Module>(name: string) => Promise<Module>;
}
