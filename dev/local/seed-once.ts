/** Decides whether a start makes first connections: once per data folder and integration of an app, and only where the simulator plays Google. */

import { errorMessage } from '../tools/json.ts';
import type { Console } from './console.ts';
import type { DataDirectory } from './data-directory.ts';
import type { StartOptions } from './local-gateway.ts';
import type { LocalGoogle } from './local-google.ts';
import { readSeeded, type SeededConnection, type SeedTarget, seed } from './seed.ts';

const MADE_ELSEWHERE =
  'The first connections of this data folder were created at the simulator and do not work at Google itself. Choose another data folder with --data.';

/** The connections of the data folder, created now if it has none, or none of an integration that the app has now. @param targets integrations of an app @default - one of each provider @throws Error when `seed: true` was requested and failed. */
export async function seedOnce(
  options: StartOptions,
  directory: DataDirectory,
  google: LocalGoogle,
  gatewayUrl: string,
  secretKey: string | undefined,
  screen: Console,
  targets?: readonly SeedTarget[],
): Promise<SeededConnection[]> {
  const seededPath = directory.file('seeded.json');
  const known = readSeeded(seededPath);
  if (known !== undefined) {
    if (google.simulator === undefined) screen.warn(MADE_ELSEWHERE);
    if (targets === undefined) return known;
  }
  const { kept, missing } = stillToSeed(known ?? [], targets);
  if (kept.length === known?.length && missing?.length === 0) return kept;
  // Only the simulator has users whose consent may be given for them.
  if (options.seed === false || google.simulator === undefined || secretKey === undefined) return kept;
  const { walkConsent } = await import('../../packages/simulator/consent.ts');
  try {
    return await screen.step('connect the first accounts', () =>
      seed({ gatewayUrl, secretKey, walkConsent, scopes: options.seedScopes, targets: missing, kept }, seededPath),
    );
  } catch (error) {
    if (options.seed === true) throw error;
    screen.warn(`No connections were made: ${errorMessage(error)}`);
    return kept;
  }
}

/** Which known connections are of integrations that the app still has, and which of its integrations have none. */
export function stillToSeed(known: readonly SeededConnection[], targets: readonly SeedTarget[] | undefined) {
  const kept = known.filter(({ integration_id: id }) => targets?.some(({ uniqueKey }) => uniqueKey === id));
  const missing = targets?.filter(({ uniqueKey: id }) => !kept.some(({ integration_id }) => integration_id === id));
  return { kept, missing };
}
