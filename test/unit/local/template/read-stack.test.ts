import { describe, expect, it } from 'vitest';
import { displayName, runtimeProblem } from '../../../../dev/local/template/functions.ts';
import { type LocalStack, readStack } from '../../../../dev/local/template/read-stack.ts';
import { classifyResourceType } from '../../../../dev/local/template/resource-types.ts';
import type { Json, JsonObject } from '../../../../dev/tools/json.ts';
import {
  functionResource,
  getAttribute,
  methodResource,
  queueResource,
  roleResource,
  scheduleResource,
  tableResource,
  triggerResource,
} from '../fixtures/assembly.ts';

const STACK = { stackName: 'S', region: 'eu-west-1' };

function read(resources: JsonObject, template: JsonObject = {}): LocalStack {
  const withRole = { Role: roleResource(), ...resources };
  return readStack({ ...template, Resources: withRole }, STACK, '/assembly');
}

/** A resource with other properties. */
function changed(resource: JsonObject, more: JsonObject): JsonObject {
  return { ...resource, Properties: { ...Object(resource.Properties), ...more } };
}

describe('resource types', () => {
  it.each([
    [
      'run',
      ['AWS::Lambda::Function', 'AWS::DynamoDB::GlobalTable', 'AWS::Lambda::EventSourceMapping', 'AWS::SQS::Queue'],
    ],
    ['ignored', ['AWS::IAM::User', 'AWS::CloudWatch::Alarm', 'AWS::SQS::QueuePolicy', 'AWS::ApiGateway::Deployment']],
    [
      'refused',
      [
        'AWS::DynamoDB::Table',
        'AWS::Pipes::Pipe',
        'AWS::ApiGatewayV2::Api',
        'AWS::Lambda::LayerVersion',
        'Custom::Thing',
      ],
    ],
  ])('resource types are %s: %j', (outcome, types) => {
    expect(new Set(types.map(classifyResourceType))).toEqual(new Set([outcome]));
  });

  it('resource types are refused all at once, with their logical ids', () => {
    const resources = { A: { Type: 'AWS::EC2::Instance' }, B: { Type: 'Custom::Thing' } };
    expect(() => read(resources, { Mappings: {}, Parameters: { Size: {} } })).toThrow(
      /section Mappings.*parameter Size.*A is a AWS::EC2::Instance.*B is a Custom::Thing/s,
    );
  });
});

const BUS = { Type: 'AWS::Events::EventBus', Properties: { Name: 'bus' } };
const WHOLE: Record<string, JsonObject> = {
  Fn: functionResource(),
  Table: tableResource(),
  Tick: scheduleResource('Fn'),
  Bus: BUS,
  DeadLetters: queueResource(),
  Trigger: triggerResource('Fn'),
};

