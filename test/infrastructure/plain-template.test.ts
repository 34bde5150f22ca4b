import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { unzipSync } from 'fflate';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Options } from '../../dev/support/option-samples.ts';
import { gatewayAppIn, temporaryFolder, writePlaceholderBundles } from '../../dev/support/synthesize.ts';
import { type Answered, answered, type ParameterValues } from '../../dev/support/template-answers.ts';
import { type PlainTemplate, plainTemplate } from '../../dev/tools/release/template.ts';
import {
  FIXED,
  NOT_PARAMETERS,
  TEMPLATE_PARAMETERS,
  TEMPLATE_RULES,
  type TemplateParameter,
} from '../../dev/tools/release/template-parameters.ts';
import { combine, moved } from '../../dev/tools/release/template-switches.ts';
import { PROJECT_ROOT } from '../../dev/tools/run.ts';
import { FRONT_DOORS, FUNCTION_NAMES } from '../../lambdas/gateway/core/contract.ts';
import { readDeploymentConfig } from '../../lib/config.ts';
import { gatewayOptionsSchema, resolveGatewayOptions } from '../../lib/gateway-options.ts';

const regional = (service: string, resource: string) => `arn:aws:${service}:us-east-1:111122223333:${resource}`;
const topic = regional('sns', 'alarms');
const bus = regional('events', 'event-bus/company/product');
const acl = regional('wafv2', 'regional/webacl/company/0a1b2c3d');
const certificate = regional('acm', 'certificate/0a1b2c3d');
const email = 'on.call@example.com';
const domain = { domainName: 'gateway.example.com', certificateArn: certificate };

/** Parameters, and the options of the CDK app that say the same. */
const CASES: readonly (readonly [name: string, parameters: ParameterValues, options: Options])[] = [
  ['with nothing set', {}, {}],
  [
    'with everything on',
    {
      OperatorEmail: email,
      AlarmEmail: email,
      AlarmTopicArn: topic,
      DomainName: domain.domainName,
      CertificateArn: domain.certificateArn,
      EventBusArn: bus,
      FrontDoor: 'function-url',
      WebAcl: 'make',
      AccessLogs: 'true',
      CloudWatchRole: 'true',
      Tracing: 'true',
      OperationsDashboard: 'true',
    },
    {
      operatorEmail: email,
      alarmEmail: email,
      alarmTopicArn: topic,
      customDomain: domain,
      eventBusArn: bus,
      frontDoor: 'function-url',
      webAcl: 'make',
      accessLogs: true,
      cloudWatchRole: true,
      tracing: true,
      operationsDashboard: true,
    },
  ],
  [
    'without monitoring, with an address',
    { Monitoring: 'false', AlarmEmail: email },
    { monitoring: false, alarmEmail: email },
  ],
  [
    'with other values',
    {
      ConnectAllowedOrigins: 'https://app.example.com,http://localhost:5173',
      ConnectReturnUrls: 'https://app.example.com/done?from=gateway',
      ConnectAppName: 'Example CRM',
      ThrottleRatePerSec: 50,
      ThrottleBurst: 5,
      ProxyMemoryMb: 1769,
      CallsPerMinutePerKey: 0,
      CallsPerMinutePerConnection: 1,
      LongCallsPerKey: 2,
      LongCallsPerConnection: 3,
      WrongKeysPerMinutePerAddress: 4,
      CallLog: 'all',
      CallLogRetentionDays: 30,
      RefreshAhead: 'on-use',
      Approvers: 'operator',
      AgentsOverRest: 'refuse',
      ClientSecrets: 'table',
      FeedShare: 50,
      DayLimit: 'stop',
    },
    {
      connectAllowedOrigins: ['https://app.example.com', 'http://localhost:5173'],
      connectReturnUrls: ['https://app.example.com/done?from=gateway'],
      connectAppName: 'Example CRM',
      throttleRatePerSec: 50,
      throttleBurst: 5,
      proxyMemoryMb: 1769,
      callsPerMinutePerKey: 0,
      callsPerMinutePerConnection: 1,
      longCallsPerKey: 2,
      longCallsPerConnection: 3,
      wrongKeysPerMinutePerAddress: 4,
      callLog: 'all',
      callLogRetentionDays: 30,
      refreshAhead: 'on-use',
      approvers: 'operator',
      clientSecrets: 'table',
      agentsOverRest: 'refuse',
      feedShare: 50,
      dayLimit: 'stop',
    },
  ],
  ['without dashboard', { Dashboard: 'false', OperatorEmail: email }, { dashboard: false, operatorEmail: email }],
  ['with an operator', { OperatorEmail: email }, { operatorEmail: email }],
  ['with a topic', { AlarmTopicArn: topic }, { alarmTopicArn: topic }],
  [
    'with a topic and an address',
    { AlarmTopicArn: topic, AlarmEmail: email },
    { alarmTopicArn: topic, alarmEmail: email },
  ],
  [
    'with a domain of its own',
    { DomainName: domain.domainName, CertificateArn: domain.certificateArn },
    { customDomain: domain },
  ],
  ['with a bus, without dashboard', { EventBusArn: bus, Dashboard: 'false' }, { eventBusArn: bus, dashboard: false }],
  [
    'with a web ACL of its own, access logs and their role',
    { WebAcl: 'make', WebAclRequestsPerIp: 10, AccessLogs: 'true', CloudWatchRole: 'true', LogRetentionDays: 7 },
    { webAcl: 'make', webAclRequestsPerIp: 10, accessLogs: true, cloudWatchRole: true, logRetentionDays: 7 },
  ],
  ['with a function URL', { FrontDoor: 'function-url' }, { frontDoor: 'function-url' }],
  [
    'with a function URL, without alarms',
    { FrontDoor: 'function-url', Monitoring: 'false' },
    { frontDoor: 'function-url', monitoring: false },
  ],
  ['with a given web ACL and traces', { WebAcl: acl, Tracing: 'true' }, { webAcl: acl, tracing: true }],
];

