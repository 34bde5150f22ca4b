import type { Command } from 'commander';
import { fieldsList, optionalText } from '../../client/src/http/fields.ts';
import { type AuditEvent, readEvent } from '../../client/src/management/audit.ts';
import { openContext } from '../command-context.ts';
import { NEXT_PAGE, PAST_TIME, pastTime, wholeNumber } from '../options.ts';
import { note, noteNext, printLine, printRow, shortTime } from '../output.ts';

interface AuditOptions {
  readonly actor?: string;
  readonly type?: string;
  readonly object?: string;
  readonly since?: string;
  readonly until?: string;
  readonly limit?: number;
  readonly cursor?: string;
}

/** `audit`: who did what, newest first; with --json one JSON document a line. */
export function addAudit(program: Command): void {
  program
    .command('audit')
    .description('who did what, newest first; with --json one JSON document per line')
    .option('--actor <actor>', 'a name, an e-mail address, key:<id>, or one of key, operator, session, gateway')
    .option('--type <type>', 'such as ConnectionDeleted')
    .option('--object <id>', 'of an integration, a connection or an end user')
    .option('--since <time>', PAST_TIME, pastTime)
    .option('--until <time>', PAST_TIME, pastTime)
    .option('--limit <number>', 'one page of at most this many, up to 200 (default: all)', wholeNumber)
    .option('--cursor <cursor>', `${NEXT_PAGE}; with --limit`)
    .action(async (options: AuditOptions, command: Command) => {
      const { api, json } = await openContext(command);
      const { since, limit } = options;
      let count = 0;
      let cursor = options.cursor;
      let completeSince: string | undefined;
      do {
        const page = await api('listEvents', { query: { ...options, limit, cursor }, options: undefined });
        const events = fieldsList(page.data, 'data');
        count += events.length;
        for (const event of events) {
          if (json) printLine(JSON.stringify(event));
          else show(readEvent(event));
        }
        completeSince = optionalText(page, 'complete_since');
        cursor = optionalText(page, 'next_cursor');
        // A page may be empty and still have a next one.
      } while (cursor !== undefined && (limit === undefined || count === 0));
      // Standard output holds only events, so this goes to standard error in both forms.
      noteNext(cursor);
      if (count === 0 && !json) printLine('No event matches.');
      if (completeSince !== undefined && (since === undefined || since < completeSince)) {
        note(`Events from before ${completeSince} may be missing: an earlier version did not list them.`);
      }
    });
}

function show(event: AuditEvent): void {
  const about = [event.providerConfigKey, event.connectionId].filter((part) => part !== undefined).join(' / ');
  const actor = event.actorName ?? event.actor ?? 'the gateway itself';
  printRow([shortTime(event.time), event.type, actor, about], [17, 26, 32]);
}
