import { type Command, Option } from 'commander';
import { KEY_RIGHTS, type KeyRight } from '../../../lambdas/gateway/keys/credentials.rules.ts';
import { fieldsList, optionalText } from '../../client/src/http/fields.ts';
import type { KeyLimits, SecretKey } from '../../client/src/management/secret-key-types.ts';
import { readSecretKey, limitsBody as wireLimits } from '../../client/src/management/secret-keys.ts';
import { mustConfirm } from '../ask.ts';
import { openContext } from '../command-context.ts';
import { commaList, given, NEXT_PAGE, wholeNumber } from '../options.ts';
import { note, noteNext, printAnswer, printJson, printLine, printTable, shortTime } from '../output.ts';
import { CommandProblem } from '../problems.ts';

interface LimitOptions {
  readonly allow?: string[];
  readonly deny?: string[];
  readonly connections?: string[];
  readonly endUser?: string[];
  readonly sources?: string[];
  readonly callsPerMinute?: number;
  readonly callsPerDay?: number;
  readonly unitsPerDay?: number;
  readonly bytesPerDay?: number;
  readonly expires?: string;
  readonly observe?: boolean;
}

interface RoleOptions extends CreateOptions {
  readonly name?: string;
  readonly roleId?: string;
}

interface CreateOptions extends LimitOptions {
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
          limitsInWords(key),
          key.roleArn ?? (key.hint === undefined ? '' : `…${key.hint}`),
          key.createdBy ?? '',
          shortTime(key.lastUsedAt),
          key.revokedAt === undefined ? 'live' : `revoked ${shortTime(key.revokedAt)}`,
        ]);
      printTable(
        ['Key', 'Name', 'Right', 'Integrations', 'Limits', 'Ends in, or role', 'Made by', 'Last used', 'State'],
        rows,
        'There are no keys.',
      );
      noteNext(optionalText(page, 'next_cursor'));
    });

  limitOptions(
    group
      .command('create <name>')
      .description('creates a key; writes it to standard output, only this once')
      .addOption(new Option('--right <right>', 'what it may do').choices(KEY_RIGHTS).default('proxy'))
      .option('--integrations <list>', 'only these integrations', commaList)
      .option('--can-read-credentials', 'may read tokens through the API; only a key with this right can create one'),
  ).action(async (name: string, options: CreateOptions, command: Command) => {
    const context = await openContext(command);
    const made = await context.gateway.keys.create({
      name,
      right: options.right,
      ...given({ integrationIds: options.integrations }),
      canReadCredentials: options.canReadCredentials === true,
      ...given({ limits: limitsOf(options) }),
    });
    if (context.json) return printAnswer(context);
    note(`Key ${made.id.slice(0, 12)} "${made.name}", right ${made.right}. It is shown only once:`);
    printLine(made.secretKey);
  });

  limitOptions(
    group
      .command('register-role <arn>')
      .description('lets an IAM role call below /iam in place of a key; listed, limited and revoked with the keys')
      .option('--name <name>', 'what it is called here (default: the name of the role)')
      .option('--role-id <id>', 'unique id that the role must have: RoleId of aws iam get-role')
      .addOption(new Option('--right <right>', 'what it may do').choices(KEY_RIGHTS).default('proxy'))
      .option('--integrations <list>', 'only these integrations', commaList)
      .option('--can-read-credentials', 'may read tokens through the API; only a key with this right can give it'),
  ).action(async (roleArn: string, options: RoleOptions, command: Command) => {
    const context = await openContext(command);
    const role = await context.gateway.keys.registerRole({
      name: options.name ?? roleArn.split('/').at(-1) ?? roleArn,
      right: options.right,
      roleArn,
      ...given({ roleId: options.roleId, integrationIds: options.integrations, limits: limitsOf(options) }),
      canReadCredentials: options.canReadCredentials === true,
    });
    if (context.json) return printAnswer(context);
    printLine(`"${role.name}" (${role.id.slice(0, 12)}), right ${role.right}: ${role.roleArn} may call below /iam.`);
  });

  limitOptions(
    group
      .command('limit <key>')
      .description(
        'sets all limits of a key with the right proxy, by its id or the start of it; they hold within a minute',
      )
      .option('--none', 'takes the limits away'),
  ).action(async (start: string, options: LimitOptions & { readonly none?: boolean }, command: Command) => {
    const limits = limitsOf(options);
    if ((limits === undefined) !== (options.none === true)) {
      throw new CommandProblem('Say what to limit, or --none to take the limits away. See gateway keys limit --help.');
    }
    const { gateway, api, json } = await openContext(command);
    const key = theOne(await gateway.keys.list(), start);
    if (json) {
      const body = { limits: limits === undefined ? null : wireLimits(limits) };
      return printJson(await api('updateSecretKey', { ids: { keyId: key.id }, body, options: undefined }));
    }
    printLine(`"${key.name}": ${limitsInWords(await gateway.keys.setLimits(key.id, limits ?? null))}.`);
  });

  group
    .command('observed <key>')
    .description(
      'calls of the last seven days that the limits of a key would have refused, by its id or the start of it',
    )
    .action(async (start: string, _options: unknown, command: Command) => {
      const { gateway, api, json } = await openContext(command);
      const key = theOne(await gateway.keys.list(), start);
      if (json) return printJson(await api('readObservedCalls', { ids: { keyId: key.id }, options: undefined }));
      const { calls, wouldRefuse, rows, countedUntil } = await gateway.keys.observed(key.id);
      printTable(
        ['Method', 'Limit', 'Calls', 'Last'],
        rows.map(({ method, limit, calls, lastAt }) => [method ?? 'unknown', limit, calls, shortTime(lastAt)]),
        `The limits of "${key.name}" would have refused no call.`,
      );
      const until = countedUntil === undefined ? 'none is counted yet' : `counted until ${shortTime(countedUntil)}`;
      note(`${wouldRefuse} of ${calls} proxied calls would have been refused; ${until}.`);
    });

  group
    .command('methods')
    .description('methods and sets that --allow and --deny can name')
    .action(async (_options: unknown, command: Command) => {
      const { gateway, api, json } = await openContext(command);
      if (json) return printJson(await api('listLimitMethods', { options: undefined }));
      const rows = (await gateway.keys.limitMethods()).map(({ id, set, meaning }) => [id, set, meaning]);
      printTable(['Method', 'Set', 'What it does'], rows, 'There are no methods.');
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

/** The options that say what a key is limited to. */
function limitOptions(command: Command): Command {
  return command
    .option(
      '--allow <list>',
      'only these methods (drive.files.get), groups (drive.files.*) and sets (drive:read)',
      commaList,
    )
    .option('--deny <list>', 'never these, whatever is allowed', commaList)
    .option('--connections <list>', 'only these connections', commaList)
    .option('--end-user <list>', 'only connections with these tags, as name=value', commaList)
    .option('--sources <list>', 'only from these addresses and networks', commaList)
    .option('--calls-per-minute <number>', 'requests to the provider in a minute', wholeNumber)
    .option('--calls-per-day <number>', 'requests to the provider in a day, UTC', wholeNumber)
    .option('--units-per-day <number>', 'units of the provider’s quotas in a day, UTC', wholeNumber)
    .option('--bytes-per-day <number>', 'bytes of answers in a day, UTC', wholeNumber)
    .option('--expires <time>', 'when the key ends, such as 2026-12-31T00:00:00Z')
    .option('--observe', 'refuse nothing, and count what would be refused');
}

/** What options limit; undefined where they limit nothing. */
function limitsOf(options: LimitOptions): KeyLimits | undefined {
  const tags = options.endUser?.map((pair) => {
    const at = pair.indexOf('=');
    if (at < 1) throw new CommandProblem(`${pair} is no tag: write name=value.`);
    return [pair.slice(0, at), pair.slice(at + 1)] as const;
  });
  const day = given({ calls: options.callsPerDay, units: options.unitsPerDay, bytes: options.bytesPerDay });
  const limits = given({
    allow: options.allow,
    deny: options.deny,
    connections: options.connections,
    endUsers: tags === undefined ? undefined : Object.fromEntries(tags),
    sources: options.sources,
    minute: options.callsPerMinute === undefined ? undefined : { calls: options.callsPerMinute },
    day: Object.keys(day).length === 0 ? undefined : day,
    expiresAt: options.expires,
  });
  if (Object.keys(limits).length === 0) {
    if (options.observe === true)
      throw new CommandProblem('--observe needs a limit to observe, such as --allow drive:read.');
    return undefined;
  }
  return { mode: options.observe === true ? 'observe' : 'enforce', ...limits };
}

/** What a key is limited to, for a cell of a table. */
function limitsInWords({ limits }: SecretKey): string {
  if (limits === undefined) return 'none';
  const { mode, methods, connections, endUsers, sources, minute, day, expiresAt } = limits;
  const said = [
    ...(methods === undefined ? [] : [`${methods.length} methods`]),
    ...(connections === undefined ? [] : [`${connections.length} connections`]),
    ...(endUsers === undefined ? [] : ['end users']),
    ...(sources === undefined ? [] : ['sources']),
    ...(minute === undefined ? [] : ['a minute']),
    ...(day === undefined ? [] : ['a day']),
    ...(expiresAt === undefined ? [] : [`until ${shortTime(expiresAt)}`]),
  ];
  return (mode === 'observe' ? ['observed', ...said] : said).join(', ');
}

function theOne(all: readonly SecretKey[], start: string): SecretKey {
  const found = all.filter(({ id, revokedAt }) => id.startsWith(start) && revokedAt === undefined);
  const [key] = found;
  if (key === undefined) throw new CommandProblem(`No live key begins with ${start}. See keys list.`);
  if (found.length > 1) throw new CommandProblem(`${found.length} keys begin with ${start}: enter more characters.`);
  return key;
}
