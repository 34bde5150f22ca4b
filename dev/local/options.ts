/** The command line of `npm start`. */
import { basename, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { FEATURE_IDS } from '../../lambdas/features/index.ts';
import { FRONT_DOORS, FUNCTION_NAMES } from '../../lambdas/gateway/core/contract.ts';
import { errorMessage } from '../tools/json.ts';

/** Options of the command line. `help`: print the usage and end. */
export interface CliOptions {
  help: boolean;
  port: number;
  dataDir: string;
  fresh: boolean;
  /** Build functions again whose sources change. */
  watch: boolean;
  /** Functions that debuggers can be attached to. */
  inspect: readonly string[];
  googleEndpointsFile: string | undefined;
  providerEndpointsFile: string | undefined;
  /** Folder of a CDK app with the gateway in its stack. */
  app: string | undefined;
  /** Address of a DynamoDB engine that runs elsewhere. */
  dynamoDb: string | undefined;
  /** Origins that may frame the connect page and receive its messages. */
  allowedOrigins: readonly string[];
  /** Addresses that a connect session may return the browser to. */
  returnUrls: readonly string[];
  /** Options of the stack as a deployment takes them; those that were not given are missing. */
  stackOptions: Readonly<Record<string, unknown>>;
}

/** A command line that was written wrongly. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

export const DEFAULT_PORT = 3000;
const DEFAULT_DATA_DIR = '.gateway';

/** Where data is kept without `--data`. Each app has its own folder. @param app folder of the app, if one runs */
export function defaultDataDir(app: string | undefined): string {
  return app === undefined ? DEFAULT_DATA_DIR : `${DEFAULT_DATA_DIR}-${basename(resolve(app))}`;
}

export const USAGE = `Runs the whole gateway on this computer, from the template and bundles that deploy.

  npm start -- [options]

  --port P                  gateway on port P, dashboard on P+1, simulator on P+2, function URL on P+3; 0 takes free ones
                            (default ${DEFAULT_PORT})
  --data DIR                folder that keeps the data across restarts (default ${DEFAULT_DATA_DIR}, and with --app
                            ${DEFAULT_DATA_DIR}- and the app's name)
  --fresh                   erase that folder first
  --app DIR                 run a CDK app with the gateway in its one stack, such as examples/indexer: synthesizes it,
                            declares what it declares, connects a first user to each integration, and runs its functions.
                            Options of the stack come from the app
  --google-endpoints FILE   JSON file with Google's addresses or another stand-in's, instead of the simulator:
                            issuer, authorization_endpoint, token_endpoint, revocation_endpoint, userinfo_endpoint,
                            jwks_uri, api_base_url; optionally drive_activity_base_url, caldav_base_url,
                            drive_mcp_endpoint, calendar_mcp_endpoint, token_exchange_endpoint and
                            service_accounts_endpoint, and client_id and client_secret of an OAuth client whose
                            redirect URI is http://127.0.0.1:P/oauth/callback. Use it with a --data of its own
  --provider-endpoints FILE JSON file with addresses of providers' authorization servers, by server:
                            {"acme": {"token_endpoint": "…", "api_base_url": "…"}}, each address and an OAuth client as above,
                            all optional
  --dynamodb URL            keep the table in a DynamoDB engine that runs elsewhere, such as DynamoDB Local at
                            http://127.0.0.1:8000, instead of one of the gateway's own; same as GATEWAY_DYNAMODB_ENDPOINT.
                            Use it with a --data of its own
  --allow-origin ORIGIN     an origin that may embed the connect page, such as http://localhost:4000; may be repeated
  --return-url URL          an address that a connect session may return the browser to, such as
                            http://localhost:4000/connected; may be repeated
  --connect-app-name NAME   how the pages that end users see name the app, as gateway:connectAppName of a deployment
  --connect-logo FILE       logo on those pages: PNG, JPEG, WebP or SVG, at most 32 KiB; needs --connect-app-name
  --connect-accent COLOR    colour of buttons and links there, such as #7b1fa2, or one for light and one for dark pages:
                            #7b1fa2,#e1bee7. The dashboard shows the pages under Integrations
  --front-door DOOR         where proxied calls come in, as gateway:frontDoor of a deployment: rest-api, or function-url for
                            an address of their own
  --iam-callers             let IAM roles call below /iam, as gateway:iamCallers of a deployment; prints credentials of a role
                            that exists on this computer alone
  --without NAME            leave out a feature, as gateway:without of a deployment: ${FEATURE_IDS.slice(0, 3).join(', ')},
                            ${FEATURE_IDS.slice(3).join(', ')}; several with commas, or all
  --watch                   build a function again when its sources change, and replace its processes; the dashboard, too
  --inspect NAME            open the function's process to a debugger, at a port that is printed; several with commas, or
                            all. CONTRIBUTING.md shows how to attach one
  --help                    show this text

GATEWAY_BASE_URL and GATEWAY_SECRET_KEY do not change what starts here. They name the gateway that npm run gateway and your
own code talk to, and win over the one started here.`;

const OPTIONS = {
  port: { type: 'string' },
  data: { type: 'string' },
  fresh: { type: 'boolean' },
  watch: { type: 'boolean' },
  inspect: { type: 'string', multiple: true },
  app: { type: 'string' },
  'google-endpoints': { type: 'string' },
  'provider-endpoints': { type: 'string' },
  dynamodb: { type: 'string' },
  'allow-origin': { type: 'string', multiple: true },
  'return-url': { type: 'string', multiple: true },
  'connect-app-name': { type: 'string' },
  'connect-logo': { type: 'string' },
  'connect-accent': { type: 'string' },
  'front-door': { type: 'string' },
  'iam-callers': { type: 'boolean' },
  without: { type: 'string', multiple: true },
  help: { type: 'boolean', short: 'h' },
} as const;

/** The highest port that leaves room for the three behind it. */
const MAX_PORT = 65_532;

/**
 * Reads the arguments.
 * @param environment what npm set, to which options go that are not behind two hyphens
 * @throws UsageError naming an unknown option or a malformed value, and where the usage is.
 */
export function parseOptions(
  args: readonly string[],
  environment: Readonly<Record<string, string | undefined>> = {},
): CliOptions {
  refuseOptionsOfNpm(args, environment);
  const { values } = readArguments(args);
  const port = Number(values.port ?? DEFAULT_PORT);
  if (!/^\d{1,5}$/.test(String(values.port ?? port)) || port > MAX_PORT) {
    throw new UsageError(
      `--port must be a number from 0 to ${MAX_PORT}, not "${values.port}". See npm start -- --help`,
    );
  }
  if (values.data === '') throw new UsageError('--data must name a folder. See npm start -- --help');
  const stackOptions = {
    ...brandOptions(values),
    ...doorOption(values['front-door']),
    ...(values['iam-callers'] === true ? { iamCallers: true } : {}),
    ...withoutOption(values.without ?? []),
  };
  const [clash] = Object.keys(stackOptions);
  if (values.app !== undefined && clash !== undefined) {
    throw new UsageError(`With --app, the app itself sets ${clash} of its gateway. See npm start -- --help`);
  }
  return {
    help: values.help ?? false,
    port,
    dataDir: values.data ?? defaultDataDir(values.app),
    fresh: values.fresh ?? false,
    watch: values.watch ?? false,
    inspect: inspectedFunctions(values.inspect ?? []),
    app: values.app,
    googleEndpointsFile: values['google-endpoints'],
    providerEndpointsFile: values['provider-endpoints'],
    dynamoDb: values.dynamodb,
    allowedOrigins: (values['allow-origin'] ?? []).map(checkedOrigin),
    returnUrls: (values['return-url'] ?? []).map(checkedReturnUrl),
    stackOptions,
  };
}

function doorOption(given: string | undefined): Record<string, unknown> {
  if (given === undefined) return {};
  if (FRONT_DOORS.some((known) => known === given)) return { frontDoor: given };
  throw new UsageError(
    `--front-door must be one of ${FRONT_DOORS.join(', ')}, not "${given}". See npm start -- --help`,
  );
}

/** Features that the stack leaves out; the synthesis refuses to leave out one that another one needs. */
function withoutOption(given: readonly string[]): Record<string, unknown> {
  const names = given.flatMap((one) => one.split(','));
  if (names.length === 0) return {};
  if (names.includes('all')) return { without: [...FEATURE_IDS] };
  const unknown = names.find((name) => !FEATURE_IDS.some((known) => known === name));
  if (unknown === undefined) return { without: [...new Set(names)] };
  throw new UsageError(
    `--without takes all or names of features, not "${unknown}": ${FEATURE_IDS.join(', ')}. See npm start -- --help`,
  );
}

/** The brand in the names and forms that the stack takes it, which checks it. */
function brandOptions(
  values: Readonly<Partial<Record<'connect-app-name' | 'connect-logo' | 'connect-accent', string>>>,
): Record<string, unknown> {
  const { 'connect-app-name': name, 'connect-logo': logo, 'connect-accent': accent } = values;
  const [light, dark] = accent?.split(',') ?? [];
  return {
    ...(name === undefined ? {} : { connectAppName: name }),
    ...(logo === undefined ? {} : { connectLogo: resolve(logo) }),
    ...(accent === undefined ? {} : { connectAccent: { light, ...(dark === undefined ? {} : { dark }) } }),
  };
}

/** `npm start --port 3300` gives `--port` to npm, which knows no such option and drops it: the gateway would start without. */
function refuseOptionsOfNpm(args: readonly string[], environment: Readonly<Record<string, string | undefined>>): void {
  const values = args.filter((arg) => !arg.startsWith('-'));
  const taken = Object.entries(OPTIONS).flatMap(([name, { type }]) => {
    const value = environment[`npm_config_${name.replaceAll('-', '_')}`];
    if (value === undefined || name === 'help') return [];
    if (type === 'boolean') return [`--${name}`];
    return [`--${name} ${value === 'true' ? (values.shift() ?? 'VALUE') : value}`];
  });
  if (taken.length === 0) return;
  throw new UsageError(
    `npm took ${taken.map((one) => one.split(' ', 1)[0]).join(', ')} for an option of its own. The gateway's come after two hyphens:\n  npm start -- ${taken.join(' ')}`,
  );
}

function inspectedFunctions(given: readonly string[]): readonly string[] {
  const names = given.flatMap((one) => one.split(','));
  if (names.includes('all')) return FUNCTION_NAMES;
  const unknown = names.find((name) => !FUNCTION_NAMES.some((known) => known === name));
  if (unknown === undefined) return [...new Set(names)];
  throw new UsageError(
    `--inspect takes all or names of functions, not "${unknown}": ${FUNCTION_NAMES.join(', ')}. See npm start -- --help`,
  );
}

function checkedReturnUrl(text: string): string {
  const url = URL.parse(text);
  const isAddress = url !== null && /^https?:$/.test(url.protocol) && url.hash === '' && !text.includes(',');
  if (isAddress) return text;
  throw new UsageError(
    `--return-url must be an address such as http://localhost:4000/connected, without # and comma, not ${text}. See npm start -- --help`,
  );
}

function checkedOrigin(text: string): string {
  if (URL.canParse(text) && new URL(text).origin === text) return text;
  throw new UsageError(
    `--allow-origin must be an origin such as http://localhost:4000, not ${text}. See npm start -- --help`,
  );
}

function readArguments(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      strict: true,
      allowPositionals: false,
      options: OPTIONS,
    });
  } catch (cause) {
    throw new UsageError(`${errorMessage(cause)}\nSee npm start -- --help`, { cause });
  }
}