/** Values that a pattern and the option behind it judge alike: taken, refused. */
const VALUES = [
  ['AlarmEmail', ['', email], ['on.call', 'a@b', 'one@example.com,two@example.com', ' a@example.com']],
  ['OperatorEmail', ['', email], ['operator', '@example.com']],
  ['AlarmTopicArn', ['', topic], ['alarms', bus, `${topic}/x`]],
  ['EventBusArn', ['', bus], ['bus', topic]],
  ['WebAcl', ['none', 'make', acl], ['all', topic]],
  ['OperatorDomainPrefix', ['', 'operators', 'a-1'], ['-a', 'Aa', 'my-aws-gateway', 'cognito']],
  [
    'ConnectAllowedOrigins',
    ['', 'https://app.example.com', 'https://a.example:8443,http://localhost:5173,http://[::1]:1'],
    ['app.example.com', 'https://app.example.com/', 'http://app.example.com', 'https://app.example.com/x', '*'],
  ],
  [
    'ConnectReturnUrls',
    ['', 'https://app.example.com/done?from=gateway', 'http://127.0.0.1:3000/x,https://a.example'],
    ['http://app.example.com/done', 'https://app.example.com/done#x', 'https://user@app.example.com', '/done'],
  ],
  ['ConnectAppName', ['', 'Example CRM', 'Ö 1'], [' Example', 'Example ', 'x', 'x'.repeat(61)]],
] as const satisfies readonly (readonly [keyof typeof TEMPLATE_PARAMETERS, readonly string[], readonly string[]])[];

function contextOf(option: string, value: string): Record<string, unknown> {
  return { [`gateway:${option}`]: value };
}

/** A template as deployed under the name that the release synthesizes with, without what differs by packaging alone. */
function decided(template: unknown, parameters: ParameterValues): Answered {
  const { resources, outputs } = answered(template, parameters, {
    'AWS::StackName': FIXED.stackName,
    'AWS::Region': FIXED.region,
  });
  const withoutCode = Object.entries(resources).map(([id, resource]) => [
    id,
    JSON.parse(JSON.stringify(resource, (key, value) => (key === 'Code' ? undefined : value))),
  ]);
  return { resources: Object.fromEntries(withoutCode), outputs };
}

