import { Argument, type Command, InvalidArgumentError, Option } from 'commander';
import { PROVIDER_IDS } from '../../../lambdas/gateway/providers/provider-ids.rules.ts';
import { fieldsList, optionalText } from '../../client/src/http/fields.ts';
import type {
  Integration,
  IntegrationSettings,
  OAuthClient,
  ProviderName,
  PublicNames,
} from '../../client/src/index.ts';
import { budgetOnTheWire } from '../../client/src/management/budget.ts';
import { quotaOnTheWire } from '../../client/src/management/own-quota.ts';
import { readIntegration } from '../../client/src/management/read-integration.ts';
import { askSecret, mustConfirm } from '../ask.ts';
import { type BudgetOptions, budgetInWords, budgetOf, budgetOptions } from '../budget-options.ts';
import { GATEWAY } from '../called-as.ts';
import { type CommandContext, openContext } from '../command-context.ts';
import { findSimulator } from '../gateway-address.ts';
import { commaList, given, LANGUAGES, NEXT_PAGE } from '../options.ts';
import { note, noteNext, printAnswer, printFields, printJson, printLine, printTable, shortTime } from '../output.ts';
import { CommandProblem, EXIT } from '../problems.ts';
import { type QuotaOptions, quotaInWords, quotaOf, quotaOptions } from '../quota-options.ts';

interface SettingOptions {
  readonly name?: string;
  readonly publicName?: string;
  readonly publicNameIn?: PublicNames;
  readonly scopes?: string[];
  readonly publishingStatus?: 'testing' | 'production';
  readonly audience?: 'external' | 'internal';
  readonly mode?: 'test' | 'live';
  readonly hostedDomain?: string;
}

interface CreateOptions extends SettingOptions {
  readonly clientId: string;
  readonly agentic?: true;
}

interface UpdateOptions extends SettingOptions {
  readonly id?: string;
  readonly clientId?: string;
}