it.each<[logicalId: string, more: JsonObject, message: RegExp]>([
  ['Fn', { Runtime: 'nodejs22.x' }, /Fn cannot run here: the local runtime has no nodejs22.x/],
  ['Fn', { Layers: ['x'] }, /Fn uses Layers/],
  ['Fn', { VpcConfig: {} }, /Fn uses VpcConfig/],
  ['Fn', { Code: { ZipFile: 'x' } }, /Fn.Code uses ZipFile/],
  ['Fn', { Code: { S3Bucket: 'b', S3Key: 'mine.zip' } }, /not a CDK file asset/],
  ['Table', { BillingMode: 'PROVISIONED' }, /billed on demand/],
  ['Table', { Replicas: [{}, {}] }, /2 replicas/],
  ['Table', { ImportSourceSpecification: {} }, /ImportSourceSpecification/],
  ['Tick', { ScheduleExpression: 'cron(0 0 * * ? *)' }, /Tick.ScheduleExpression is cron/],
  ['Tick', { ScheduleExpression: 'rate(0 minutes)' }, /rate\(0 minutes\)/],
  ['Tick', { FlexibleTimeWindow: { Mode: 'FLEXIBLE' } }, /flexible/],
  ['Tick', { Target: { Arn: 'arn:aws:sqs:eu-west-1:0:q' } }, /not a function/],
  ['Trigger', { TumblingWindowInSeconds: 5 }, /Trigger uses TumblingWindowInSeconds/],
  ['Trigger', { EventSourceArn: 'arn:aws:sqs:x:y:z' }, /only a table's stream/],
  ['Trigger', { FunctionName: 'other' }, /Trigger.FunctionName is other, which is no function/],
  ['DeadLetters', { RedrivePolicy: {} }, /DeadLetters uses RedrivePolicy/],
])('a template whose %s has %j is refused', (logicalId, more, message) => {
  expect(() => read({ ...WHOLE, [logicalId]: changed(WHOLE[logicalId] ?? {}, more) })).toThrow(message);
});

describe('a function', () => {
  it('a function is read with its code folder, limits and environment', () => {
    const environment = { Variables: { TABLE: { Ref: 'Table' } } };
    const limits = { Timeout: 900, MemorySize: 1024, LoggingConfig: { LogFormat: 'JSON' } };
    const ProxyFunctionABC = functionResource({ Environment: environment, ...limits });
    expect(read({ ProxyFunctionABC, Table: tableResource() }).functions).toEqual([
      {
        logicalId: 'ProxyFunctionABC',
        name: 'S-ProxyFunctionABC',
        arn: 'arn:aws:lambda:eu-west-1:000000000000:function:S-ProxyFunctionABC',
        roleArn: 'arn:aws:iam::000000000000:role/S-Role',
        logGroup: '/aws/lambda/S-ProxyFunctionABC',
        isTraced: false,
        displayName: 'proxy',
        runtime: 'nodejs24.x',
        handler: 'index.handler',
        codeFolder: `/assembly/asset.${'a'.repeat(64)}`,
        timeoutSec: 900,
        memoryMb: 1024,
        logFormat: 'JSON',
        environment: { TABLE: 'S-Table' },
      },
    ]);
  });

  it.each([
    ['GatewayOAuthCallbackFunction1', 'oauth-callback'],
    ['GatewayConnectFunction1', 'connect'],
    ['Other1', 'Other1'],
  ])('called %s is shown as %s', (logicalId, name) => {
    expect(displayName(logicalId)).toBe(name);
  });
});

describe('the runtime of a function', () => {
  it.each([
    ['nodejs24.x', undefined, undefined],
    ['python3.13', '/usr/bin/python3', undefined],
    ['python3.13', undefined, 'python3.13 needs python3 3.10 or later, which this computer does not have'],
    ['java21', '/usr/bin/python3', 'the local runtime has no java21'],
  ])('%s with python3 at %s: %s', (runtime, python, problem) => {
    expect(runtimeProblem(runtime, () => python)).toBe(problem);
  });

  it('leaves a function of an app out where it cannot run, and says why', () => {
    const resources = {
      Role: roleResource(),
      Proxy: functionResource(),
      Java: functionResource({ Runtime: 'java21' }),
    };
    const { functions, notRun } = readStack({ Resources: resources }, STACK, '/assembly', undefined, true);
    expect(functions.map(({ logicalId }) => logicalId)).toEqual(['Proxy']);
    expect(notRun).toEqual(['Java (AWS::Lambda::Function): it cannot run here: the local runtime has no java21.']);
  });

  it('leaves out what else of an app uses something that the local runtime does not have, but nothing of the gateway', () => {
    const daily = { Type: 'AWS::Events::Rule', Properties: { ScheduleExpression: 'rate(1 day)' } };
    const inline = functionResource({ Code: { ZipFile: 'x' } });
    const gateway = { GatewayDeclaredFunction0123ABCD: functionResource(), Role: roleResource() };
    const readApp = (resources: JsonObject) =>
      readStack({ Resources: { ...gateway, ...resources } }, STACK, '/assembly', undefined, true);
    const { functions, rules, notRun } = readApp({ Daily: daily, Inline: inline });
    expect(functions.map(({ displayName: name }) => name)).toEqual(['declared']);
    expect(rules).toEqual([]);
    expect(notRun).toEqual([
      'Daily (AWS::Events::Rule): it uses ScheduleExpression, which the local runtime does not implement.',
      expect.stringMatching(/^Inline \(AWS::Lambda::Function\): Inline\.Code uses ZipFile/),
    ]);
    expect(() => readApp({ GatewayDaily: daily })).toThrow('GatewayDaily uses ScheduleExpression');
  });
});

describe('a table', () => {
  it('becomes a CreateTable request', () => {
    const [table] = read({ Table: tableResource() }).tables;
    expect(table).toMatchObject({ name: 'S-Table', timeToLiveAttribute: 'expiresAtEpochSec' });
    expect(table?.createTable).toMatchObject({
      TableName: 'S-Table',
      BillingMode: 'PAY_PER_REQUEST',
      StreamSpecification: { StreamEnabled: true, StreamViewType: 'NEW_AND_OLD_IMAGES' },
      GlobalSecondaryIndexes: [{ IndexName: 'byOwner' }],
    });
  });
});

describe('a schedule', () => {
  it('a schedule is read with interval, input and retry policy', () => {
    const RetryPolicy = { MaximumRetryAttempts: 0, MaximumEventAgeInSeconds: 60 };
    const Tick = scheduleResource('Fn', { Input: '{"slice":0}', RetryPolicy });
    const [schedule] = read({ Fn: functionResource(), Tick }).schedules;
    expect(schedule).toMatchObject({
      name: 'S-Tick',
      intervalMs: 60_000,
      input: '{"slice":0}',
      maximumRetryAttempts: 0,
      maximumEventAgeSec: 60,
      enabled: true,
    });
  });
});

describe('a trigger', () => {
  it('a trigger is read with filters, limits and the queue for what is given up', () => {
    const [trigger] = read(WHOLE).triggers;
    expect(trigger).toEqual({
      logicalId: 'Trigger',
      functionArn: 'arn:aws:lambda:eu-west-1:000000000000:function:S-Fn',
      roleArn: 'arn:aws:iam::000000000000:role/S-Role',
      streamArn: 'arn:aws:dynamodb:eu-west-1:000000000000:table/S-Table/stream/local',
      tableArn: 'arn:aws:dynamodb:eu-west-1:000000000000:table/S-Table',
      filters: [{ eventName: ['INSERT'], dynamodb: { NewImage: { type: { S: ['event'] } } } }],
      batchSize: 10,
      startsFromOldest: true,
      maximumRetryAttempts: 1,
      maximumRecordAgeSec: -1,
      bisectsOnError: true,
      reportsFailures: true,
      deadLettersArn: 'arn:aws:sqs:eu-west-1:000000000000:S-DeadLetters',
      isEnabled: true,
    });
  });

  it('names a queue by its address', () => {
    expect(read(WHOLE).queues).toMatchObject([
      { url: 'https://sqs.eu-west-1.amazonaws.com/000000000000/S-DeadLetters' },
    ]);
  });
});

describe('a bus', () => {
  it('outside the stack is played by one of the same name, which the stack’s rule names', () => {
    const Properties = { EventBusName: 'company/product', EventPattern: { source: ['x'] }, Targets: [] };
    const { buses } = read({ ...WHOLE, Rule: { Type: 'AWS::Events::Rule', Properties } });
    expect(buses.map(({ name }) => name)).toEqual(['bus', 'product']);
  });
});

describe('a REST API', () => {
  const restApi = (Properties: JsonObject = {}) => ({ Type: 'AWS::ApiGateway::RestApi', Properties });
  const path = (ParentId: Json, PathPart: string) => ({
    Type: 'AWS::ApiGateway::Resource',
    Properties: { ParentId, PathPart },
  });
  const api = (integration: JsonObject = {}, method: JsonObject = {}, more: JsonObject = {}): JsonObject => ({
    Fn: functionResource(),
    Api: restApi({ BinaryMediaTypes: ['*/*'] }),
    Stage: { Type: 'AWS::ApiGateway::Stage', Properties: { StageName: 'v1' } },
    // The child comes first: order in the template says nothing.
    Child: path({ Ref: 'Parent' }, '{proxy+}'),
    Parent: path(getAttribute('Api', 'RootResourceId'), 'proxy'),
    Method: methodResource({ Ref: 'Child' }, '!Fn', { TimeoutInMillis: 900_000, ...integration }, method),
    ...more,
  });

  it('a REST API is read with its routes', () => {
    expect(read(api()).restApi).toMatchObject({
      stageName: 'v1',
      routes: [
        {
          resourcePath: '/proxy/{proxy+}',
          segments: ['proxy', '{proxy+}'],
          method: 'ANY',
          functionArn: 'arn:aws:lambda:eu-west-1:000000000000:function:S-Fn',
          streaming: true,
          timeoutMs: 900_000,
        },
      ],
    });
  });

  it.each<[JsonObject, RegExp]>([
    [api({ Type: 'MOCK' }), /MOCK; only AWS_PROXY/],
    [api({ RequestTemplates: {} }), /RequestTemplates/],
    [api({ Uri: 'https://example.com' }), /not a Lambda function/],
    [api({}, { AuthorizationType: 'COGNITO_USER_POOLS' }), /authorizer/],
    [api({}, { ApiKeyRequired: true }), /API key/],
    [api({}, {}, { Second: restApi() }), /second REST API/],
    [api({}, {}, { Api: restApi() }), /BinaryMediaTypes/],
    [api({}, {}, { Parent: path('nowhere', 'x') }), /no parent/],
  ])('a REST API is refused where it does what is not supported', (resources, message) => {
    expect(() => read(resources)).toThrow(message);
  });
});

it('secrets and keys are read, and refused where they ask for more', () => {
  const key = (Properties: JsonObject = {}) => ({ Key: { Type: 'AWS::KMS::Key', Properties } });
  const secret = (Properties: JsonObject) => ({ Secret: { Type: 'AWS::SecretsManager::Secret', Properties } });
  const stack = read({ ...secret({ Name: 'a/b' }), ...key() });
  expect(stack.secrets).toMatchObject([{ name: 'a/b', initialValue: undefined, generate: undefined }]);
  expect(stack.keys).toMatchObject([{ enabled: true }]);
  for (const more of [{ KeySpec: 'RSA_2048' }, { Origin: 'EXTERNAL' }]) expect(() => read(key(more))).toThrow(/Key/);
  expect(() => read(secret({ ReplicaRegions: [] }))).toThrow(/ReplicaRegions/);
});
