import type { Command } from 'commander';
import { mustConfirm } from '../ask.ts';
import { openContext } from '../command-context.ts';
import { printJson, printLine } from '../output.ts';
import { EXIT } from '../problems.ts';

const HELP = `
For erasing a person: deletes sessions and reconnect links in whatever state, with name, e-mail address and tags. Connections stay:
delete these afterwards, so that none is made in between. Exit code 5: some are left; run it again.`;

/** `sessions delete --end-user <id>`: removes what sessions hold about a person. */
export function addSessions(program: Command): void {
  const group = program.command('sessions').description('connect sessions of end users');

  group
    .command('delete')
    .description('deletes the connect sessions and reconnect links of an end user')
    .requiredOption('--end-user <id>', 'your id of the end user')
    .addHelpText('after', HELP)
    .action(async ({ endUser }: { readonly endUser: string }, command: Command) => {
      const { gateway, json, assumeYes } = await openContext(command);
      await mustConfirm(`Delete the connect sessions of ${endUser}? Open links stop working.`, assumeYes);
      let deleted = 0;
      let last = await gateway.connectSessions.deleteOf(endUser);
      deleted += last.deleted;
      // A request that deletes none would delete none again.
      while (last.hasMore && last.deleted > 0) {
        last = await gateway.connectSessions.deleteOf(endUser);
        deleted += last.deleted;
      }
      if (json) printJson({ success: true, deleted_sessions: deleted, has_more: last.hasMore });
      else printLine(deleted === 1 ? '1 connect session was deleted.' : `${deleted} connect sessions were deleted.`);
      if (last.hasMore) process.exitCode = EXIT.unfinished;
    });
}
