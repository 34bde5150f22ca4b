/** Starts the gateway on this computer: the synthesized template, the deployed bundles, and everything below them. */
import { ensureAssembly } from './assembly.ts';
import { writeStateFile } from './aws/state-file.ts';
import { type Console, silentConsole, textConsole } from './console.ts';
import { type DataDirectory, openDataDirectory } from './data-directory.ts';
import { type DataPlane, openDataPlane, startDataEngine } from './data-plane.ts';
import { type EventLog, openEventLog } from './event-log.ts';
import { type Pipe, startPipe } from './events/pipe.ts';
import { openSchedules, type Schedules } from './events/schedules.ts';
import { openStreamReader } from './events/stream-reader.ts';
import { firstSecretKey } from './first-secret-key.ts';
import { BadFunctionResponse } from './front/function-response.ts';
import { restApiFront } from './front/server.ts';
import { drained, type FunctionPools, openFunctionPools } from './function-pools.ts';
import { errorMessage, type Json } from './json.ts';
import { type LogSink, logSink } from './lambda/log-lines.ts';
import type { LocalGateway, StartOptions } from './local-gateway.ts';
import { closeServer, LOOPBACK, listen } from './network.ts';
import { readSeeded, type SeededConnection, seed } from './seed.ts';
import { type Cleanup, openCleanup } from './shutdown.ts';
import { installTestCredentials, openStandIn, type StandIn } from './stand-in.ts';
import { functionSurroundings } from './surroundings.ts';
import { type LocalStack, readAssembly } from './template/read-stack.ts';

export type { LocalGateway, StartOptions } from './local-gateway.ts';

const DEFAULT_MAX_CHILDREN = 4;
const REQUIRED_NODE_MAJOR = 24;
const CHANGE_PORT = 'choose another with --port P (P+2 must be free too; --port 0 takes free ones)';

/**
 * Starts a gateway and returns when it answers.
 * @throws Error saying what to do when a port is taken, the data folder is in use, or the template holds something the
 * local runtime does not know. Nothing is left running then.
 */
export async function startLocal(options: StartOptions): Promise<LocalGateway> {
  if (Number(process.versions.node.split('.')[0]) !== REQUIRED_NODE_MAJOR) {
    throw new Error(
      `The functions run on Node ${REQUIRED_NODE_MAJOR}; this is ${process.version}. Run npm ci, then npm start.`,
    );
  }
  const terminal = process.stdout.isTTY === true;
  const screen = options.quiet ? silentConsole() : textConsole((text) => process.stdout.write(text), terminal);
  const cleanup = openCleanup();
  const stopEarly = (): void => void cleanup.run().catch(() => {});
  options.signal?.addEventListener('abort', stopEarly);
  try {
    return await start(options, screen, cleanup);
  } catch (error) {
    await cleanup.run().catch(() => {});
    throw error;
  } finally {
    options.signal?.removeEventListener('abort', stopEarly);
  }
}

async function start(options: StartOptions, screen: Console, cleanup: Cleanup): Promise<LocalGateway> {
  const directory = openDataDirectory(options.dataDir, options.fresh ?? false);
  cleanup.add(() => directory.release());
  // Beside bundling and synthesis: the engine does not need the template.
  const engineStart = startDataEngine(directory, (message) => screen.warn(message));
  cleanup.add(async () => (await engineStart.catch(() => undefined))?.stop());
  const assemblyFolder =
    options.assemblyFolder ?? (await ensureAssembly({ mode: options.synth ?? 'auto', step: screen.step }));
  const stack = await screen.step('read the template', () => readAssembly(assemblyFolder));

  const logs = logSink((line, isNote) => screen.functionLine(line, isNote));
  const eventLog = openEventLog();
  const running: { pools: FunctionPools | undefined } = { pools: undefined };
  const front = await openFront(options, stack, logs, running, cleanup);
  const standIn = await screen.step(
    options.googleEndpoints ? 'take the given Google' : 'start the Google simulator',
    () =>
      openStandIn({
        googleEndpoints: options.googleEndpoints,
        port: options.port ? options.port + 2 : 0,
        statePath: directory.file('simulator.json'),
        separateOrigins: options.simulator?.separateOrigins ?? false,
      }),
  );
  cleanup.add(async () => standIn.simulator?.close());
  const plane = await screen.step('open tables, secrets and keys', async () =>
    openDataPlane(await engineStart, {
      stack,
      directory,
      countAwsCalls: options.countAwsCalls ?? false,
      invoke: (functionArn, event) => poolsOf(running).invoke(functionArn, event),
      warn: (message) => screen.warn(message),
    }),
  );
  cleanup.add(() => plane.stop());
  plane.bus.subscribe((event) => {
    eventLog.add(event);
    screen.event(event);
  });
  installTestCredentials(standIn, plane.secrets, stack.functions, front.gatewayUrl);

  const surroundings = await functionSurroundings({
    options,
    stack,
    plane,
    directory,
    endpoints: standIn.endpoints,
    gatewayUrl: front.gatewayUrl,
  });
  const pools = openFunctionPools({
    functions: stack.functions,
    surroundings,
    preloads: options.preloads ?? [],
    maxChildrenPerFunction: options.maxChildrenPerFunction ?? DEFAULT_MAX_CHILDREN,
    logs,
  });
  running.pools = pools;
  cleanup.add(() => pools.stop());
  cleanup.add(() => drained(pools));
  const pipes = await openPipes(stack, plane, directory, screen);
  const schedules = openSchedules({
    schedules: stack.schedules,
    invoke: (functionArn, event) => pools.invoke(functionArn, event),
    onFailure: (message) => screen.warn(message),
  });
  cleanup.add(async () => {
    schedules.stop();
    await Promise.all(pipes.map((pipe) => pipe.stop()));
  });
  cleanup.add(() => front.stopAccepting());
  pools.warmUp();

  const tick = ticker(schedules, pools);
  const secretKey = await screen.step('get the secret key', () =>
    firstSecretKey({
      functions: stack.functions,
      secrets: plane.secrets,
      awsEndpoint: options.endpointOverrides?.aws === undefined ? undefined : surroundings.awsEndpoint,
      makeKey: (fn) => tick(fn.displayName),
      warn: (message) => screen.warn(message),
    }),
  );
  if (options.schedules ?? true) schedules.start();
  const connections = await seedOnce(options, directory, standIn, front.gatewayUrl, secretKey, screen);

  const gateway = localGateway({
    gatewayUrl: front.gatewayUrl,
    stack,
    standIn,
    plane,
    pools,
    pipes,
    eventLog,
    logs,
    tick,
    cleanup,
    directory,
    connections,
    secretKey: secretKey ?? '',
  });
  writeLocalJson(directory, gateway);
  return gateway;
}

