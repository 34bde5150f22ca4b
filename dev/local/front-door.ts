/** Binds the HTTP front to its port before any function runs, because the functions are told its address. */
import { BadFunctionResponse } from './front/function-response.ts';
import { type AnsweredRequest, restApiFront } from './front/server.ts';
import type { FunctionPools } from './function-pools.ts';
import type { LogSink } from './lambda/log-lines.ts';
import type { StartOptions } from './local-gateway.ts';
import { closeServer, LOOPBACK, listen } from './network.ts';
import type { Cleanup } from './shutdown.ts';
import type { LocalStack } from './template/read-stack.ts';

/** Where the pools will be once they are open. */
export interface RunningPools {
  pools: FunctionPools | undefined;
}

const CHANGE_PORT = 'choose another with --port P (P+1 and P+2 must be free too; --port 0 takes free ones)';

/** Opens the front. @throws Error when its port is taken or the template has no REST API. */
export async function openFront(
  options: StartOptions,
  stack: LocalStack,
  logs: LogSink,
  running: RunningPools,
  cleanup: Cleanup,
  beforeAnswer: (answered: AnsweredRequest) => Promise<void>,
): Promise<{ gatewayUrl: string; stopAccepting: () => void }> {
  if (stack.restApi === undefined) throw new Error('The template has no REST API to serve.');
  const server = restApiFront({
    api: stack.restApi,
    stagePrefix: options.stagePrefix,
    beforeAnswer,
    pool: (functionArn) => poolsOf(running).byArn(functionArn),
    note: (functionName, reason) => logs.note(functionName, reason),
  });
  const port = await listen(server, options.port ?? 0, 'the gateway', CHANGE_PORT);
  cleanup.add(() => closeServer(server));
  const prefix = options.stagePrefix === undefined ? '' : `/${options.stagePrefix}`;
  const stopAccepting = (): void => {
    server.close();
    server.closeIdleConnections();
  };
  return { gatewayUrl: `http://${LOOPBACK}:${port}${prefix}`, stopAccepting };
}

/** The pools. @throws BadFunctionResponse while the gateway starts: the front then answers 502. */
export function poolsOf(running: RunningPools): FunctionPools {
  if (running.pools === undefined) throw new BadFunctionResponse('The gateway is still starting.');
  return running.pools;
}