/** `integrations list|show|create|quickstart|update|budget|quota|register|rotate-secret|readiness|delete`. */
export function addIntegrations(program: Command): void {
  const group = program.command('integrations').description('providers, each with an OAuth client and scopes');
  const provider = () => new Argument('<provider>', 'the provider').choices(PROVIDER_IDS);

  group
    .command('list')
    .description('integrations, newest first')
    .option('--cursor <cursor>', NEXT_PAGE)
    .action(async ({ cursor }: { cursor?: string }, command: Command) => {
      const { api, json } = await openContext(command);
      const page = await api('listIntegrations', { query: { cursor }, options: undefined });
      if (json) return printJson(page);
      const rows = fieldsList(page.data, 'data')
        .map(readIntegration)
        .map((one) => [one.uniqueKey, one.provider, one.credentialsSource, one.mode, stateOf(one)]);
      printTable(
        ['Integration', 'Provider', 'Client', 'Mode', 'State'],
        rows,
        'There are no integrations yet. Create one: integrations quickstart google-drive google-drive',
      );
      noteNext(optionalText(page, 'next_cursor'));
    });

  group
    .command('show <integration>')
    .description('one integration with its client id; client secrets are never shown')
    .action(async (id: string, _options: unknown, command: Command) => {
      const context = await openContext(command);
      await show(await context.gateway.integrations.get(id, { include: ['credentials'] }), context);
    });

  settings(
    group
      .command('create')
      .addArgument(provider())
      .argument('<integration>', 'its id, unique_key in the API')
      .description(
        'creates an integration with your own OAuth client; asks for the client secret, or reads it from standard input',
      )
      .requiredOption('--client-id <id>', 'id of the OAuth client, from the provider’s console')
      .option('--agentic', 'the client is marked for AI agents at Google; cannot be changed later'),
  ).action(async (name: ProviderName, uniqueKey: string, options: CreateOptions, command: Command) => {
    const context = await openContext(command);
    const wanted = {
      ...settingsOf(options),
      provider: name,
      uniqueKey,
      ...given({ agentic: options.agentic }),
      credentials: await clientOf(options.clientId),
    };
    await show(await context.gateway.integrations.create(wanted), context);
    const { server, console } = await context.gateway.providers.get(name);
    const place = server.hasTestingMode
      ? 'the Google Cloud console of the client’s project'
      : `${server.displayName} (${console.clientsUrl})`;
    const { redirectUri } = await context.gateway.integrations.readiness(uniqueKey);
    const isSimulated = 'controlUrl' in findSimulator(context.dataFolder, redirectUri);
    const steps = isSimulated
      ? ['The simulator, which plays Google here, knows the client.', `Next: ${connectCommand(uniqueKey)}`]
      : nextSteps(redirectUri, uniqueKey, place, server.hasTestingMode);
    for (const line of ['', ...steps]) note(line);
  });

  settings(
    group
      .command('quickstart')
      .addArgument(provider())
      .argument('<integration>', 'its id, unique_key in the API')
      .description("creates an integration with the gateway's test credentials, to try it out"),
  ).action(async (name: ProviderName, uniqueKey: string, options: SettingOptions, command: Command) => {
    const context = await openContext(command);
    const wanted = { ...settingsOf(options), provider: name, uniqueKey };
    await show(await context.gateway.integrations.createQuickstart(wanted), context);
  });

  settings(
    group
      .command('update <integration>')
      .description(
        'changes what is named and leaves the rest; with --client-id asks for the client secret, as create does',
      )
      .option('--id <id>', 'another id; refused while it has connections')
      .option('--client-id <id>', 'another OAuth client; connections of the old one need a new authorization'),
  ).action(async (uniqueKey: string, options: UpdateOptions, command: Command) => {
    const context = await openContext(command);
    const { id, clientId } = options;
    if (Object.keys(options).length === 0) {
      throw new CommandProblem(
        'Say what to change, such as --name or --scopes: integrations update --help lists it all.',
      );
    }
    const credentials = clientId === undefined ? {} : { credentials: await clientOf(clientId) };
    const { publicNameIn } = options;
    // The API takes all names at once; those of languages that are not named here stay.
    const before =
      publicNameIn === undefined ? undefined : (await context.gateway.integrations.get(uniqueKey)).publicNames;
    const settings = settingsOf(
      publicNameIn === undefined ? options : { ...options, publicNameIn: { ...before, ...publicNameIn } },
    );
    const changes = { ...settings, ...given({ uniqueKey: id }), ...credentials };
    const changed = await context.gateway.integrations.update(uniqueKey, changes);
    await show(changed, context);
    if (!context.json) for (const warning of changed.warnings) note(warning);
  });

  budgetOptions(
    group
      .command('budget <integration>')
      .description('sets what the calls of all its connections may take together, or shows it'),
  ).action(async (id: string, options: BudgetOptions, command: Command) => {
    const context = await openContext(command);
    const { integrations } = context.gateway;
    const isChange = Object.keys(options).length > 0;
    const one = isChange ? await integrations.update(id, { budget: budgetOf(options) }) : await integrations.get(id);
    if (context.json) printJson({ budget: one.budget === undefined ? null : budgetOnTheWire(one.budget) });
    else printLine(`Budget of ${id}: ${budgetInWords(one.budget)}`);
  });

  quotaOptions(
    group
      .command('quota <integration>')
      .description(
        'sets Google’s quotas of its Cloud project where they differ from those of new projects, or shows them',
      ),
  ).action(async (id: string, options: QuotaOptions, command: Command) => {
    const context = await openContext(command);
    const { integrations } = context.gateway;
    const isChange = Object.keys(options).length > 0;
    const one = isChange ? await integrations.update(id, { quota: quotaOf(options) }) : await integrations.get(id);
    if (context.json) return printJson({ quota: one.quota === undefined ? null : quotaOnTheWire(one.quota) });
    printLine(`Quota of ${id}: ${quotaInWords(one.quota)}`);
    for (const warning of one.warnings) note(warning);
  });

  group
    .command('register <integration>')
    .description('registers its OAuth client at the simulator of a local gateway; asks for the client secret')
    .action(async (id: string, _options: unknown, command: Command) => {
      const { gateway, dataFolder } = await openContext(command);
      // The gateway says which one it is: profiles, --base-url and tunnels lead to a local one, too.
      const { redirectUri } = await gateway.integrations.readiness(id);
      const simulator = findSimulator(dataFolder, redirectUri);
      if ('why' in simulator) throw new CommandProblem(simulator.why);
      const { clientId } = await gateway.integrations.get(id, { include: ['credentials'] });
      if (clientId === undefined) {
        throw new CommandProblem(`${id} uses the test credentials, which the simulator already knows.`);
      }
      const clientSecret = await askSecret('Client secret');
      await registerAtSimulator(simulator.controlUrl, { clientId, clientSecret, redirectUris: [redirectUri] });
      printLine(`The simulator knows the client of ${id}. Next: ${connectCommand(id)}`);
    });

  group
    .command('rotate-secret <integration>')
    .description('replaces the client secret of the same OAuth client without downtime; asks for the new one')
    .action(async (id: string, _options: unknown, command: Command) => {
      const context = await openContext(command);
      const clientSecret = await askSecret('New client secret');
      await context.gateway.integrations.update(id, { credentials: { clientSecret } });
      if (context.json) return printAnswer(context);
      printLine(`${id} has the new client secret; the previous one is kept as a fallback.`);
      printLine(
        'Running functions start using it within five minutes, or as soon as the provider refuses the old one.',
      );
      printLine('You can now disable the old one at the provider.');
    });

  group
    .command('readiness <integration>')
    .description('what is still needed before going live')
    .action(async (id: string, _options: unknown, command: Command) => readiness(await openContext(command), id));

  group
    .command('delete <integration>')
    .description('deletes an integration with all its connections')
    .addOption(new Option('--revoke [how]', 'also end the grants at the provider').choices(['if_last']))
    .action(async (id: string, { revoke }: { revoke?: true | 'if_last' }, command: Command) => {
      const context = await openContext(command);
      await mustConfirm(`Delete ${id} and every connection under it?`, context.assumeYes);
      const deletedConnections = await context.gateway.integrations.delete(id, given({ revoke }));
      if (context.json) return printAnswer(context);
      printLine(`Deleted ${id} with ${deletedConnections} connections.`);
    });
}

