/**
 * The plain template of a release, deployed as its README describes, with only AWS's command line, against moto's server instead
 * of AWS. The tests follow one another.
 */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { unzipSync } from 'fflate';
import { afterAll, beforeAll, expect, it } from 'vitest';
import * as z from 'zod';
import { FUNCTION_NAMES } from '../../../lambdas/gateway/core/contract.ts';
import { type Answered, answered, type ParameterValues } from '../../support/template-answers.ts';
import { capture, type Output } from '../../tools/installed-programs.ts';
import { type Json, parseJson } from '../../tools/json.ts';
import { makeTemplateArchive } from '../../tools/release/template.ts';
import { pythonTool } from '../tools.ts';
import { type MotoServer, startMoto } from './server.ts';

const REGION = 'eu-west-1';
/** Not the name in the README: any name will do. */
const STACK = 'Drive-and-Calendar';
const BUCKET = 'code-of-the-gateway';
/** The parameters of the first deployment, and those of the second, which turn round what the first has on and off. */
const FIRST = { OperatorEmail: 'first.operator@example.com', AlarmEmail: 'on.call@example.com' };
const SECOND = {
  OperatorEmail: 'first.operator@example.com',
  AlarmEmail: '',
  AlarmTopicArn: `arn:aws:sns:${REGION}:123456789012:alarms`,
  Monitoring: 'false',
  LogRetentionDays: 7,
  ConnectAllowedOrigins: 'https://app.example.com,http://localhost:5173',
  ConnectReturnUrls: 'https://app.example.com/done',
  ProxyMemoryMb: 1769,
  ThrottleRatePerSec: 50,
  ThrottleBurst: 5,
  DomainName: 'gateway.example.com',
  CertificateArn: `arn:aws:acm:${REGION}:123456789012:certificate/0a1b2c3d-0000-4000-8000-000000000000`,
};
const COMMAND_TIMEOUT_MS = 300_000;

const stackSchema = z.object({
  Stacks: z.array(
    z.object({
      StackStatus: z.string(),
      Outputs: z.array(z.object({ OutputKey: z.string(), OutputValue: z.string() })),
    }),
  ),
});

let moto: MotoServer;
let folder: string;
let environment: NodeJS.ProcessEnv;
/** The commands that the README prints for AWS's command line, one line each. */
let printed: string[];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'gateway-plain-'));
  for (const [name, bytes] of Object.entries(unzipSync(readFileSync(await makeTemplateArchive(folder))))) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), bytes);
  }
  printed = readFileSync(join(folder, 'README.md'), 'utf8')
    .replaceAll(/\\\n\s*/g, '')
    .split('\n')
    .filter((line) => line.startsWith('aws '));
  moto = await startMoto(REGION);
  const settings = join(folder, 'aws-config');
  writeFileSync(settings, '[default]\ns3 =\n  addressing_style = path\n');
  environment = {
    ...moto.environment,
    PATH: `${dirname(await pythonTool('aws'))}:${moto.environment.PATH ?? ''}`,
    AWS_CONFIG_FILE: settings,
    // moto takes the address of a template for its own under this name alone.
    AWS_ENDPOINT_URL_S3: moto.environment.AWS_ENDPOINT_URL_S3_FOR_CLOUDFORMATION,
  };
});
afterAll(async () => {
  await moto?.[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true, force: true });
});

async function aws(command: string): Promise<Output> {
  const ended = await capture('sh', ['-c', command], { env: environment, cwd: folder, timeoutMs: COMMAND_TIMEOUT_MS });
  if (ended.code === 0) return ended;
  throw new Error(`${command} ended with ${ended.code}:\n${ended.err}\nmoto:\n${moto.log().slice(-3000)}`);
}

async function ask(command: string): Promise<Json> {
  return parseJson((await aws(`aws ${command} --output json`)).out, command);
}

function template(): Json {
  return parseJson(readFileSync(join(folder, 'template.json'), 'utf8'), 'template');
}

async function described(): Promise<z.output<typeof stackSchema>['Stacks'][number] | undefined> {
  return stackSchema.parse(await ask(`cloudformation describe-stacks --stack-name ${STACK}`)).Stacks[0];
}

function given(parameters: ParameterValues): string {
  return Object.entries(parameters)
    .map(([name, value]) => `${name}=${value}`)
    .join(' ');
}

/** What the template asks for with these parameters. */
function asked(parameters: ParameterValues): Answered {
  return answered(template(), parameters, { 'AWS::StackName': STACK, 'AWS::Region': REGION });
}

function deployed(overrides: string): string {
  const command = printed.find((line) => line.startsWith('aws cloudformation deploy')) ?? '';
  return command
    .replace('--stack-name IntegrationGateway', `--stack-name ${STACK}`)
    .replace('OperatorEmail=<your address> AlarmEmail=<your address>', overrides)
    .replaceAll('<bucket>', BUCKET);
}

it('is deployed by the two commands of its README, under a name and in a region of the reader’s own', async () => {
  expect(printed).toHaveLength(2);
  await aws(`aws s3 mb s3://${BUCKET}`);
  await aws((printed[0] ?? '').replaceAll('<bucket>', BUCKET));
  await aws(deployed(given(FIRST)));
  expect((await described())?.StackStatus).toBe('CREATE_COMPLETE');
});

