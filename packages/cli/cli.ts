/** `gateway <command>`, in the project `npm run gateway -- <command>`: a gateway's API, and its table, from a terminal. */
import { endWithProblem } from './problems.ts';
import { makeProgram } from './program.ts';

// A reader that closes the pipe, such as `head`, has read enough, which is no failure.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  process.exit(error.code === 'EPIPE' ? 0 : 1);
});

// Arguments after -- are no options.
const words = process.argv.slice(2);
const json = words.slice(0, words.includes('--') ? words.indexOf('--') : undefined).includes('--json');
try {
  await makeProgram({ json }).parseAsync();
} catch (error) {
  endWithProblem(error, { json });
}
