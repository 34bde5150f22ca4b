/** Binds the HTTP fronts to their ports before any function runs, because the functions need the first one's address. */
import { randomBytes } from 'node:crypto';
import type { Server } from 'node:http';
import { ENVIRONMENT } from '../../lambdas/gateway/core/contract.ts';
import type { AwsCallers } from './front/aws-callers.ts';
import { distributionFront } from './front/distribution.ts';
import { BadFunctionResponse } from './front/function-response.ts';
import { type AnsweredRequest, restApiFront } from './front/server.ts';
import { functionUrlFront } from './front/url-server.ts';
import type { FunctionPools } from './function-pools.ts';
import type { LogSink } from './lambda/log-lines.ts';
import type { StartOptions } from './local-gateway.ts';
import { closeServer, LOOPBACK, listen } from './network.ts';
import type { Cleanup } from './shutdown.ts';
import { withoutQualifier } from './template/functions.ts';
import type { LocalStack } from './template/read-stack.ts';

/** Where the pools will be once they are open. */
export interface RunningPools {
  pools: FunctionPools | undefined;
}

const CHANGE_PORT = 'choose another with --port P (P+1, P+2 and P+3 must be free too; --port 0 takes free ones)';

/** The gateway's doors. */
export interface Front {
  gatewayUrl: string;
  /** Where proxied calls go: the gateway, unless they have a door of their own. */
  proxyUrl: string;
  /** The secret of a distribution in front of that door. */
  doorSecret: string | undefined;
  /** The function URL itself, where a distribution stands before it. */
  directDoorUrl: string | undefined;
  stopAccepting: () => void;
}

/** Opens the front. @throws Error when its port is taken or the template has no REST API. */
export async function openFront(
  options: StartOptions,
  stack: LocalStack,
  logs: LogSink,
  running: RunningPools,
  cleanup: Cleanup,
  beforeAnswer: (answered: AnsweredRequest) => Promise<void>,
  callers: AwsCallers,
): Promise<Front> {
  if (stack.restApi === undefined) throw new Error('The template has no REST API to serve.');
  const server = restApiFront({
    api: stack.restApi,
    stagePrefix: options.stagePrefix,
    beforeAnswer,
    pool: (functionArn) => poolsOf(running).byArn(functionArn),
    note: (functionName, reason) => logs.note(functionName, reason),
    callers,
    region: stack.region,
    // Signers have the clock of this computer, whatever the simulator's says.
    nowMs: Date.now,
  });
  const port = await listen(server, options.port ?? 0, 'the gateway', CHANGE_PORT);
  cleanup.add(() => closeServer(server));
  const prefix = options.stagePrefix === undefined ? '' : `/${options.stagePrefix}`;
  const gatewayUrl = `http://${LOOPBACK}:${port}${prefix}`;
  const proxyDoor = await openFunctionUrl(options, stack, logs, running, cleanup);
  const stopAccepting = (): void => {
    for (const door of [server, ...(proxyDoor?.servers ?? [])]) {
      door?.close();
      door?.closeIdleConnections();
    }
  };
  return {
    gatewayUrl,
    proxyUrl: proxyDoor?.url ?? gatewayUrl,
    doorSecret: proxyDoor?.secret,
    directDoorUrl: proxyDoor?.directUrl,
    stopAccepting,
  };
}

interface OwnDoor {
  url: string;
  /** Likewise without the distribution, where there is one. */
  directUrl?: string;
  secret?: string;
  servers: Server[];
}

/** Opens the second door for proxied calls, where the template has one. @throws Error for more than one, or a taken port */
async function openFunctionUrl(
  options: StartOptions,
  { functionUrls: [url, second], functions }: LocalStack,
  logs: LogSink,
  running: RunningPools,
  cleanup: Cleanup,
): Promise<OwnDoor | undefined> {
  if (second !== undefined) throw new Error('The template has two function URLs; the local runtime serves one.');
  if (url === undefined) return undefined;
  const open = async (server: Server, port: number, what: string): Promise<string> => {
    const bound = await listen(server, port, what, CHANGE_PORT);
    cleanup.add(() => closeServer(server));
    return `http://${LOOPBACK}:${bound}`;
  };
  const door = functionUrlFront({
    url,
    pool: (functionArn) => poolsOf(running).byArn(functionArn),
    note: (functionName, reason) => logs.note(functionName, reason),
  });
  const port = options.port ? options.port + 3 : 0;
  const fn = functions.find(({ arn }) => arn === withoutQualifier(url.functionArn));
  if (fn?.environment[ENVIRONMENT.doorSecret] === undefined) {
    return { url: await open(door, port, 'the function URL'), servers: [door] };
  }
  // On AWS, Secrets Manager creates the secret and CloudFormation inserts it; here, too, both ends get the same one.
  const secret = randomBytes(24).toString('hex');
  const directUrl = await open(door, 0, 'the function URL');
  const distribution = distributionFront(directUrl, secret);
  return { url: await open(distribution, port, 'the distribution'), directUrl, secret, servers: [distribution, door] };
}

/** The pools. @throws BadFunctionResponse while the gateway starts: the front then answers 502. */
export function poolsOf(running: RunningPools): FunctionPools {
  if (running.pools === undefined) throw new BadFunctionResponse('The gateway is still starting.');
  return running.pools;
}