it('makes every resource, with the code that was copied', async () => {
  const { StackResources } = z
    .object({ StackResources: z.array(z.object({ LogicalResourceId: z.string() })) })
    .parse(await ask(`cloudformation describe-stack-resources --stack-name ${STACK}`));
  const ids = StackResources.map(({ LogicalResourceId }) => LogicalResourceId);
  expect(ids.toSorted()).toEqual(Object.keys(asked(FIRST).resources).toSorted());
  const { Functions } = z
    .object({ Functions: z.array(z.object({ FunctionName: z.string(), CodeSize: z.number() })) })
    .parse(await ask('lambda list-functions'));
  const own = Functions.filter(({ FunctionName }) => FunctionName.startsWith(STACK));
  expect(own).toHaveLength(FUNCTION_NAMES.length);
  expect(own.every(({ CodeSize }) => CodeSize > 10_000)).toBe(true);
});

it('outputs the addresses in its own region, and none of the values it was made with', async () => {
  const outputs = Object.fromEntries((await described())?.Outputs.map((one) => [one.OutputKey, one.OutputValue]) ?? []);
  expect(outputs.BaseUrl).toContain(`.execute-api.${REGION}.amazonaws.com/`);
  expect(outputs.CallbackUrl).toBe(`${outputs.BaseUrl?.replace(/\/$/, '')}/oauth/callback`);
  expect(Object.keys(outputs).toSorted()).toEqual(Object.keys(asked(FIRST).outputs).toSorted());
  expect(outputs.AlarmReceiver).toBe('on.call@example.com');
  expect(JSON.stringify(outputs)).not.toMatch(/NameOfTheStack|us-east-1|placeholder|prefix-of-the/);
});

it('invites the operator it was given', async () => {
  const [pool] = z
    .object({ UserPools: z.array(z.object({ Id: z.string() })) })
    .parse(await ask('cognito-idp list-user-pools --max-results 10')).UserPools;
  const users = await ask(`cognito-idp list-users --user-pool-id ${pool?.Id}`);
  expect(JSON.stringify(users)).toContain('first.operator@example.com');
});

it('ST-32: has an alarm receiver, a domain, monitoring and limits by its parameters, each on and off again', async () => {
  const alarms = async () =>
    z
      .object({ MetricAlarms: z.array(z.object({ AlarmActions: z.array(z.string()), TreatMissingData: z.string() })) })
      .parse(await ask('cloudwatch describe-alarms'))
      // Those that listen for silence leave telling to a composite alarm, which moto does not make.
      .MetricAlarms.filter(({ TreatMissingData }) => TreatMissingData !== 'breaching');
  const kinds = async () =>
    z
      .object({ StackResources: z.array(z.object({ LogicalResourceId: z.string() })) })
      .parse(await ask(`cloudformation describe-stack-resources --stack-name ${STACK}`))
      .StackResources.map(({ LogicalResourceId }) => LogicalResourceId);
  const { Subscriptions } = z
    .object({ Subscriptions: z.array(z.object({ Endpoint: z.string(), TopicArn: z.string() })) })
    .parse(await ask('sns list-subscriptions'));
  expect(Subscriptions.map(({ Endpoint }) => Endpoint)).toEqual(['on.call@example.com']);
  const before = await alarms();
  expect(before.length).toBeGreaterThan(10);
  for (const { AlarmActions } of before) expect(AlarmActions).toEqual([Subscriptions[0]?.TopicArn]);

  await aws(deployed(given(SECOND)));
  expect((await described())?.StackStatus).toBe('UPDATE_COMPLETE');
  const after = await alarms();
  expect(after.length).toBeGreaterThan(0);
  expect(after.length).toBeLessThan(before.length);
  for (const { AlarmActions } of after) expect(AlarmActions).toEqual([SECOND.AlarmTopicArn]);
  expect((await kinds()).toSorted()).toEqual(Object.keys(asked(SECOND).resources).toSorted());
  const outputs = Object.fromEntries((await described())?.Outputs.map((one) => [one.OutputKey, one.OutputValue]) ?? []);
  expect(outputs).toMatchObject({ AlarmReceiver: SECOND.AlarmTopicArn, BaseUrl: 'https://gateway.example.com' });
  const { Functions } = z
    .object({
      Functions: z.array(
        z.object({
          FunctionName: z.string(),
          MemorySize: z.number(),
          // moto keeps the number that a parameter is; CloudFormation makes it a text.
          Environment: z.object({ Variables: z.record(z.string(), z.union([z.string(), z.number()])) }),
        }),
      ),
    })
    .parse(await ask('lambda list-functions'));
  const connect = Functions.find(({ FunctionName }) => FunctionName.includes('GatewayConnectFunction'));
  expect(connect?.Environment.Variables).toMatchObject({
    CONNECT_ALLOWED_ORIGINS: SECOND.ConnectAllowedOrigins,
    CONNECT_RETURN_URLS: SECOND.ConnectReturnUrls,
  });
  expect(Functions.find(({ FunctionName }) => FunctionName.includes('GatewayProxyFunction'))?.MemorySize).toBe(1769);

  await aws(deployed(given({ ...FIRST, AlarmTopicArn: '', Monitoring: 'true', DomainName: '', CertificateArn: '' })));
  expect(await alarms()).toHaveLength(before.length);
  expect((await kinds()).toSorted()).toEqual(Object.keys(asked(FIRST).resources).toSorted());
});

it('is removed again', async () => {
  await aws(`aws cloudformation delete-stack --stack-name ${STACK}`);
  const { Functions } = z.object({ Functions: z.array(z.json()) }).parse(await ask('lambda list-functions'));
  expect(Functions).toEqual([]);
});
