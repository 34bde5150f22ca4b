import { type Command, Option } from 'commander';
import { KEY_RIGHTS, type KeyRight } from '../../../lambdas/gateway/keys/credentials.rules.ts';
import { fieldsList, optionalText } from '../../client/src/http/fields.ts';
import { readSecretKey, limitsBody as wireLimits } from '../../client/src/management/read-secret-key.ts';
import { mustConfirm } from '../ask.ts';
import { openContext } from '../command-context.ts';
import { commaList, given, NEXT_PAGE } from '../options.ts';
import { note, noteNext, printAnswer, printJson, printLine, printTable, shortTime, stateCell } from '../output.ts';
import { CommandProblem } from '../problems.ts';
import { type LimitOptions, limitOptions, limitsInWords, limitsOf, theOne } from './key-limits.ts';

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
          key.roleArn ??
            (key.agent !== undefined ? `…${key.hint ?? ''}, assistant` : undefined) ??
            (key.hint === undefined ? '' : `…${key.hint}`),
          key.createdBy ?? '',
          shortTime(key.lastUsedAt),
          stateCell(key.revokedAt === undefined ? 'live' : `revoked ${shortTime(key.revokedAt)}`),
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
      .description('lets an IAM role call below /iam instead of a key; it is listed, limited and revoked like keys')
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
    .description('methods and sets that --allow, --deny and --approve can name')
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