function connectCommand(id: string): string {
  return `${GATEWAY} connect ${id} --end-user user-42`;
}

/** Requirements of an own OAuth client before the first user can connect. */
function nextSteps(redirectUri: string, id: string, place: string, hasTestingMode: boolean): string[] {
  return [
    `Next, at ${place}:`,
    `  add ${redirectUri} to the redirect URIs of the client, exactly as written here`,
    '  enable the API that the integration calls, if that is required there',
    ...(hasTestingMode ? ['  while the app is in testing, add yourself to its test users'] : []),
    `Then: ${connectCommand(id)}`,
    `What is needed before going live: ${GATEWAY} integrations readiness ${id}`,
  ];
}

/** @throws CommandProblem with the simulator's own words */
async function registerAtSimulator(
  controlUrl: string,
  client: { readonly clientId: string; readonly clientSecret: string; readonly redirectUris: readonly string[] },
): Promise<void> {
  const answer = await fetch(`${controlUrl}/clients`, { method: 'POST', body: JSON.stringify(client) });
  const said = await answer.text();
  if (!answer.ok) throw new CommandProblem(`The simulator answered ${answer.status}: ${said}`, EXIT.refused);
}

function settings(command: Command): Command {
  return command
    .option('--name <text>', 'name shown to operators')
    .option('--public-name <text>', 'name shown to end users; if empty, the name for operators')
    .option(
      '--public-name-in <language=text>',
      'the same for readers of a language, such as "de=Ihre Berichte"; if empty, none; may be repeated',
      withNameIn,
    )
    .option('--scopes <list>', 'comma-separated scopes, in short or full form', commaList)
    .addOption(new Option('--publishing-status <status>', 'as set at Google').choices(['testing', 'production']))
    .addOption(new Option('--audience <audience>', 'as set at Google').choices(['external', 'internal']))
    .addOption(new Option('--mode <mode>', 'what it is used for').choices(['test', 'live']))
    .option('--hosted-domain <domain>', 'only accounts of this Workspace domain, * for any; if empty, all accounts');
}

