import { type ChildProcess, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect } from 'vitest';
import * as z from 'zod';
import type { AwsCredentials } from '../../dev/local/aws/credentials.ts';
import type { JsonObject } from '../../dev/tools/json.ts';
import type { Ended, HostedCommand } from './command-line-host.ts';
import type { TestGateway } from './gateway.ts';

export type { Ended } from './command-line-host.ts';

const CLI = join(import.meta.dirname, '../../packages/cli/cli.ts');
const endedSchema = z.object({ code: z.number(), out: z.string(), err: z.string() });

/** The output of a successful command, for comparison. @param code for partial success */
export function printed(words: RegExp | string, code = 0) {
  return { code, out: typeof words === 'string' ? expect.stringContaining(words) : expect.stringMatching(words) };
}

/** The message of a failed command, for comparison. */
export function failed(code: number, words: RegExp | string) {
  return { code, err: typeof words === 'string' ? expect.stringContaining(words) : expect.stringMatching(words) };
}

/** A command that runs, and how it ends. */
export interface Running {
  readonly child: ChildProcess;
  readonly ended: Promise<Ended>;
}

/** The variables of this environment that a process needs, and the folder of V8's compiled code during the suites. */
export function bareEnvironment(): Record<string, string> {
  const { PATH = '', HOME = '', NODE_COMPILE_CACHE } = process.env;
  return { PATH, HOME, ...(NODE_COMPILE_CACHE === undefined ? {} : { NODE_COMPILE_CACHE }) };
}

/** The person who runs the suites may be logged in to a gateway, whose profiles must not be used. */
const NO_PROFILES = { XDG_CONFIG_HOME: '/nowhere' };

/** The process in which this worker's commands run; it ends with the worker. */
let host: ChildProcess | undefined;
let last: Promise<unknown> = Promise.resolve();

/** Runs `npm run gateway` with only the required variables of this environment; one command after the other. */
export function runCommand(
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
  input = '',
): Promise<Ended> {
  const ended = last.then(() =>
    runHosted({ args, environment: { ...bareEnvironment(), ...NO_PROFILES, ...environment }, input }),
  );
  last = ended.catch(() => {});
  return ended;
}

async function runHosted(command: HostedCommand): Promise<Ended> {
  host ??= fork(join(import.meta.dirname, 'command-line-host.ts'), { env: bareEnvironment() });
  const settled = new AbortController();
  const answered = once(host, 'message', { signal: settled.signal });
  const exited = once(host, 'exit', { signal: settled.signal }).then(([code]) => {
    host = undefined;
    throw new Error(`The command ended its process with ${code}: ${command.args.join(' ')}`);
  });
  host.send(command);
  try {
    const [message] = await Promise.race([answered, exited]);
    return endedSchema.parse(message);
  } finally {
    settled.abort();
  }
}

/** Runs `npm run gateway` against a local gateway. */
export function runGateway(
  test: TestGateway,
  args: readonly string[],
  environment?: Readonly<Record<string, string>>,
  input?: string,
): Promise<Ended> {
  return runCommand(['--data', test.gateway.dataDir, ...args], environment, input);
}

/** Starts `npm run gateway` against a local gateway as a separate process, for tests that send it input or signals. */
export function startGateway(
  test: TestGateway,
  args: readonly string[],
  environment?: Readonly<Record<string, string>>,
  input = '',
): Running {
  const child = spawn(process.execPath, [CLI, '--data', test.gateway.dataDir, ...args], {
    env: { ...bareEnvironment(), ...NO_PROFILES, ...environment },
  });
  child.stdin.end(input);
  const ended = Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]).then(
    ([out, err, [code]]): Ended => ({ code: typeof code === 'number' ? code : null, out, err }),
  );
  return { child, ended };
}

/**
 * Credentials with the rights that `docs/operations.md` says a command needs, and no others: one too few is a denial, which
 * fails the run.
 *
 * @param onTables actions by the name of their table
 * @param onKey actions on the key in addition to what DynamoDB asks of it
 */
export function documentedRights(
  test: TestGateway,
  name: string,
  onTables: Readonly<Record<string, readonly string[]>>,
  onKey: readonly string[] = [],
): AwsCredentials {
  const { tokenKeyArn, credentials } = test.gateway;
  const Statement: JsonObject[] = [
    ...Object.entries(onTables).map(([table, actions]) => ({
      Effect: 'Allow',
      Action: actions.map((action) => `dynamodb:${action}`),
      Resource: `arn:aws:dynamodb:us-east-1:000000000000:table/${table}`,
    })),
    {
      Effect: 'Allow',
      Action: 'kms:Decrypt',
      Resource: tokenKeyArn,
      Condition: { StringEquals: { 'kms:ViaService': 'dynamodb.us-east-1.amazonaws.com' } },
    },
    ...onKey.map((action) => ({ Effect: 'Allow', Action: `kms:${action}`, Resource: tokenKeyArn })),
  ];
  return credentials.limitedTo({ Version: '2012-10-17', Statement }, name);
}

/** Settings with which a script finds a local gateway's table and key as it finds AWS's. @param credentials the operator's unless others are given */
export function localAws(test: TestGateway, credentials?: AwsCredentials): Record<string, string> {
  const { accessKeyId, secretAccessKey } = credentials ?? test.gateway.credentials.operator;
  return {
    AWS_REGION: 'us-east-1',
    AWS_ACCESS_KEY_ID: accessKeyId,
    AWS_SECRET_ACCESS_KEY: secretAccessKey,
    AWS_ENDPOINT_URL: test.gateway.awsEndpoint,
    AWS_ENDPOINT_URL_DYNAMODB: test.gateway.dynamodbEndpoint,
  };
}
