import { type Command, Option } from 'commander';
import type { ConnectionFilter, ConnectionRef } from '../../client/src/index.ts';
import { budgetOnTheWire } from '../../client/src/management/budget.ts';
import { askSecret, mustConfirm } from '../ask.ts';
import { type BudgetOptions, budgetInWords, budgetOf, budgetOptions } from '../budget-options.ts';
import { GATEWAY } from '../called-as.ts';
import { openContext } from '../command-context.ts';
import { commaList, given, NEXT_PAGE, wholeNumber } from '../options.ts';
import {
  noteNext,
  printAnswer,
  printFields,
  printJson,
  printLine,
  printTable,
  shortTime,
  stateCell,
} from '../output.ts';
import { CommandProblem, EXIT } from '../problems.ts';
import { healthInWords, showCheck, showConnection } from '../show-connection.ts';

interface ListOptions {
  readonly integration?: string[];
  readonly endUser?: string;
  readonly status?: 'active' | 'reauthorization_required';
  readonly health?: ConnectionFilter['health'];
  readonly search?: string;
  readonly limit: number;
  readonly cursor?: string;
}

interface ImportOptions {
  readonly id?: string;
  readonly endUser?: string;
  readonly email?: string;
}

const ref = (providerConfigKey: string, connectionId: string): ConnectionRef => ({ providerConfigKey, connectionId });

/** `connections list|show|refresh|check|budget|delete|import`. */
export function addConnections(program: Command): void {
  const group = program.command('connections').description('links between end users and their accounts at a provider');

  group
    .command('list')
    .description('connections, newest first')
    .option('--integration <list>', 'only of these integrations', commaList)
    .option('--end-user <id>', 'only of this end user')
    .addOption(new Option('--status <status>', 'only in this state').choices(['active', 'reauthorization_required']))
    .addOption(
      new Option('--health <word>', 'only connections with this health').choices([
        'active',
        'not_used_yet',
        'failing',
        'ends_soon',
        'refused_by_provider',
        'client_refused',
        'dead',
        'working',
      ]),
    )
    .option('--search <text>', 'part of an id, a name or an address')
    .option('--limit <number>', 'at most this many, up to 2000', wholeNumber, 100)
    .option('--cursor <cursor>', NEXT_PAGE)
    .action(async (options: ListOptions, command: Command) => {
      const context = await openContext(command);
      const filter = {
        ...given({ integrationId: options.integration, endUserId: options.endUser, status: options.status }),
        ...given({ search: options.search, health: options.health, cursor: options.cursor }),
        limit: Math.min(options.limit, 2000),
      };
      const { connections, nextCursor } = await context.gateway.connections.list(filter);
      if (context.json) return printAnswer(context);
      const rows = connections.map((one) => [
        one.providerConfigKey,
        one.connectionId,
        one.providerAccount?.email ?? '-',
        one.endUser?.id ?? '-',
        stateCell(healthInWords(one)),
        shortTime(one.createdAt),
      ]);
      const empty = `There is no such connection. Create one: ${GATEWAY} connect <integration> --end-user <id>`;
      printTable(['Integration', 'Connection', 'Account', 'End user', 'Health', 'Created'], rows, empty);
      noteNext(nextCursor);
    });

  group
    .command('show <integration> <connection>')
    .alias('get')
    .description('everything known about one connection')
    .action(async (integration: string, connection: string, _options: unknown, command: Command) => {
      const context = await openContext(command);
      await showConnection(await context.gateway.connections.get(ref(integration, connection)), context);
    });

  group
    .command('refresh <integration> <connection>')
    .description('refreshes the access token now')
    .action(async (integration: string, connection: string, _options: unknown, command: Command) => {
      const context = await openContext(command);
      await showConnection(await context.gateway.connections.refresh(ref(integration, connection)), context);
    });

  group
    .command('check <integration> <connection>')
    .description('makes one harmless call to the provider; if it fails, says exactly why (exit code 4)')
    .action(async (integration: string, connection: string, _options: unknown, command: Command) => {
      const context = await openContext(command);
      const result = await context.gateway.connections.check(ref(integration, connection));
      await showCheck(result, context);
      if (!result.works) process.exitCode = EXIT.notWorking;
    });

  budgetOptions(
    group
      .command('budget <integration> <connection>')
      .description('sets what the calls of one connection may take, or shows it'),
  ).action(async (integration: string, connection: string, options: BudgetOptions, command: Command) => {
    const context = await openContext(command);
    const { connections } = context.gateway;
    const one = ref(integration, connection);
    if (Object.keys(options).length > 0) await connections.update(one, { budget: budgetOf(options) });
    const { budget } = await connections.get(one);
    if (context.json) printJson({ budget: budget === undefined ? null : budgetOnTheWire(budget) });
    else printLine(`Budget of ${connection}: ${budgetInWords(budget)}`);
  });

  group
    .command('delete <integration> <connection>')
    .description('deletes a connection and its tokens')
    .addOption(
      new Option('--revoke [how]', 'also end the grant at the provider; refused if other connections share it').choices(
        ['if_last', 'force'],
      ),
    )
    .action(
      async (
        integration: string,
        connection: string,
        options: { revoke?: true | 'if_last' | 'force' },
        command: Command,
      ) => {
        const context = await openContext(command);
        await mustConfirm(`Delete ${connection} of ${integration}?`, context.assumeYes);
        const { revoke } = options;
        const revocation = await context.gateway.connections.delete(ref(integration, connection), given({ revoke }));
        if (context.json) return printAnswer(context);
        printFields({ Deleted: connection, 'Grant at the provider': revocation.status, Reason: revocation.reason });
      },
    );

  group
    .command('import <integration>')
    .description('creates a connection from an existing refresh token; asks for it, or reads it from standard input')
    .option('--id <connection>', 'id of the new connection (default: chosen by the gateway)')
    .option('--end-user <id>', 'the end user that it belongs to')
    .option('--email <address>', "the end user's address")
    .action(async (integration: string, { id, endUser, email }: ImportOptions, command: Command) => {
      const context = await openContext(command);
      if (email !== undefined && endUser === undefined) throw new CommandProblem('--email needs --end-user.');
      const refreshToken = await askSecret('Refresh token');
      const made = await context.gateway.connections.import({
        providerConfigKey: integration,
        refreshToken,
        ...given({ connectionId: id }),
        ...(endUser === undefined ? {} : { endUser: { id: endUser, ...given({ email }) } }),
      });
      await showConnection(made, context);
    });
}