async function openFront(
  options: StartOptions,
  stack: LocalStack,
  logs: LogSink,
  running: { pools: FunctionPools | undefined },
  cleanup: Cleanup,
): Promise<{ gatewayUrl: string; stopAccepting: () => void }> {
  if (stack.restApi === undefined) throw new Error('The template has no REST API to serve.');
  const server = restApiFront({
    api: stack.restApi,
    stagePrefix: options.stagePrefix,
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

function poolsOf(running: { pools: FunctionPools | undefined }): FunctionPools {
  if (running.pools === undefined) throw new BadFunctionResponse('The gateway is still starting.');
  return running.pools;
}

async function openPipes(
  stack: LocalStack,
  plane: DataPlane,
  directory: DataDirectory,
  screen: Console,
): Promise<Pipe[]> {
  return Promise.all(
    stack.pipes.map(async (pipe) => {
      const streamArn = plane.streamArns.get(pipe.tableArn);
      if (streamArn === undefined) throw new Error(`${pipe.logicalId}: its table has no stream.`);
      const reader = await openStreamReader({
        client: plane.client,
        streamArn,
        positionPath: directory.file(`pipe-${pipe.logicalId}.json`),
        startFromOldest: pipe.startFromOldest,
      });
      return startPipe({ pipe, reader, bus: plane.bus, region: stack.region, log: (message) => screen.warn(message) });
    }),
  );
}

function ticker(schedules: Schedules, pools: FunctionPools): LocalGateway['tick'] {
  return async (name, input) => {
    const byName = schedules.find(name);
    if (byName !== undefined) return schedules.fire(byName, input);
    const pool = pools.byName(name);
    if (pool === undefined) throw new Error(`There is no schedule and no function called ${name}.`);
    const schedule = schedules.ofFunction(pool.fn.arn);
    if (schedule !== undefined) return schedules.fire(schedule, input);
    return pools.invoke(pool.fn.arn, input ?? {});
  };
}

async function seedOnce(
  options: StartOptions,
  directory: DataDirectory,
  standIn: StandIn,
  gatewayUrl: string,
  secretKey: string | undefined,
  screen: Console,
): Promise<SeededConnection[]> {
  const seededPath = directory.file('seeded.json');
  const known = readSeeded(seededPath);
  if (known !== undefined) return known;
  // Only the simulator has users whose consent may be given for them.
  if (options.seed === false || standIn.simulator === undefined || secretKey === undefined) return [];
  const { walkConsent } = await import('../simulator/consent.ts');
  try {
    return await screen.step('connect the first accounts', () =>
      seed({ gatewayUrl, secretKey, walkConsent }, seededPath),
    );
  } catch (error) {
    if (options.seed === true) throw error;
    screen.warn(`No connections were made: ${errorMessage(error)}`);
    return [];
  }
}

interface Parts {
  gatewayUrl: string;
  stack: LocalStack;
  standIn: StandIn;
  plane: DataPlane;
  pools: FunctionPools;
  pipes: readonly Pipe[];
  eventLog: EventLog;
  logs: LogSink;
  tick: (name: string, input?: Json) => Promise<Json>;
  cleanup: Cleanup;
  directory: DataDirectory;
  connections: readonly SeededConnection[];
  secretKey: string;
}

function localGateway(parts: Parts): LocalGateway {
  const { plane, pools, standIn, pipes, eventLog } = parts;
  const [pipe] = pipes;
  return {
    gatewayUrl: parts.gatewayUrl,
    simulatorUrl: standIn.simulator?.url ?? null,
    simulator: standIn.simulator,
    secretKey: parts.secretKey,
    connections: parts.connections,
    dataDir: parts.directory.path,
    dynamodbEndpoint: plane.engine.endpoint,
    awsEndpoint: plane.awsEndpoint,
    tableName: parts.stack.tables[0]?.name ?? '',
    tick: parts.tick,
    events: eventLog.events,
    waitForEvent: (predicate, timeoutMs) => eventLog.waitFor(predicate, timeoutMs),
    children: () => pools.children(),
    awsCalls: () => plane.counter.counts(),
    logs: () => parts.logs.lines(),
    switches: { pipe: pipe?.switches, losePipePosition: () => pipe?.losePosition(), kms: plane.kms.switches },
    close: () => parts.cleanup.run(),
  };
}

/** Where scripts and tests find a running gateway; holds the secret key, so only its owner may read it. */
function writeLocalJson(directory: DataDirectory, gateway: LocalGateway): void {
  writeStateFile(directory.file('local.json'), {
    gateway_url: gateway.gatewayUrl,
    dashboard_url: null,
    simulator_url: gateway.simulatorUrl,
    secret_key: gateway.secretKey,
    connections: gateway.connections.map((one) => ({ ...one })),
  });
}
