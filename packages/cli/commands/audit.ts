import type { Command } from 'commander';
import { openContext } from '../command-context.ts';
import { given } from '../options.ts';
import { note, printLine, shortTime } from '../output.ts';

interface AuditOptions {
  readonly actor?: string;
  readonly type?: string;
  readonly object?: string;
  readonly since?: string;
  readonly until?: string;
}

/** `audit`: who did what, newest first; with --json one JSON document a line. */
export function addAudit(program: Command): void {
  program
    .command('audit')
    .description('who did what, newest first; with --json one JSON document per line')
    .option('--actor <actor>', 'a name, an e-mail address, key:<id>, or one of key, operator, session, gateway')
    .option('--type <type>', 'such as ConnectionDeleted')
    .option('--object <id>', 'of an integration, a connection or an end user')
    .option('--since <time>', 'ISO 8601')
    .option('--until <time>', 'ISO 8601')
    .action(async (options: AuditOptions, command: Command) => {
      const { gateway, json } = await openContext(command);
      const { actor, type, object, since, until } = options;
      let count = 0;
      const filter = given({ actor, type, object, since, until });
      const { completeSince } = await gateway.audit.list({ ...filter, limit: 1 });
      for await (const event of gateway.audit.all(filter)) {
        count++;
        if (json) {
          printLine(JSON.stringify(event));
          continue;
        }
        const about = [event.providerConfigKey, event.connectionId].filter((part) => part !== undefined).join(' / ');
        printLine(
          `${shortTime(event.time)}  ${event.type.padEnd(26)} ${(event.actorName ?? event.actor ?? 'the gateway itself').padEnd(32)} ${about}`,
        );
      }
      if (count === 0 && !json) printLine('No event matches.');
      if (completeSince !== undefined && (since === undefined || since < completeSince)) {
        note(`Events from before ${completeSince} may be missing: an earlier version did not list them.`);
      }
    });
}
