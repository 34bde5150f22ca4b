import { readFileSync, writeFileSync } from 'node:fs';
import type { Command } from 'commander';
import { isFields } from '../../client/src/http/fields.ts';
import type { ConnectionRef, MadeReconnectLinks } from '../../client/src/index.ts';
import { mustConfirm } from '../ask.ts';
import { type CommandContext, openContext } from '../command-context.ts';
import { csv } from '../csv.ts';
import { durationSec, given } from '../options.ts';
import { note, printAnswer, printFields, printJson, printLine, printTable, shortTime } from '../output.ts';
import { CommandProblem, EXIT } from '../problems.ts';

interface CreateOptions {
  readonly integration?: string;
  readonly cause?: string;
  readonly connection?: string[];
  readonly valid: number;
  readonly messageFile?: string;
  readonly language?: string;
  readonly csv?: string;
}

const HELP = `
Each link works once, only for the account of its connection, and is shown only now. It comes with a message in the
language in which its end user read the pages. A message of yours holds {link} and, if you like, {name}, {integration}
and {expires}. A CSV file has a row for each person: send it with what you send mail with.`;

const HEAD = ['Integration', 'Connection', 'End user', 'Name', 'E-mail', 'Link', 'Message', 'Language', 'Subject'];

/** `reconnect create|list|show|revoke`: links for connections that need a new authorization, in bulk. */
export function addReconnect(program: Command): void {
  const group = program
    .command('reconnect')
    .description('links for end users whose connections need a new authorization');

  group
    .command('create')
    .description(
      'creates links for all dead connections, for those with one cause or integration, or for named connections',
    )
    .option('--integration <id>', 'only of this integration; with --connection: whose connections they are')
    .option('--cause <cause>', 'only of this cause, such as user_revoked')
    .option('--connection <ids...>', 'these connections, whatever their state')
    .option('--valid <time>', 'how long the links are valid, such as 30m or 12h; at most 7d', durationSec, 24 * 3600)
    .option('--message-file <file>', 'a text of yours to send with each link')
    .option('--language <id>', 'for end users whose language is not known: en, de, fr, es, pt or ja')
    .option('--csv <file>', 'write a row for each link to a new file')
    .addHelpText('after', HELP)
    .action(async (options: CreateOptions, command: Command) => {
      const context = await openContext(command);
      const { json } = context;
      const { batches, answers } = await create(context, options);
      const links = batches.flatMap((batch) => batch.links);
      const refused = batches.flatMap((batch) => batch.refused);
      const rows = links.map((one) => [
        one.providerConfigKey,
        one.connectionId,
        one.endUser?.id,
        one.endUser?.displayName,
        one.endUser?.email ?? one.providerEmail,
        one.connectLink,
        one.message,
        one.language,
        one.subject,
      ]);
      // The links give access to accounts, so only their owner may read the file.
      if (options.csv !== undefined) writeFileSync(options.csv, csv([HEAD, ...rows]), { flag: 'wx', mode: 0o600 });
      if (json) printJson({ batches: answers });
      else if (options.csv !== undefined) printLine(`${links.length} links are in ${options.csv}.`);
      else
        printTable(
          HEAD.slice(0, 6),
          rows.map((row) => row.slice(0, 6)),
          'No connection needs a link.',
        );
      for (const one of refused) note(`No link for ${one.providerConfigKey} ${one.connectionId}: ${one.reason}`);
      if (!json) for (const { id } of batches) printLine(`Who came back: reconnect show ${id}`);
      if (refused.length > 0) process.exitCode = EXIT.refused;
    });

  group
    .command('list')
    .description('the latest batches of links, and how many end users came back')
    .action(async (_options: unknown, command: Command) => {
      const context = await openContext(command);
      const all = await context.gateway.connectSessions.listReconnectLinks();
      if (context.json) return printAnswer(context);
      const rows = all.map((one) => [
        one.id,
        shortTime(one.createdAt),
        one.revokedAt === undefined ? shortTime(one.expiresAt) : 'withdrawn',
        one.links,
        one.cameBack,
      ]);
      printTable(['Id', 'Made', 'Until', 'Links', 'Came back'], rows, 'There are no links yet.');
    });

  group
    .command('show <id>')
    .description('the result of each link')
    .action(async (id: string, _options: unknown, command: Command) => {
      const context = await openContext(command);
      const batch = await context.gateway.connectSessions.followReconnectLinks(id);
      if (context.json) return printAnswer(context);
      printFields({
        Made: batch.createdAt,
        By: batch.createdByName ?? batch.createdBy,
        Until: batch.revokedAt ?? batch.expiresAt,
      });
      const rows = batch.links.map((one) => [
        one.providerConfigKey,
        one.connectionId,
        one.endUser?.displayName ?? one.endUser?.email ?? one.endUser?.id,
        one.state.replace('_', ' '),
        shortTime(one.cameBackAt),
      ]);
      printTable(['Integration', 'Connection', 'End user', 'State', 'Came back'], rows, 'None.');
    });

  group
    .command('revoke <id>')
    .description('withdraws a batch of links, so that they no longer work')
    .action(async (id: string, _options: unknown, command: Command) => {
      const context = await openContext(command);
      await mustConfirm('Withdraw these links? End users who have one will need a new link.', context.assumeYes);
      await context.gateway.connectSessions.revokeReconnectLinks(id);
      if (context.json) return printAnswer(context);
      printLine('The links are withdrawn.');
    });
}

/** As many requests as the selection takes: each makes a hundred links at most. */
async function create({ gateway, lastAnswer }: CommandContext, options: CreateOptions): Promise<MadeBatches> {
  const { integration, cause, connection, valid: lifetimeSec, messageFile, language } = options;
  const message = messageFile === undefined ? undefined : readFileSync(messageFile, 'utf8').trim();
  const shared = { lifetimeSec, ...given({ message, language }) };
  const batches: MadeReconnectLinks[] = [];
  const answers: unknown[] = [];
  if (connection !== undefined) {
    if (integration === undefined) throw new CommandProblem('--connection needs the --integration of its connections');
    const refs: ConnectionRef[] = connection.map((connectionId) => ({ providerConfigKey: integration, connectionId }));
    for (let start = 0; start < refs.length; start += 100) {
      const connections = refs.slice(start, start + 100);
      batches.push(await gateway.connectSessions.createReconnectLinks({ connections, ...shared }));
      answers.push(dataOf(await lastAnswer()));
    }
    return { batches, answers };
  }
  let cursor: string | undefined;
  do {
    const allDead = given({ cause, providerConfigKey: integration, cursor });
    const batch = await gateway.connectSessions.createReconnectLinks({ allDead, ...shared });
    if (batch.links.length + batch.refused.length > 0) {
      batches.push(batch);
      answers.push(dataOf(await lastAnswer()));
    }
    cursor = batch.nextCursor;
  } while (cursor !== undefined);
  return { batches, answers };
}

interface MadeBatches {
  readonly batches: readonly MadeReconnectLinks[];
  /** The same with the names that they have in the API, where they are wanted as JSON. */
  readonly answers: readonly unknown[];
}

function dataOf(answer: unknown): unknown {
  return isFields(answer) ? answer.data : undefined;
}