/** Adds `de=name` to those before. @throws InvalidArgumentError */
function withNameIn(text: string, before: PublicNames = {}): PublicNames {
  const [, wanted, name = ''] = /^([^=]*)=(.*)$/su.exec(text) ?? [];
  const language = LANGUAGES.find((one) => one === wanted);
  if (language === undefined) {
    throw new InvalidArgumentError(`Write language=name, such as de=Berichte; languages: ${LANGUAGES.join(', ')}.`);
  }
  return { ...before, [language]: name };
}

/** Names by language without the empty ones; null where none is left. */
function namesIn(names: PublicNames): PublicNames | null {
  const kept = Object.entries(names).filter(([, name]) => name !== '');
  return kept.length === 0 ? null : Object.fromEntries(kept);
}

function settingsOf(options: SettingOptions): IntegrationSettings {
  const { name, publicName, publicNameIn, scopes, publishingStatus, audience, mode, hostedDomain } = options;
  return given({
    displayName: name,
    publicName: publicName === '' ? null : publicName,
    publicNames: publicNameIn && namesIn(publicNameIn),
    scopes,
    publishingStatus,
    audience,
    mode,
    hostedDomain: hostedDomain === '' ? null : hostedDomain,
  });
}

/** An OAuth client, with its secret from a prompt, because arguments are visible. @throws CommandProblem */
async function clientOf(clientId: string): Promise<OAuthClient> {
  return { clientId, clientSecret: await askSecret('Client secret') };
}

async function readiness(context: CommandContext, id: string): Promise<void> {
  const report = await context.gateway.integrations.readiness(id);
  if (context.json) return printAnswer(context);
  printLine(report.ready ? 'Ready to go live.' : 'Not ready to go live.');
  const steps = report.steps.filter(({ needed }) => needed);
  const state = (done: boolean | undefined) => (done === undefined ? 'see console' : done ? 'done' : 'to do');
  for (const { id: step, done, what } of steps) printLine(`${step} (${state(done)})\n  ${what}`);
  for (const risk of report.risks) printLine(`Risk: ${risk}`);
  for (const seen of report.agents?.seen ?? []) printLine(`Seen: ${seen}`);
  for (const untried of report.agents?.untried ?? []) printLine(`Not tried: ${untried}`);
  if (report.securityEvents !== undefined) printLine(`Security events: ${report.securityEvents.what}`);
  if (report.domain === undefined) return;
  const { host, own, losses } = report.domain;
  if (losses.length > 0)
    printLine(own ? `Until the domain ${host} is verified at Google:` : `${host} is not a domain of your own:`);
  for (const { capability, what } of losses) printLine(`  ${capability}: ${what}`);
}

async function show(one: Integration, context: CommandContext): Promise<void> {
  if (context.json) return printAnswer(context);
  printFields({
    Integration: one.uniqueKey,
    Name: one.displayName,
    'Name for end users': one.publicName,
    'Names by language': one.publicNames && Object.entries(one.publicNames).map((pair) => pair.join(': ')),
    Provider: one.provider,
    Client: one.clientId ?? (one.credentialsSource === 'test' ? 'test credentials' : 'own'),
    Scopes: one.scopes,
    Mode: one.mode,
    'Publishing status': one.publishingStatus,
    Audience: one.audience,
    'Accounts of': one.hostedDomain,
    'For agents': one.agentic === true ? 'yes: Google’s MCP servers, no REST' : undefined,
    Budget: one.budget && budgetInWords(one.budget),
    Quota: one.quota && quotaInWords(one.quota),
    State: stateOf(one),
    'Who can fix it': one.health?.who,
    'What to do': one.health?.remedy,
    Created: shortTime(one.createdAt),
  });
}

function stateOf({ credentialsFault, health }: Integration): string {
  if (credentialsFault !== undefined) {
    return `client refused since ${shortTime(credentialsFault.since)}: ${credentialsFault.error}`;
  }
  if (health?.status !== 'working') return 'client not checked yet';
  return `client works since ${shortTime(health.since)}`;
}
