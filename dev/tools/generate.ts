/**
 * `npm run generate [-- --check]`: writes every file of the project that is made from other files. With `--check` it writes
 * nothing, lists the files that are not up to date and exits with code 1.
 */
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { GENERATORS, isCurrent } from './generated-files.ts';
import { exitWithHelp } from './help.ts';
import { errorMessage } from './json.ts';
import { PROJECT_ROOT } from './run.ts';

exitWithHelp(import.meta.filename);
const isCheck = process.argv.includes('--check');
for (const { name, files } of GENERATORS) {
  try {
    let hasWrittenSource = false;
    // One after the other: the later ones import what the earlier ones write.
    for (const [path, text] of Object.entries(await files())) {
      if (isCurrent(path, text)) continue;
      if (isCheck) {
        console.error(`${path} is not up to date: run npm run generate`);
        process.exitCode = 1;
      } else {
        writeFileSync(join(PROJECT_ROOT, path), text);
        console.log(`wrote ${path}`);
        hasWrittenSource ||= path.startsWith('lambdas/');
      }
    }
    if (hasWrittenSource) {
      // This process may hold the former text of what was written: another one continues.
      const { status } = spawnSync(process.execPath, [import.meta.filename], { stdio: 'inherit' });
      process.exit(status ?? 1);
    }
  } catch (error) {
    // One source that is half written does not keep the others from being written.
    console.error(`${name}: ${errorMessage(error)}`);
    process.exitCode = 1;
  }
}
