/** moto's server as a process of its own, and the environment in which the AWS tools take it for AWS. */
import { join } from 'node:path';
import * as z from 'zod';
import { capture } from '../../tools/installed-programs.ts';
import { type Json, type JsonObject, parseJson } from '../../tools/json.ts';
import { PROJECT_ROOT } from '../../tools/run.ts';
import { type ServerProcess, startServer } from '../server-process.ts';
import { pythonTool } from '../tools.ts';

/** Above what any of the two scripts takes on a busy machine. */
const SCRIPT_TIMEOUT_MS = 300_000;

/** A call of an AWS service, in boto3's words. */
export type Call = readonly [service: string, operation: string, parameters?: JsonObject];

const heldSchema = z.record(
  z.string(),
  z.object({
    type: z.string(),
    id: z.string().nullable(),
    description: z.record(z.string(), z.json()).nullable(),
  }),
);

/** What the server holds of a stack, by logical id: physical ids, and descriptions as far as a service gives one. */
export type Held = z.output<typeof heldSchema>;

/** A running server. */
export interface MotoServer extends ServerProcess {
  /** Everything a tool needs to take the server for AWS, and nothing of this shell's AWS settings. */
  readonly environment: NodeJS.ProcessEnv;
  /** Calls services; a call that fails gives `{Error: code}`. */
  askAll(calls: readonly Call[]): Promise<readonly Json[]>;
  /** The same with one call. */
  ask(...call: Call): Promise<Json>;
  readBack(stack: string): Promise<Held>;
}

/** What serves resources of the types `Custom::Gateway…`. */
export interface DeclaredAt {
  /** Account of all stacks. */
  readonly account: string;
  /** Takes CloudFormation's requests, and returns the answers of the function. */
  readonly address: string;
}

/**
 * Starts the server on a free port.
 *
 * @param declared without it, templates with declared resources fail
 * @throws Error with its output when it ends or does not answer within a minute
 */
export async function startMoto(region: string, declared?: DeclaredAt): Promise<MotoServer> {
  const more = declared === undefined ? [] : ['--account', declared.account, '--declared', declared.address];
  const server = await startServer({
    name: "moto's server",
    command: await pythonTool('python'),
    args: (port) => [join(import.meta.dirname, 'server.py'), '--port', String(port), ...more],
    readyPath: '/moto-api/data.json',
  });
  const environment = {
    PATH: `${join(PROJECT_ROOT, 'node_modules', '.bin')}:${process.env.PATH ?? ''}`,
    HOME: process.env.HOME ?? '',
    CI: 'true',
    AWS_ENDPOINT_URL: server.endpoint,
    // moto reads a template by its address, and takes no other host than this for its own.
    AWS_ENDPOINT_URL_S3_FOR_CLOUDFORMATION: `http://localhost:${server.port}`,
    AWS_REGION: region,
    AWS_DEFAULT_REGION: region,
    AWS_ACCESS_KEY_ID: 'AKIDEXAMPLE',
    AWS_SECRET_ACCESS_KEY: 'secret',
    AWS_CONFIG_FILE: '/dev/null',
    AWS_SHARED_CREDENTIALS_FILE: '/dev/null',
    AWS_EC2_METADATA_DISABLED: 'true',
  };
  const askAll = async (calls: readonly Call[]) => {
    const whole = calls.map(([service, operation, parameters = {}]) => [service, operation, parameters]);
    return z.array(z.json()).parse(await told('ask.py', JSON.stringify(whole)));
  };
  return {
    ...server,
    environment,
    askAll,
    ask: async (...call) => (await askAll([call]))[0] ?? null,
    readBack: async (stack) => heldSchema.parse(await told('read_back.py', stack)),
  };

  /** What a script alongside this file prints about the server. */
  async function told(script: string, argument: string): Promise<Json> {
    const args = [join(import.meta.dirname, script), server.endpoint, region, argument];
    const { code, out, err } = await capture(await pythonTool('python'), args, {
      env: environment,
      timeoutMs: SCRIPT_TIMEOUT_MS,
    });
    if (code !== 0)
      throw new Error(`${script} ended with ${code}:\n${err.slice(-3000)}\nmoto:\n${server.log().slice(-3000)}`);
    return parseJson(out, script);
  }
}
