/** The parts of a running gateway -> what its users hold, and the file that scripts find it by. */
import { rmSync } from 'node:fs';
import type { CredentialBook } from './aws/credentials.ts';
import type { Logs } from './aws/logs.ts';
import { writeStateFile } from './aws/state-file.ts';
import type { Dashboard } from './dashboard/open-dashboard.ts';
import type { DataDirectory } from './data-directory.ts';
import type { DataPlane } from './data-plane.ts';
import type { EventLog } from './event-log.ts';
import { type AwsCallers, LOCAL_ROLE, localRoleArn } from './front/aws-callers.ts';
import type { FunctionPools } from './function-pools.ts';
import type { DeniedCall } from './iam/judge.ts';
import type { Inspector } from './lambda/inspector.ts';
import type { LogSink } from './lambda/log-lines.ts';
import type { LocalGateway } from './local-gateway.ts';
import type { LocalGoogle } from './local-google.ts';
import type { Measurements } from './measurements.ts';
import type { SeededConnection } from './seed.ts';
import type { Cleanup } from './shutdown.ts';
import type { LocalStack } from './template/read-stack.ts';
import type { Triggers } from './triggers.ts';

/** Everything a running gateway consists of. */
export interface Parts {
  gatewayUrl: string;
  proxyUrl: string;
  directDoorUrl: string | undefined;
  dashboard: Dashboard | undefined;
  stack: LocalStack;
  google: LocalGoogle;
  plane: DataPlane;
  pools: FunctionPools;
  inspectors: readonly Inspector[];
  triggers: Triggers;
  eventLog: EventLog;
  logs: LogSink;
  measurements: Measurements;
  callLogs: Logs;
  tick: LocalGateway['tick'];
  app: LocalGateway['app'];
  cleanup: Cleanup;
  directory: DataDirectory;
  connections: readonly SeededConnection[];
  secretKey: string;
  credentials: CredentialBook;
  callers: AwsCallers;
}

/** Puts the handle together. */
export function localGateway(parts: Parts): LocalGateway {
  const { plane, pools, google, triggers, eventLog } = parts;
  return {
    gatewayUrl: parts.gatewayUrl,
    proxyUrl: parts.proxyUrl,
    directDoorUrl: parts.directDoorUrl,
    dashboardUrl: parts.dashboard?.url ?? null,
    get dashboardAddress() {
      return parts.dashboard?.address() ?? null;
    },
    simulatorUrl: google.simulator?.url ?? null,
    simulatorControlUrl: google.simulator?.controlUrl ?? null,
    get simulatorPageAddress() {
      return google.simulator?.pageAddress() ?? null;
    },
    simulator: google.simulator,
    secretKey: parts.secretKey,
    connections: parts.connections,
    dataDir: parts.directory.path,
    dynamodbEndpoint: plane.dynamoDbEndpoint,
    awsEndpoint: plane.awsEndpoint,
    credentials: parts.credentials,
    callers: parts.callers,
    iamCallers: parts.stack.restApi?.routes.some(({ signed }) => signed) ?? false,
    // The call log has no stream.
    tableName: parts.stack.tables.find(({ createTable }) => 'StreamSpecification' in createTable)?.name ?? '',
    tokenKeyArn: parts.stack.keys[0]?.arn ?? '',
    eventsFunctionName: parts.stack.functions.find(({ displayName }) => displayName === 'events')?.name ?? '',
    tick: parts.tick,
    app: parts.app,
    events: eventLog.events,
    waitForEvent: (predicate, timeoutMs) => eventLog.waitFor(predicate, timeoutMs),
    children: () => pools.children(),
    inspectors: parts.inspectors.map(({ functionName, port }) => ({ functionName, port })),
    awsCalls: () => plane.counter.counts(),
    logs: () => parts.logs.lines(),
    measurements: () => parts.measurements.all(),
    alarms: parts.stack.alarms,
    deadLetters: plane.queues.messages,
    switches: {
      get trigger() {
        return triggers.all[0]?.switches;
      },
      loseStreamPosition: () => triggers.all[0]?.losePosition(),
      bus: plane.bus.switches,
      kms: plane.kms.switches,
      secrets: plane.secrets.deletion,
      logs: parts.callLogs.switches,
    },
    takeDenials: () => plane.judge.takeDenials(),
    async close() {
      await parts.cleanup.run();
      requireNoDenials(plane.judge.takeDenials());
    },
  };
}

/** @throws Error listing what AWS would have refused. */
function requireNoDenials(denials: readonly DeniedCall[]): void {
  if (denials.length === 0) return;
  const lines = new Set(denials.map(({ caller, message }) => `  ${caller}: ${message}`));
  throw new Error(
    `AWS would have refused ${denials.length} calls by the policies of the stack:\n${[...lines].join('\n')}`,
  );
}

const LOCAL_JSON = 'local.json';

/** Removes an earlier gateway's file, so that programs waiting for it do not read outdated addresses. */
export function removeLocalJson(directory: DataDirectory): void {
  rmSync(directory.file(LOCAL_JSON), { force: true });
}

/**
 * Where scripts and tests find a running gateway and its parts; contains the secret key and this run's AWS credentials, so only its
 * owner may read it.
 */
export function writeLocalJson(directory: DataDirectory, gateway: LocalGateway): void {
  writeStateFile(directory.file(LOCAL_JSON), {
    gateway_url: gateway.gatewayUrl,
    proxy_url: gateway.proxyUrl,
    dashboard_url: gateway.dashboardUrl,
    simulator_url: gateway.simulatorUrl,
    simulator_control_url: gateway.simulatorControlUrl,
    secret_key: gateway.secretKey,
    table_name: gateway.tableName,
    token_key_arn: gateway.tokenKeyArn,
    events_function_name: gateway.eventsFunctionName,
    dynamodb_endpoint: gateway.dynamodbEndpoint,
    aws_endpoint: gateway.awsEndpoint,
    aws_access_key_id: gateway.credentials.operator.accessKeyId,
    aws_secret_access_key: gateway.credentials.operator.secretAccessKey,
    connections: gateway.connections.map((one) => ({ ...one })),
    ...(gateway.iamCallers ? { iam_role: localRole(gateway.callers) } : {}),
  });
}

/** A role to sign as; its credentials end with this run. */
function localRole(callers: AwsCallers) {
  const { accessKeyId, secretAccessKey, sessionToken = '' } = callers.issue({ role: LOCAL_ROLE }).credentials;
  return {
    arn: localRoleArn(LOCAL_ROLE),
    access_key_id: accessKeyId,
    secret_access_key: secretAccessKey,
    session_token: sessionToken,
  };
}
