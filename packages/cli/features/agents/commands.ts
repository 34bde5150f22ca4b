import type { Command } from 'commander';
import type { AgentTool, SecretKey } from '../../../client/src/index.ts';
import { mustConfirm } from '../../ask.ts';
import { openContext } from '../../command-context.ts';
import { enforcedLimitOptions, type LimitOptions, limitsInWords, limitsOf, theOne } from '../../commands/key-limits.ts';
import { commaList, given } from '../../options.ts';
import { note, printAnswer, printJson, printLine, printTable, shortTime } from '../../output.ts';
import { CommandProblem } from '../../problems.ts';

interface CreateOptions extends LimitOptions {
  readonly user?: string;
  readonly integrations?: string[];
  readonly connection?: string[];
  readonly tools?: string[];
}

/** `agents list|create|revoke`: keys that assistants have. */
export function commands(program: Command): void {
  const group = program.command('agents').description('keys for assistants, which call tools at /mcp');

  group
    .command('list')
    .description('keys of assistants that are not revoked, newest first')
    .action(async (_options: unknown, command: Command) => {
      const { gateway, json } = await openContext(command);
      const agents = (await gateway.keys.list()).filter(isLive);
      if (json) return printJson({ data: agents });
      const rows = agents.map((key) => [
        key.id.slice(0, 12),
        key.name,
        key.agent?.endUserId ?? '',
        (key.agent?.connections ?? [])
          .map(({ integrationId, connectionId }) => `${integrationId}:${connectionId}`)
          .join(', '),
        key.agent?.tools?.join(', ') ?? 'all',
        limitsInWords(key),
        shortTime(key.lastUsedAt),
      ]);
      const heads = ['Key', 'Name', 'End user', 'Connections', 'Tools', 'Limits', 'Last used'];
      printTable(heads, rows, 'There are no keys of assistants.');
    });

  enforcedLimitOptions(
    group
      .command('create <name>')
      .description('creates a key for an assistant; writes it to standard output, only this once')
      .option('--user <id>', 'your id of the end user whose connections it has')
      .option('--integrations <list>', 'of the end user’s connections, those of these integrations', commaList)
      .option(
        '--connection <list>',
        'these connections instead of an end user’s, as integration:connection; at most one of each provider',
        commaList,
      )
      .option(
        '--tools <list>',
        'only these tools, such as drive_search_files (default: all that the limits leave)',
        commaList,
      ),
  )
    .option('--no-journal', 'keep nothing of what its writes change, so that they cannot be undone')
    .action(async (name: string, options: CreateOptions, command: Command) => {
      if ((options.user === undefined) === (options.connection === undefined)) {
        throw new CommandProblem('Say whose assistant it is: --user user-42, or --connection google-drive:user-1.');
      }
      const context = await openContext(command);
      const connections = options.connection?.map((pair) => {
        const at = pair.indexOf(':');
        if (at < 1) throw new CommandProblem(`${pair} is no connection: write integration:connection.`);
        return { integrationId: pair.slice(0, at), connectionId: pair.slice(at + 1) };
      });
      // The API names those that it does not know.
      const tools = options.tools as AgentTool[] | undefined;
      const made = await context.gateway.keys.createAgent({
        name,
        ...given({ endUserId: options.user, integrations: options.integrations, connections, tools }),
        ...given({ limits: limitsOf(options) }),
      });
      if (context.json) return printAnswer(context);
      const bound = made.agent?.connections.map(({ integrationId }) => integrationId).join(', ');
      note(
        `Key ${made.id.slice(0, 12)} "${made.name}" for ${bound}, ${limitsInWords(made)}. Assistants use it at ${made.mcpUrl}. It is shown only once:`,
      );
      printLine(made.agentKey);
      for (const warning of made.warnings) note(warning);
    });

  group
    .command('tools')
    .description('tools of Google’s MCP servers, with those that wait to be accepted')
    .option('--fetch', 'ask the servers first')
    .action(async ({ fetch }: { fetch?: true }, command: Command) => {
      const { gateway, json } = await openContext(command);
      const lists = await gateway.integrations.agentTools(given({ fetch }));
      if (json) return printJson({ data: lists });
      const rows = lists.flatMap(({ provider, endpoint, tools }) =>
        tools.map((tool) => [provider, endpoint, tool.name, tool.class ?? 'unknown', tool.state]),
      );
      printTable(['Provider', 'Endpoint', 'Tool', 'Class', 'State'], rows, 'No list has been fetched yet: --fetch.');
      for (const { provider, endpoint, tools } of lists) {
        for (const { name, accepted, waiting } of tools.filter((tool) => tool.waiting !== undefined)) {
          printLine(`\n${provider} ${endpoint} ${name}`);
          printLine(`  accepted: ${accepted?.description ?? '(none)'}`);
          printLine(`  waiting:  ${waiting?.description ?? ''}`);
        }
      }
    });

  group
    .command('accept-tools <provider> <tool...>')
    .description('accepts tools of Google’s MCP servers as they are now, so that assistants are offered them')
    .option('--self', 'of the endpoint for clients that cannot show Google’s forms')
    .action(async (provider: string, names: string[], { self }: { self?: true }, command: Command) => {
      const context = await openContext(command);
      const endpoint = self === true ? 'self' : 'full';
      const lists = await context.gateway.integrations.agentTools();
      const list = lists.find((one) => one.provider === provider && one.endpoint === endpoint);
      const wanted = names.map((name) => {
        const waiting = list?.tools.find((tool) => tool.name === name)?.waiting;
        if (waiting === undefined) throw new CommandProblem(`${name} does not wait: agents tools lists what does.`);
        return { name, hash: waiting.hash };
      });
      await mustConfirm(`Offer ${names.join(', ')} to assistants as described now?`, context.assumeYes);
      await context.gateway.integrations.acceptAgentTools(provider, endpoint, wanted);
      if (context.json) return printAnswer(context);
      printLine(`Accepted ${names.join(', ')}.`);
    });

  group
    .command('revoke <key>')
    .description('by its id or the start of it; the key stops working within a minute')
    .action(async (start: string, _options: unknown, command: Command) => {
      const { gateway, json, assumeYes } = await openContext(command);
      const key = theOne((await gateway.keys.list()).filter(isLive), start);
      await mustConfirm(`Revoke "${key.name}" (${key.id.slice(0, 12)})?`, assumeYes);
      await gateway.keys.revoke(key.id);
      if (json) printJson({ revoked: key.id });
      else printLine(`Revoked "${key.name}".`);
    });
}

function isLive({ agent, revokedAt }: SecretKey): boolean {
  return agent !== undefined && revokedAt === undefined;
}
