/** What the measurements of the bundle need: the bundle as it deploys, an empty function, an emulated AWS and provider. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ENVIRONMENT } from '../../lambdas/gateway/core/contract.ts';
import { openCredentialBook } from '../local/aws/credentials.ts';
import type { FunctionSettings } from '../local/lambda/environment.ts';
import { closeServer, LOOPBACK, listen } from '../local/network.ts';
import type { LocalFunction } from '../local/template/functions.ts';
import { type BuiltFunction, buildFunctions } from '../tools/build.ts';
import { emulatedAws } from './emulated-aws.ts';
import { functionVariables } from './function-variables.ts';
import { type ServerProcess, startServer } from './processes.ts';
import { sampleRecords } from './sample.ts';

/** Answers at once and imports nothing: what a function costs before it does anything. */
const EMPTY_FUNCTION = `export const handler = awslambda.streamifyResponse(async (event, stream) => {
  const out = awslambda.HttpResponseStream.from(stream, { statusCode: 200 });
  out.write('{}');
  out.end();
});
`;

/** The least that a function can do to pass a GET on: `servers/pass-through.ts` behind AWS's runtime client. */
const PASS_THROUGH_FUNCTION = `import { Agent, request as send } from 'node:http';
const agent = new Agent({ keepAlive: true, maxSockets: 256, maxFreeSockets: 64, timeout: 0, scheduling: 'lifo' });
const hostname = '127.0.0.1';
export const handler = awslambda.streamifyResponse((event, stream) => new Promise((resolve, reject) => {
  const path = event.path.slice('/proxy'.length) + '?' + new URLSearchParams(event.queryStringParameters);
  const outgoing = send({ agent, hostname, port: process.env.UPSTREAM_PORT, path, headers: event.headers }, (incoming) => {
    const out = awslambda.HttpResponseStream.from(stream, { statusCode: incoming.statusCode, headers: incoming.headers });
    incoming.pipe(out).once('finish', resolve).once('error', reject);
  });
  outgoing.once('error', reject);
  outgoing.end();
}));
`;

export interface Stage extends AsyncDisposable {
  readonly upstream: ServerProcess;
  readonly bundle: BuiltFunction;
  readonly proxy: LocalFunction;
  /** The proxy with the AWS SDK instead of the lean client. */
  readonly proxyWithSdk: LocalFunction;
  readonly empty: LocalFunction;
  /** Passes calls on and does nothing else. */
  readonly passThrough: LocalFunction;
  readonly settings: Omit<FunctionSettings, 'runtimeApi'>;
  /** Calls of the emulated AWS by operation, since the stage was opened. */
  readonly awsCalls: ReadonlyMap<string, number>;
}

/** Builds the proxy, by either AWS client, into a temporary folder and starts the emulated AWS and provider. */
export async function openStage(): Promise<Stage> {
  await using opened = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), 'gateway-bench-'));
  opened.defer(() => rm(folder, { recursive: true, force: true }));
  const upstream = opened.use(await startServer('upstream'));
  const variables = functionVariables(upstream.origin);
  const aws = emulatedAws(variables[ENVIRONMENT.tableName] ?? '', await sampleRecords(Date.now()));
  opened.defer(() => closeServer(aws.server));
  const awsEndpoint = `http://${LOOPBACK}:${await listen(aws.server, 0, 'the emulated AWS', 'start again')}`;
  const sdkFolder = join(folder, 'with-sdk');
  const [bundle] = await buildFunctions({ outputRoot: folder, functionNames: ['proxy'], awsClient: 'lean' });
  await buildFunctions({ outputRoot: sdkFolder, functionNames: ['proxy'], awsClient: 'sdk' });
  if (bundle === undefined) throw new Error('The proxy was not bundled');
  const [emptyFolder, passThroughFolder] = [join(folder, 'empty'), join(folder, 'pass-through')];
  for (const [codeFolder, code] of [
    [emptyFolder, EMPTY_FUNCTION],
    [passThroughFolder, PASS_THROUGH_FUNCTION],
  ] as const) {
    await mkdir(codeFolder);
    await writeFile(join(codeFolder, 'index.mjs'), code);
  }
  const emptyConfigFile = join(folder, 'empty-aws-config');
  await writeFile(emptyConfigFile, '');
  const kept = opened.move();
  return {
    upstream,
    bundle,
    proxy: localFunction('proxy', join(folder, 'lambdas', 'proxy'), variables),
    proxyWithSdk: localFunction('proxy', join(sdkFolder, 'lambdas', 'proxy'), variables),
    empty: localFunction('empty', emptyFolder, {}),
    passThrough: localFunction('pass-through', passThroughFolder, { UPSTREAM_PORT: String(upstream.port) }),
    settings: {
      region: 'us-east-1',
      awsEndpoint,
      dynamoDbEndpoint: awsEndpoint,
      credentials: openCredentialBook(),
      emptyConfigFile,
      overrides: {},
    },
    awsCalls: aws.calls,
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}

function localFunction(name: string, codeFolder: string, environment: Record<string, string>): LocalFunction {
  return {
    logicalId: name,
    name,
    arn: `arn:aws:lambda:us-east-1:000000000000:function:${name}`,
    roleArn: `arn:aws:iam::000000000000:role/${name}`,
    logGroup: `/aws/lambda/${name}`,
    isTraced: false,
    displayName: name,
    runtime: 'nodejs24.x',
    handler: 'index.handler',
    codeFolder,
    timeoutSec: 900,
    memoryMb: 1024,
    logFormat: 'JSON',
    environment,
  };
}
