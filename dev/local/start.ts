/** Starts the gateway on this computer: the synthesized template, the deployed bundles, and everything below them. */
import { ensureAssembly } from '../tools/assembly.ts';
import { deployApp, seedTargets } from './app.ts';
import { openCredentialBook } from './aws/credentials.ts';
import { openLogs } from './aws/logs.ts';
import { localClock } from './clock.ts';
import { type Console, silentConsole, textConsole } from './console.ts';
import { openDashboard } from './dashboard/open-dashboard.ts';
import { type DataDirectory, openDataDirectory } from './data-directory.ts';
import { openDataPlane, startDataEngine } from './data-plane.ts';
import { openInspectors, withoutTimeLimits } from './debugging.ts';
import { openEventLog } from './event-log.ts';
import { openSchedules } from './events/schedules.ts';
import { firstSecretKey } from './first-secret-key.ts';
import { openAwsCallers } from './front/aws-callers.ts';
import { openFront, poolsOf, type RunningPools } from './front-door.ts';
import { drained, openFunctionPools } from './function-pools.ts';
import { functionSettings } from './function-settings.ts';
import { localGateway, removeLocalJson, writeLocalJson } from './gateway-handle.ts';
import { refusedWiring } from './iam/judge.ts';
import { logSink } from './lambda/log-lines.ts';
import type { LocalGateway, StartOptions } from './local-gateway.ts';
import { installOtherCredentials, installTestCredentials, openLocalGoogle } from './local-google.ts';
import { openMeasurements } from './measurements.ts';
import type { OwnFunctions } from './own-functions.ts';
import { clientRegistrar } from './register-clients.ts';
import { seedOnce } from './seed-once.ts';
import { type Cleanup, openCleanup } from './shutdown.ts';
import { type LocalStack, readAssembly } from './template/read-stack.ts';
import { ticker } from './tick.ts';
import { openTriggers, type Triggers } from './triggers.ts';

export type { LocalGateway, StartOptions } from './local-gateway.ts';

const DEFAULT_MAX_CHILDREN = 4;
const REQUIRED_NODE_MAJOR = 24;

/**
 * Starts a gateway and returns when it answers.
 * @throws Error saying what to do when a port is taken, the data folder is in use, or the template holds something the
 * local runtime does not know. Nothing is left running then.
 */
