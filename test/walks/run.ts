/**
 * `npm run walks`: prints which files of `lambdas/` four calls pass through, and which functions of theirs ran. With `--check`
 * it fails where the files are more than may be.
 */
import { exitWithHelp } from '../../dev/tools/help.ts';
import { measureWalks } from './walks.ts';

exitWithHelp(import.meta.filename);
const walks = await measureWalks();
for (const { name, files } of walks) {
  console.log(`${name}:`);
  for (const { file, functions } of files) console.log(`  ${file}  ${functions.join(' ')}`);
}
for (const { name, atMost, files, clientFiles } of walks) {
  const clientPart = clientFiles === 0 ? '' : `, and ${clientFiles} of the lean AWS client`;
  console.log(`${name}: ${files.length} files, at most ${atMost}${clientPart}`);
}
if (process.argv.includes('--check') && walks.some(({ files, atMost }) => files.length > atMost)) process.exitCode = 1;
