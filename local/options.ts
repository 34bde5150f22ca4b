/** The command line of `npm start`. */
import { parseArgs } from 'node:util';
import { errorMessage } from './json.ts';

/** What the command line asks for. `help`: print the usage and end. */
export interface CliOptions {
  help: boolean;
  port: number;
  dataDir: string;
  fresh: boolean;
  googleEndpointsFile: string | undefined;
  /** Address of a DynamoDB engine that runs elsewhere. */
  dynamoDb: string | undefined;
  /** Origins that may frame the connect page and hear its messages. */
  allowedOrigins: readonly string[];
}

export const DEFAULT_PORT = 3000;
export const DEFAULT_DATA_DIR = '.gateway';

export const USAGE = `Runs the whole gateway on this computer, from the template and bundles that deploy.

  npm start -- [options]

  --port P                  gateway on port P, dashboard on P+1, simulator on P+2; 0 takes free ones (default
                            ${DEFAULT_PORT})
  --data DIR                folder that keeps the data across restarts (default ${DEFAULT_DATA_DIR})
  --fresh                   erase that folder first
  --google-endpoints FILE   JSON file with Google's addresses or another stand-in's, instead of the simulator:
                            issuer, authorization_endpoint, token_endpoint, revocation_endpoint, userinfo_endpoint,
                            jwks_uri, api_base_url; optionally drive_activity_base_url and caldav_base_url, and
                            client_id and client_secret of an OAuth client whose redirect URI is
                            http://127.0.0.1:P/oauth/callback. Use it with a --data of its own
  --dynamodb URL            keep the table in a DynamoDB engine that runs elsewhere, such as DynamoDB Local at
                            http://127.0.0.1:8000, instead of one of the gateway's own; same as GATEWAY_DYNAMODB_ENDPOINT.
                            On computers other than Linux (x64) there is no other way. Use it with a --data of its own
  --allow-origin ORIGIN     an origin that may embed the connect page, such as http://localhost:4000; may be repeated
  --help                    show this text`;

/** The highest port that leaves room for the two behind it. */
const MAX_PORT = 65_533;

/** Reads the arguments. @throws Error naming an unknown option or a malformed value, and where the usage is. */
export function parseOptions(args: readonly string[]): CliOptions {
  const { values } = readArguments(args);
  const port = Number(values.port ?? DEFAULT_PORT);
  if (!/^\d{1,5}$/.test(String(values.port ?? port)) || port > MAX_PORT) {
    throw new Error(`--port must be a number from 0 to ${MAX_PORT}, not "${values.port}". See npm start -- --help`);
  }
  if (values.data === '') throw new Error('--data must name a folder. See npm start -- --help');
  return {
    help: values.help ?? false,
    port,
    dataDir: values.data ?? DEFAULT_DATA_DIR,
    fresh: values.fresh ?? false,
    googleEndpointsFile: values['google-endpoints'],
    dynamoDb: values.dynamodb,
    allowedOrigins: (values['allow-origin'] ?? []).map(checkedOrigin),
  };
}

function checkedOrigin(text: string): string {
  if (URL.canParse(text) && new URL(text).origin === text) return text;
  throw new Error(
    `--allow-origin must be an origin such as http://localhost:4000, not ${text}. See npm start -- --help`,
  );
}

function readArguments(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      strict: true,
      allowPositionals: false,
      options: {
        port: { type: 'string' },
        data: { type: 'string' },
        fresh: { type: 'boolean' },
        'google-endpoints': { type: 'string' },
        dynamodb: { type: 'string' },
        'allow-origin': { type: 'string', multiple: true },
        help: { type: 'boolean', short: 'h' },
      },
    });
  } catch (cause) {
    throw new Error(`${errorMessage(cause)}\nSee npm start -- --help`, { cause });
  }
}