// A synthesis for each of its switches takes seconds.
describe('the plain template', { tags: ['long'] }, () => {
  let made: PlainTemplate;
  let text: string;

  beforeAll(() => {
    using folder = temporaryFolder();
    made = plainTemplate(writePlaceholderBundles(folder.path));
    text = JSON.stringify(made.template);
  });

  test('fixes neither region nor account nor the name of the stack, and needs nothing of the CDK', () => {
    const { Resources, ...rest } = made.template;
    expect(JSON.stringify(rest)).not.toMatch(/NameOfTheStack|us-east-1|placeholder/);
    // What a logical id is made of stays inside the template.
    const values = JSON.stringify(Resources).replaceAll(
      /"(?:Ref|Fn::GetAtt)":(?:"[^"]*"|\["[^"]*")|"\w+":\{"Type"/g,
      '',
    );
    expect(values).not.toMatch(/NameOfTheStack|us-east-1|placeholder|prefix-of-the/);
    expect(text).not.toMatch(/cdk-hnb|cdk-bootstrap|aws:cdk|CDKMetadata/);
  });

  test('takes the code of each function from the bucket of its parameters', () => {
    const codes = [...text.matchAll(/"Code":\{"S3Bucket":\{"Ref":"CodeBucket"\},"S3Key":\{"Fn::Sub":"([^"]+)"\}\}/g)];
    const keys = codes.map(([, key]) => key);
    expect(keys).toHaveLength(FUNCTION_NAMES.length);
    expect(keys.toSorted()).toEqual(
      Object.keys(made.zips)
        .map((name) => `\${CodePrefix}${name}`)
        .toSorted(),
    );
  });

  test('comes with a zip of each function that holds its bundle', () => {
    const bundles = Object.values(made.zips).map((zip) => new TextDecoder().decode(unzipSync(zip)['index.mjs']));
    expect(bundles.toSorted()).toEqual(
      FUNCTION_NAMES.map((name) => `export const handler = () => '${name}';\n`).toSorted(),
    );
  });

  test('names what other code would change, so that an update takes it over', () => {
    expect(Object.keys(made.zips).every((name) => /^[a-z]+-[0-9a-f]{16}\.zip$/.test(name))).toBe(true);
  });

  const sameAsCdk = async (_name: string, parameters: ParameterValues, options: Options): Promise<void> => {
    using folder = temporaryFolder();
    const given = { stackName: FIXED.stackName, operatorDomainPrefix: 'operators', ...options };
    const app = await gatewayAppIn(folder.path, given, false);
    const [stack] = app.synth({ skipValidation: true }).stacks;
    const byCdk = decided(stack?.template, {});
    const byTemplate = decided(made.template, { OperatorDomainPrefix: 'operators', ...parameters });
    expect(Object.keys(byTemplate.resources).toSorted()).toEqual(Object.keys(byCdk.resources).toSorted());
    for (const [id, resource] of Object.entries(byCdk.resources))
      expect({ [id]: byTemplate.resources[id] }).toEqual({ [id]: resource });
    // Where alarms have no receiver, each names the setting.
    if (byCdk.outputs.AlarmReceiver !== byTemplate.outputs.AlarmReceiver) {
      for (const { outputs } of [byCdk, byTemplate]) expect(outputs.AlarmReceiver).toMatch(/^nobody: /);
    }
    expect({ ...byTemplate.outputs, AlarmReceiver: '' }).toEqual({ ...byCdk.outputs, AlarmReceiver: '' });
  };
  test.each(CASES)('ST-32: makes what the CDK app makes: %s', sameAsCdk);

  test('ST-32: shows who receives alarms, and what to set where nobody does', () => {
    const receiver = (parameters: ParameterValues) => decided(made.template, parameters).outputs.AlarmReceiver;
    const topic = 'arn:aws:sns:us-east-1:111122223333:alarms';
    expect(receiver({})).toBe('nobody: set the parameter AlarmEmail to an address, or AlarmTopicArn to an SNS topic');
    expect(receiver({ AlarmEmail: 'on.call@example.com' })).toBe('on.call@example.com');
    expect(receiver({ AlarmEmail: 'on.call@example.com', AlarmTopicArn: topic })).toBe(
      `${topic} and on.call@example.com`,
    );
  });
});

describe('what the plain template asks for', () => {
  test('ST-32: the plain template has a parameter for each option of the CDK app, or the reason why it has none', () => {
    const parameters = Object.keys(TEMPLATE_PARAMETERS).map((name) => name.toLowerCase());
    const options = Object.keys(gatewayOptionsSchema.shape);
    const unsaid = options.filter(
      (option) =>
        !parameters.includes(option.toLowerCase()) &&
        !Object.hasOwn(NOT_PARAMETERS, option) &&
        option !== 'customDomain',
    );
    expect(unsaid).toEqual([]);
    for (const option of Object.keys(NOT_PARAMETERS)) expect(parameters).not.toContain(option.toLowerCase());
  });

  test('FD-22: its rules refuse a function URL alongside a web ACL of one’s own, as the CDK app does', () => {
    const [{ Assert }] = TEMPLATE_RULES.FrontDoorAndWebAcl.Assertions;
    const judged = {
      Parameters: TEMPLATE_PARAMETERS,
      Conditions: { Taken: Assert },
      Resources: { Made: { Type: 'T', Condition: 'Taken' } },
    };
    const takes = (parameters: ParameterValues) => Object.keys(answered(judged, parameters, {}).resources).length === 1;
    for (const FrontDoor of FRONT_DOORS) {
      for (const WebAcl of ['none', 'make', acl]) {
        const resolve = () => resolveGatewayOptions({ frontDoor: FrontDoor, webAcl: WebAcl });
        const isTaken = takes({ FrontDoor, WebAcl });
        if (isTaken) expect(resolve).not.toThrow();
        else expect(resolve).toThrow('a function URL has no web ACL');
        expect(isTaken).toBe(FrontDoor === 'rest-api' || WebAcl !== acl);
      }
    }
    expect(takes({})).toBe(true);
  });

  test('ST-32: the plain template has defaults that its own rules take, and says in words what a value must be', () => {
    for (const [name, parameter] of Object.entries<TemplateParameter>(TEMPLATE_PARAMETERS)) {
      const { AllowedPattern, AllowedValues, Default, ConstraintDescription } = parameter;
      expect(ConstraintDescription, name).toMatch(/^must /);
      if (Default === undefined) continue;
      if (AllowedPattern !== undefined) expect(String(Default), name).toMatch(new RegExp(AllowedPattern));
      if (AllowedValues !== undefined) expect(AllowedValues, name).toContain(Default);
    }
  });

  test.each(VALUES)('ST-32: takes for %s what the CDK app takes, and refuses what it refuses', (name, good, bad) => {
    const pattern = new RegExp(TEMPLATE_PARAMETERS[name].AllowedPattern);
    for (const value of good) expect(value).toMatch(pattern);
    for (const value of bad) expect(value).not.toMatch(pattern);
    const option = name.replace(/^./, (letter) => letter.toLowerCase());
    for (const [values, isTaken] of [
      [good, true],
      [bad, false],
    ] as const) {
      for (const value of values.filter((one) => one !== '')) {
        const context = contextOf(option, value);
        const takes = () => readDeploymentConfig(context, {});
        if (isTaken) expect(takes, value).not.toThrow();
        else expect(takes, value).toThrow();
      }
    }
  });

  test('lists each parameter in its README', () => {
    const readme = readFileSync(join(PROJECT_ROOT, 'dev', 'tools', 'release', 'template-readme.md'), 'utf8');
    for (const [name, { Default = '' }] of Object.entries<TemplateParameter>(TEMPLATE_PARAMETERS)) {
      const row = readme.split('\n').find((line) => line.startsWith('|') && line.includes(`\`${name}\``));
      expect(row, name).toBeDefined();
      expect(row, name).toContain(String(Default));
    }
  });
});

describe('what differs between two syntheses', () => {
  const resource = (Properties: Record<string, unknown>) => ({
    Resources: { One: { Type: 'T', Properties } },
    Outputs: {},
  });

  test('gets a condition at the smallest place that differs', () => {
    const full = resource({ same: 1, list: ['a', 'b', 'c'], inner: { gone: true, other: 1 } });
    const { Resources } = combine(full, [
      { condition: 'First', parts: resource({ same: 1, list: ['a', 'c'], inner: { other: 2 }, more: 'x' }) },
      { condition: 'Second', parts: resource({ same: 1, list: ['a', 'b'], inner: { gone: true, other: 1 } }) },
    ]);
    const none = { Ref: 'AWS::NoValue' };
    expect(Resources.One?.Properties).toEqual({
      same: 1,
      list: ['a', { 'Fn::If': ['First', 'b', none] }, { 'Fn::If': ['Second', 'c', none] }],
      inner: { gone: { 'Fn::If': ['First', true, none] }, other: { 'Fn::If': ['First', 1, 2] } },
      more: { 'Fn::If': ['First', none, 'x'] },
    });
  });

  test('what differs between two syntheses is taken over from two syntheses that both leave something else out, unless it is mixed with that', () => {
    const parts = (One: Record<string, unknown> | undefined, Two: Record<string, unknown> | undefined) => ({
      Resources: { ...(One === undefined ? {} : { One }), ...(Two === undefined ? {} : { Two }) },
      Outputs: {},
    });
    expect(moved(parts({ a: 1 }, { b: 1 }), parts({ a: 1 }, undefined), parts({ a: 2 }, undefined))).toEqual(
      parts({ a: 2 }, { b: 1 }),
    );
    expect(moved(parts({ a: 1 }, { b: 1 }), parts({ a: 1 }, undefined), parts(undefined, undefined))).toEqual(
      parts(undefined, { b: 1 }),
    );
    expect(() => moved(parts({ a: 1 }, undefined), parts({ a: 2 }, undefined), parts({ a: 3 }, undefined))).toThrow(
      'Resources.One differs',
    );
  });

  test('what differs between two syntheses is refused where two of them change the same place, because nobody knows what holds with both', () => {
    const variants = [
      { condition: 'First', parts: resource({ same: 2 }) },
      { condition: 'Second', parts: resource({ same: 3 }) },
    ];
    expect(() => combine(resource({ same: 1 }), variants)).toThrow('First and Second both change it');
  });
});
