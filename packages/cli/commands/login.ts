import type { Command } from 'commander';
import { GatewayError } from '../../client/src/index.ts';
import { manager } from '../../client/src/management/manage.ts';
import { readSettings } from '../../client/src/settings.ts';
import { askSecret } from '../ask.ts';
import type { GlobalOptions } from '../command-context.ts';
import { storedKey } from '../gateway-address.ts';
import { given } from '../options.ts';
import { printJson, printLine, printTable } from '../output.ts';
import { CommandProblem } from '../problems.ts';
import { DEFAULT_PROFILE, type Profile, profileName, profilesFile, readProfiles, writeProfiles } from '../profiles.ts';

const HELP = `
The profile is kept in ~/.config/integration-gateway/profiles.json (or below XDG_CONFIG_HOME), which only you can read. Options go
before the environment, and both before a profile; its key is sent to its own gateway alone.`;

/** `login`, `logout` and `profiles`: gateways with their keys, kept under names. */
export function addLogin(program: Command): void {
  program
    .command('login')
    .description(
      'keeps --base-url and its secret key under --profile; asks for the key, or reads it from standard input',
    )
    .addHelpText('after', HELP)
    .action(async (_options: unknown, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions>();
      const name = nameOf(options);
      const baseUrl = options.baseUrl ?? (process.env.GATEWAY_BASE_URL || undefined);
      if (baseUrl === undefined) throw new CommandProblem('Which gateway? Add --base-url, the address of the gateway.');
      // Before anybody types a key: a file that others can read is refused.
      const profiles = readProfiles(process.env);
      const secretKey =
        options.keySecret === undefined ? await askSecret('Secret key') : await storedKey(options.keySecret);
      const profile = await checked({ baseUrl, proxyUrl: options.proxyUrl, secretKey: secretKey.trim() }, options);
      writeProfiles(process.env, new Map([...profiles, [name, profile]]));
      if (options.json === true) return printJson(shown(name, profile));
      printLine(`Logged in to ${profile.baseUrl} as profile ${name}, kept in ${profilesFile(process.env)}.`);
    });

  program
    .command('logout')
    .description('forgets the profile of --profile; its key still works until it is revoked')
    .action((_options: unknown, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions>();
      const name = nameOf(options);
      const left = new Map(readProfiles(process.env));
      if (!left.delete(name)) throw new CommandProblem(`There is no profile ${name}. See: gateway profiles`);
      writeProfiles(process.env, left);
      if (options.json === true) return printJson({ deleted: name });
      printLine(`Forgot the profile ${name}. Its key still works: keys revoke ends it.`);
    });

  program
    .command('profiles')
    .description('the gateways that you are logged in to, without their keys')
    .action((_options: unknown, command: Command) => {
      const all = [...readProfiles(process.env)];
      if (command.optsWithGlobals<GlobalOptions>().json === true) {
        return printJson({ data: all.map(([name, profile]) => shown(name, profile)) });
      }
      const rows = all.map(([name, { baseUrl, proxyUrl }]) => [name, baseUrl, proxyUrl]);
      printTable(
        ['Profile', 'Gateway', 'Proxied calls'],
        rows,
        'There are no profiles yet. Make one: gateway login --base-url <address>',
      );
    });
}

function nameOf({ profile }: GlobalOptions): string {
  return profileName(profile ?? (process.env.GATEWAY_PROFILE || DEFAULT_PROFILE));
}

function shown(name: string, { baseUrl, proxyUrl }: Profile): object {
  return { name, base_url: baseUrl, proxy_url: proxyUrl ?? null };
}

/** Asks the gateway whether it takes the key. @throws CommandProblem, GatewayError, NetworkError, TimeoutError */
async function checked(profile: Profile, { allowHttp = false }: GlobalOptions): Promise<Profile> {
  const settings = settingsOf(profile, allowHttp);
  try {
    await manager(settings)('listProviders', { options: undefined });
  } catch (error) {
    // A key that may only make proxied calls is a good one.
    if (!(error instanceof GatewayError && error.status === 403)) throw error;
  }
  return { ...profile, baseUrl: settings.baseUrl, proxyUrl: profile.proxyUrl && settings.proxyUrl };
}

function settingsOf({ baseUrl, proxyUrl, secretKey }: Profile, allowHttp: boolean) {
  try {
    return readSettings({ baseUrl, secretKey, allowHttp, ...given({ proxyUrl }) });
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new CommandProblem(error.message.replace('allowHttp: true', '--allow-http'));
  }
}
