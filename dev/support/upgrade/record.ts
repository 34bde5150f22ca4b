/**
 * `node dev/support/upgrade/record.ts <name> [root]`: has a gateway live for some seconds and keeps its data folder as
 * `test/fixtures/data/<name>.zip`. `npm run release:version` does so for every version. A root is the folder of another checkout,
 * whose code then writes the data.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { readCheckout } from '../../tools/release/checkout.ts';
import { PROJECT_ROOT } from '../../tools/run.ts';
import { checkoutAt } from './any-gateway.ts';
import { ARCHIVES, pack } from './data-archive.ts';
import { live } from './lived-data.ts';

const [name, root = PROJECT_ROOT] = process.argv.slice(2);
if (name === undefined) {
  console.error('node dev/support/upgrade/record.ts <name> [root]');
  process.exit(2);
}
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const commit = readCheckout(resolve(root))?.commit ?? '';
const folder = mkdtempSync(join(tmpdir(), 'gateway-lived-'));
try {
  const checkout = await checkoutAt(resolve(root));
  const gateway = await checkout.start({ dataDir: folder, quiet: true, seed: true, schedules: false });
  try {
    const lived = await live(checkout, gateway, { version, commit });
    await gateway.close();
    pack(folder, lived, join(ARCHIVES, `${name}.zip`));
  } catch (error) {
    await gateway.close().catch(() => {});
    throw error;
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
// Other versions may leave a timer behind.
process.exit(0);
