import { type Command, Option } from 'commander';
import { KEY_RIGHTS, type KeyRight } from '../../../lambdas/gateway/keys/credentials.rules.ts';
import { fieldsList, optionalText } from '../../client/src/http/fields.ts';
import type { SecretKey } from '../../client/src/management/secret-key-types.ts';
import { readSecretKey } from '../../client/src/management/secret-keys.ts';
import { mustConfirm } from '../ask.ts';
import { openContext } from '../command-context.ts';
import { commaList, given, NEXT_PAGE } from '../options.ts';
import { note, noteNext, printAnswer, printJson, printLine, printTable, shortTime } from '../output.ts';
import { CommandProblem } from '../problems.ts';

interface CreateOptions {
  readonly right: KeyRight;
  readonly integrations?: string[];
  readonly canReadCredentials?: boolean;
}

/** `keys list|create|revoke`. */
export function addKeys(program: Command): void {
  const group = program.command('keys').description('secret keys of the account');

  group
    .command('list')
    .description('keys, newest first, without their text')
    .option('--cursor <cursor>', NEXT_PAGE)
    .action(async ({ cursor }: { cursor?: string }, command: Command) => {
      const { api, json } = await openContext(command);
      const page = await api('listSecretKeys', { query: { cursor }, options: undefined });
      if (json) return printJson(page);
      const rows = fieldsList(page.data, 'data')
        .map(readSecretKey)
        .map((key) => [
          key.id.slice(0, 12),
          key.isThisKey ? `${key.name} (this one)` : key.name,
          key.canReadCredentials ? `${key.right}, credentials` : key.right,
          key.integrationIds?.join(', ') ?? 'all',
          key.hint === undefined ? '' : `…${key.hint}`,
          key.createdBy ?? '',
          shortTime(key.lastUsedAt),
          key.revokedAt === undefined ? 'live' : `revoked ${shortTime(key.revokedAt)}`,
        ]);
      printTable(
        ['Key', 'Name', 'Right', 'Integrations', 'Ends in', 'Made by', 'Last used', 'State'],
        rows,
        'There are no keys.',
      );
      noteNext(optionalText(page, 'next_cursor'));
    });

  group
    .command('create <name>')
    .description('creates a key; writes it to standard output, only this once')
    .addOption(new Option('--right <right>', 'what it may do').choices(KEY_RIGHTS).default('proxy'))
    .option('--integrations <list>', 'only these integrations', commaList)
    .option('--can-read-credentials', 'may read tokens through the API; only a key with this right can create one')
    .action(async (name: string, options: CreateOptions, command: Command) => {
      const context = await openContext(command);
      const made = await context.gateway.keys.create({
        name,
        right: options.right,
        ...given({ integrationIds: options.integrations }),
        canReadCredentials: options.canReadCredentials === true,
      });
      if (context.json) return printAnswer(context);
      note(`Key ${made.id.slice(0, 12)} "${made.name}", right ${made.right}. It is shown only once:`);
      printLine(made.secretKey);
    });

  group
    .command('revoke <key>')
    .description('by its id or the start of it; the key stops working within a minute')
    .action(async (start: string, _options: unknown, command: Command) => {
      const { gateway, json, assumeYes } = await openContext(command);
      const key = theOne(await gateway.keys.list(), start);
      const self = key.isThisKey ? ' It is the key you are using.' : '';
      await mustConfirm(`Revoke "${key.name}" (${key.id.slice(0, 12)})?${self}`, assumeYes);
      await gateway.keys.revoke(key.id);
      if (json) printJson({ revoked: key.id });
      else printLine(`Revoked "${key.name}".`);
    });
}

function theOne(all: readonly SecretKey[], start: string): SecretKey {
  const found = all.filter(({ id, revokedAt }) => id.startsWith(start) && revokedAt === undefined);
  const [key] = found;
  if (key === undefined) throw new CommandProblem(`No live key begins with ${start}. See keys list.`);
  if (found.length > 1) throw new CommandProblem(`${found.length} keys begin with ${start}: enter more characters.`);
  return key;
}