export async function startLocal(options: StartOptions): Promise<LocalGateway> {
  if (Number(process.versions.node.split('.')[0]) !== REQUIRED_NODE_MAJOR) {
    throw new Error(
      `The functions run on Node ${REQUIRED_NODE_MAJOR}; this is ${process.version}. Run npm start, which says how to get it.`,
    );
  }
  const terminal = process.stdout.isTTY === true;
  const own = options.quiet ? silentConsole() : textConsole((text) => process.stdout.write(text), terminal);
  const screen = options.console ?? own;
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
  removeLocalJson(directory);
  // While bundling and synthesizing: the engine does not need the template.
  const engineStart = startDataEngine(directory, options.dynamoDb, (message) => screen.warn(message));
  cleanup.add(async () => (await engineStart.catch(() => undefined))?.stop());
  const [engine, assemblyFolder] = await Promise.all([
    engineStart,
    options.assemblyFolder ??
      ensureAssembly({
        mode: options.synth ?? 'auto',
        step: screen.step,
        stackOptions: options.stackOptions ?? {},
      }),
  ]);
  const inspected = options.inspect ?? [];
  const stack = await screen.step('read the template', async () =>
    withoutTimeLimits(await readAssembly(assemblyFolder, undefined, options.app), inspected),
  );

  requireAllowedWiring(stack);
  const credentials = options.credentials ?? openCredentialBook();
  const measurements = openMeasurements();
  const clock = localClock();
  const callLogs = openLogs({
    folder: directory.file('logs'),
    region: stack.region,
    logGroups: stack.functions.map(({ logGroup }) => logGroup),
    nowMs: clock.nowMs,
    warn: (message) => screen.warn(message),
  });
  const logGroupOf = new Map(stack.functions.map(({ displayName, logGroup }) => [displayName, logGroup]));
  const logs = logSink((line, isNote) => {
    measurements.readLine(line.text);
    const logGroup = logGroupOf.get(line.functionName);
    if (!isNote && logGroup !== undefined) callLogs.take(logGroup, line.text);
    screen.functionLine(line, isNote);
  });
  const eventLog = openEventLog();
  const running: RunningPools = { pools: undefined };
  const registering: { register: ReturnType<typeof clientRegistrar> } = { register: async () => {} };
  const callers = openAwsCallers(credentials);
  const front = await openFront(
    options,
    stack,
    logs,
    running,
    cleanup,
    (answered) => registering.register(answered),
    callers,
  );
  const dashboard = stack.hasDashboard
    ? await openDashboard({
        port: options.port ? options.port + 1 : 0,
        gatewayUrl: front.gatewayUrl,
        proxyUrl: front.proxyUrl,
        without: stack.without,
        directory,
        cleanup,
        warn: (message) => screen.warn(message),
        nowMs: clock.nowMs,
        guarded: options.guarded ?? false,
        company: options.company &&
          stack.identityProvider && {
            provider: { ...stack.identityProvider, issuer: options.company.issuer },
            clientSecret: options.company.clientSecret,
          },
        print: (message) => screen.print(message),
      })
    : undefined;
  const google = await screen.step(
    options.googleEndpoints ? 'take the given Google' : 'start the Google simulator',
    () =>
      openLocalGoogle({
        googleEndpoints: options.googleEndpoints,
        port: options.port ? options.port + 2 : 0,
        statePath: directory.file('simulator.json'),
        separateOrigins: options.simulator?.separateOrigins ?? false,
        observer: options.simulator?.observer,
        datesByClock: options.clock === 'simulator',
        guarded: options.guarded ?? false,
        print: (message) => screen.print(message),
        warn: (message) => screen.warn(message),
      }),
  );
  cleanup.add(async () => google.simulator?.close());
  const { simulator } = google;
  if (options.clock === 'simulator' && simulator !== undefined) clock.follow(simulator.clockAheadMs);
  const opened: { triggers: Triggers | undefined } = { triggers: undefined };
  const plane = await screen.step('open tables, secrets and keys', () =>
    openDataPlane(engine, {
      stack,
      directory,
      book: credentials,
      invoke: (functionArn, event) => poolsOf(running).invoke(functionArn, event),
      run: (functionArn, event) => poolsOf(running).run(functionArn, event),
      triggers: () => {
        if (opened.triggers === undefined) throw new Error('The triggers are not open yet.');
        return opened.triggers;
      },
      warn: (message) => screen.warn(message),
      rules: options.rules ?? true,
      measurements,
      logs: callLogs,
    }),
  );
  cleanup.add(() => plane.stop());
  plane.bus.subscribe((event) => {
    eventLog.add(event);
    screen.event(event);
  });
  registering.register = clientRegistrar({
    simulator,
    table: plane.client,
    tableNames: stack.tables.map(({ name }) => name),
    secrets: plane.secrets,
    gatewayUrl: front.gatewayUrl,
    warn: (message) => screen.warn(message),
  });
  installTestCredentials(google, plane.secrets, stack.functions, front.gatewayUrl);
  installOtherCredentials(options.providerEndpoints ?? {}, plane.secrets, stack.functions);

  const settings = await functionSettings({
    options,
    stack,
    plane,
    directory,
    credentials,
    endpoints: google.endpoints,
    gatewayUrl: front.gatewayUrl,
    proxyUrl: front.proxyUrl,
    doorSecret: front.doorSecret,
    dashboard,
  });
  const inspectors = await openInspectors(inspected, (options.port ?? 0) !== 0, cleanup);
  const own = await functionsOfItsOwn(options, stack, directory, screen, cleanup);
  const pools = openFunctionPools({
    functions: own?.functions ?? stack.functions,
    inspectors,
    settings,
    preloads: options.preloads ?? [],
    clockAheadMs: clock.aheadMs,
    maxChildrenPerFunction: options.maxChildrenPerFunction ?? DEFAULT_MAX_CHILDREN,
    logs,
    measure: measurements.add,
  });
  running.pools = pools;
  cleanup.add(() => pools.stop());
  cleanup.add(() => drained(pools));
  const triggers = await openTriggers(stack, plane, pools, directory, screen);
  opened.triggers = triggers;
  const schedules = openSchedules({
    schedules: stack.schedules,
    invoke: (functionArn, event) => pools.invoke(functionArn, event),
    onFailure: (message) => screen.warn(message),
    nowMs: clock.nowMs,
  });
  cleanup.add(async () => {
    schedules.stop();
    await triggers.stop();
  });
  cleanup.add(() => front.stopAccepting());
  const warmUp = options.warmUp ?? true;
  if (warmUp) pools.warmUp();
  // A debugger finds a process to attach to.
  for (const name of inspected) pools.byName(name)?.warmUp();

  const tick = ticker(schedules, pools);
  const secretKey = await screen.step('get the secret key', () =>
    firstSecretKey({
      functions: stack.functions,
      secrets: plane.secrets,
      elsewhere:
        options.endpointOverrides?.aws === undefined
          ? undefined
          : { endpoint: settings.awsEndpoint, region: stack.region, credentials: credentials.operator },
      makeKey: (fn) => tick(fn.displayName),
      runAnyway: warmUp,
      warn: (message) => screen.warn(message),
    }),
  );
  if (options.schedules ?? true) schedules.start();
  const app = options.app
    ? await screen.step('declare what the app declares', () =>
        deployApp({ stack, statePath: directory.file('declared.json'), invoke: (event) => tick('declared', event) }),
      )
    : undefined;
  const seeding = { ...options, ...(app?.failure === undefined ? {} : { seed: false }) };
  const targets = app && seedTargets(stack);
  const connections = await seedOnce(seeding, directory, google, front.gatewayUrl, secretKey, screen, targets);

  const gateway = localGateway({
    gatewayUrl: front.gatewayUrl,
    proxyUrl: front.proxyUrl,
    directDoorUrl: front.directDoorUrl,
    dashboard,
    stack,
    google,
    plane,
    pools,
    inspectors,
    triggers,
    eventLog,
    logs,
    measurements,
    callLogs,
    tick,
    app,
    cleanup,
    directory,
    connections,
    secretKey: secretKey ?? '',
    credentials,
    callers,
  });
  writeLocalJson(directory, gateway);
  if (options.dashboard === 'build') dashboard?.build();
  own?.watch(pools, dashboard);
  return gateway;
}

/** Undefined where the stack's bundles run as they are, and the bundler is not loaded. */
async function functionsOfItsOwn(
  options: StartOptions,
  { functions }: LocalStack,
  directory: DataDirectory,
  screen: Console,
  cleanup: Cleanup,
): Promise<OwnFunctions | undefined> {
  if (options.watch === undefined && (options.inspect ?? []).length === 0) return undefined;
  const { ownFunctions } = await import('./own-functions.ts');
  return ownFunctions({ options, functions, directory, screen, cleanup });
}

/** @throws Error for what services of AWS could not do for this stack: a deployment of it would not run either. */
function requireAllowedWiring(stack: LocalStack): void {
  const refused = refusedWiring(stack);
  if (refused.length === 0) return;
  throw new Error(`By the stack's policies, AWS would refuse parts of its setup:\n  ${refused.join('\n  ')}`);
}
