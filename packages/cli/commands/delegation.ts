import { Argument, type Command, Option } from 'commander';
import { PROVIDER_IDS } from '../../../lambdas/gateway/providers/provider-ids.rules.ts';
import type { ProviderName } from '../../client/src/index.ts';
import { askSecret } from '../ask.ts';
import { GATEWAY } from '../called-as.ts';
import { openContext } from '../command-context.ts';
import { commaList, given, LANGUAGES } from '../options.ts';
import { printAnswer, printFields, printLine, printTable, shortTime } from '../output.ts';
import { EXIT } from '../problems.ts';
import { showConnection } from '../show-connection.ts';

interface CreateOptions {
  readonly serviceAccount: string;
  readonly clientId: string;
  readonly projectNumber: string;
  readonly audience?: string;
  readonly domains?: string[];
  readonly addresses?: string[];
  readonly exceptions?: string[];
  readonly scopes?: string[];
  readonly name?: string;
}

interface LinkOptions {
  readonly organization: string;
  readonly organizationName?: string;
  readonly language?: (typeof LANGUAGES)[number];
}

/** `delegation create|show|check|link|connect`. */
export function addDelegation(program: Command): void {
  const group = program
    .command('delegation')
    .description('service accounts that act for users of Workspace domains, without their consent');

  group
    .command('create')
    .addArgument(new Argument('<provider>', 'the provider').choices(PROVIDER_IDS))
    .argument('<integration>', 'its id, unique_key in the API')
    .description(
      'creates an integration of a service account: without a key by --audience, else it asks for the key file, or reads it from standard input',
    )
    .requiredOption('--service-account <address>', 'address of the service account')
    .requiredOption('--client-id <number>', 'its numeric client id (Unique ID)')
    .requiredOption('--project-number <number>', 'number of its Google Cloud project')
    .option('--audience <name>', 'full name of the workload identity pool provider that knows the gateway’s AWS role')
    .option('--domains <list>', 'comma-separated Workspace domains whose users it may act for', commaList)
    .option('--addresses <list>', 'more users, as comma-separated addresses', commaList)
    .option('--exceptions <list>', 'comma-separated addresses of those domains that it may not act for', commaList)
    .option('--scopes <list>', 'comma-separated scopes, in short or full form', commaList)
    .addOption(new Option('--name <text>', 'name shown to operators'))
    .action(async (provider: ProviderName, uniqueKey: string, options: CreateOptions, command: Command) => {
      const context = await openContext(command);
      const { serviceAccount, clientId, projectNumber, audience, domains, addresses, exceptions, scopes } = options;
      const via =
        audience === undefined
          ? ({ via: 'key', key: await askSecret('Key file') } as const)
          : ({ via: 'aws', audience } as const);
      await context.gateway.integrations.create({
        provider,
        uniqueKey,
        ...given({ scopes, displayName: options.name }),
        delegation: {
          serviceAccount,
          clientId,
          projectNumber,
          ...via,
          subjects: given({ domains, addresses, exceptions }),
        },
      });
      if (context.json) return printAnswer(context);
      printLine(`Created ${uniqueKey}. What administrators list: ${GATEWAY} delegation show ${uniqueKey}`);
    });

  group
    .command('show <integration>')
    .description('what administrators list, and how the service account stands in each domain')
    .action(async (id: string, _options: unknown, command: Command) => {
      const context = await openContext(command);
      const state = await context.gateway.integrations.delegation(id);
      if (context.json) return printAnswer(context);
      printFields({ 'Client id': state.clientId, Scopes: state.scopes.join(','), Form: state.adminUrl });
      const rows = state.domains.map((one) => [one.domain, one.status, shortTime(one.since)]);
      printTable(
        ['Domain', 'State', 'Since'],
        rows,
        `No domain yet. Check one: ${GATEWAY} delegation check ${id} <address>`,
      );
    });

  group
    .command('check <integration> <address>')
    .description('asks Google whether it may act for a user, scope by scope (exit code 4 where it may not)')
    .action(async (id: string, address: string, _options: unknown, command: Command) => {
      const context = await openContext(command);
      const check = await context.gateway.integrations.checkDelegation(id, address);
      if (!check.works) process.exitCode = EXIT.notWorking;
      if (context.json) return printAnswer(context);
      printLine(
        check.works ? `It may act for users of ${check.domain}.` : `It may not act for users of ${check.domain}.`,
      );
      for (const { scope, status } of check.scopes) printLine(`  ${scope}: ${status.replace('_', ' ')}`);
      if (check.whatHappened !== undefined) printLine(`${check.whatHappened} ${check.remedy ?? ''}`);
    });

  group
    .command('link <integration>')
    .description(
      'makes a link for the administrator of a customer’s domain: what to list, and a check of it; valid for seven days',
    )
    .requiredOption('--organization <id>', 'your id of the customer; a domain belongs to the one that checks it first')
    .option('--organization-name <text>', 'its name, shown on the page')
    .addOption(
      new Option('--language <language>', 'language of the page (default: the language of the browser)').choices(
        LANGUAGES,
      ),
    )
    .action(async (providerConfigKey: string, options: LinkOptions, command: Command) => {
      const context = await openContext(command);
      const made = await context.gateway.connectSessions.admin({
        providerConfigKey,
        organization: { id: options.organization, ...given({ displayName: options.organizationName }) },
        ...given({ language: options.language }),
      });
      if (context.json) return printAnswer(context);
      printFields({ Link: made.connectLink, 'Valid until': shortTime(made.expiresAt) });
    });

  group
    .command('connect <integration> <address>')
    .description('connects a user; the same again shows the same connection')
    .option('--end-user <id>', 'your id of the user')
    .action(async (integration: string, subject: string, { endUser }: { endUser?: string }, command: Command) => {
      const context = await openContext(command);
      const made = await context.gateway.connections.connectSubject({
        providerConfigKey: integration,
        subject,
        ...(endUser === undefined ? {} : { endUser: { id: endUser } }),
      });
      await showConnection(made, context);
    });
}
