/** `gateway <command>`, in the project `npm run gateway -- <command>`: a gateway's API, and its table, from a terminal. */
import { endWithProblem } from './problems.ts';
import { makeProgram } from './program.ts';

// A reader that closes the pipe, such as `head`, wants no more: that is no failure.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  process.exit(error.code === 'EPIPE' ? 0 : 1);
});

try {
  await makeProgram().parseAsync();
} catch (error) {
  endWithProblem(error);
}
