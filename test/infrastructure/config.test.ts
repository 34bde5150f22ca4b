import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { OPTION_SAMPLES } from '../../dev/support/option-samples.ts';
import { OPTION_NAMES, readDeploymentConfig } from '../../lib/config.ts';
import { FUNCTION_MEMORY_MB } from '../../lib/function-memory.ts';
import { InvalidOptionsError, resolveGatewayOptions } from '../../lib/gateway-options.ts';

function problemsOf(context: Record<string, unknown>): readonly string[] {
  try {
    readDeploymentConfig(context, {});
  } catch (error) {
    if (error instanceof InvalidOptionsError) return error.problems;
    throw error;
  }
  return [];
}

const certificateArn = 'arn:aws:acm:us-east-1:111122223333:certificate/0a1b2c3d-0000-4000-8000-000000000000';

describe('readDeploymentConfig', () => {
  it('refuses a region that nobody knows with the list of those that are known', () => {
    const [problem = '', ...others] = problemsOf({ 'gateway:region': 'eu-middle-9' });
    expect(others).toEqual([]);
    for (const known of ['eu-central-1', 'ap-southeast-7', 'us-gov-west-1', 'cn-north-1'])
      expect(problem).toContain(known);
    expect(problemsOf({ 'gateway:region': 'ap-southeast-7' })).toEqual([]);
  });

  it('gives every option a default', () => {
    expect(readDeploymentConfig({}, {})).toEqual({
      stackName: 'IntegrationGateway',
      region: 'us-east-1',
      gateway: {
        stageName: 'v1',
        frontDoor: 'rest-api',
        iamCallers: false,
        iamCallerAccounts: [],
        throttleRatePerSec: 1000,
        throttleBurst: 2000,
        callsPerMinutePerKey: 30_000,
        callsPerMinutePerConnection: 12_000,
        longCallsPerKey: 300,
        longCallsPerConnection: 100,
        reservedConcurrency: {},
        wrongKeysPerMinutePerAddress: 60,
        approvers: 'both',
        agentsOverRest: 'allow',
        clientSecrets: 'secrets-manager',
        callLog: 'errors',
        callLogRetentionDays: 7,
        logRetentionDays: 30,
        webAcl: 'none',
        webAclRequestsPerIp: 2000,
        proxyMemoryMb: FUNCTION_MEMORY_MB.proxy,
        provisionedConcurrency: 0,
        tracing: false,
        feedShare: 20,
        dayLimit: 'warn',
        without: [],
        refreshSlices: 1,
        refreshAhead: 'recently-used',
        activeWindowHours: 24,
        keepAliveDays: 30,
        removalPolicy: 'retain',
        connectAllowedOrigins: [],
        connectReturnUrls: [],
        accessLogs: false,
        cloudWatchRole: false,
        dashboard: true,
        operatorMfa: 'required',
        monitoring: true,
        operationsDashboard: false,
        googleEndpoints: {},
        providerEndpoints: {},
      },
    });
  });

  it('leaves context of the CDK alone', () => {
    expect(problemsOf({ '@aws-cdk/core:checkSecretUsage': true, 'cli-telemetry': false })).toEqual([]);
  });

  it('prefers the region of the context to that of the profile, and that to the shell’s', () => {
    const environment = { CDK_DEFAULT_REGION: 'eu-west-1', AWS_REGION: 'eu-north-1' };
    expect(readDeploymentConfig({ 'gateway:region': 'eu-central-1' }, environment).region).toBe('eu-central-1');
    expect(readDeploymentConfig({}, environment).region).toBe('eu-west-1');
    expect(readDeploymentConfig({}, { AWS_REGION: 'eu-north-1' }).region).toBe('eu-north-1');
  });

  it('reads the text of the command line as each option’s type', () => {
    const given: Readonly<Record<string, readonly [text: string, value: unknown]>> = {
      stageName: ['2', '2'],
      refreshSlices: ['8', 8],
      webAcl: ['make', 'make'],
      keepAliveDays: ['7', 7],
      refreshAhead: ['always', 'always'],
      accessLogs: ['true', true],
      dashboard: ['false', false],
      operatorEmail: ['first.operator@example.com', 'first.operator@example.com'],
      operatorDomainPrefix: ['123', '123'],
      connectAllowedOrigins: [
        'https://app.example.com, http://localhost:5173',
        ['https://app.example.com', 'http://localhost:5173'],
      ],
      connectReturnUrls: ['["https://app.example.com/done?a=1"]', ['https://app.example.com/done?a=1']],
      customDomain: [
        JSON.stringify({ domainName: 'gateway.example.com', certificateArn }),
        { domainName: 'gateway.example.com', certificateArn },
      ],
    };
    const context = Object.entries(given).map(([option, [text]]) => [`gateway:${option}`, text]);
    const read = readDeploymentConfig({ ...Object.fromEntries(context), 'gateway:stackName': 'Second' }, {});
    expect(read.stackName).toBe('Second');
    expect(read.gateway).toMatchObject(
      Object.fromEntries(Object.entries(given).map(([option, [, value]]) => [option, value])),
    );
  });

  it('names every problem at once', () => {
    const wrong = {
      'gateway:stackName': '1st',
      'gateway:region': 'Frankfurt',
      'gateway:stageName': 'a/b',
      'gateway:throttleRatePerSec': 0,
      'gateway:logRetentionDays': 2,
      'gateway:refreshSlices': 3,
      'gateway:removalPolicy': 'keep',
      'gateway:accessLogs': 'yes',
      'gateway:retentionDays': 7,
      'gateway:dashboard': 'no',
      'gateway:webAcl': 'all',
      'gateway:webAclRequestsPerIp': 1,
      'gateway:proxyMemoryMb': 128,
      'gateway:provisionedConcurrency': -1,
      'gateway:refreshAhead': 'sometimes',
      'gateway:activeWindowHours': 0,
      'gateway:keepAliveDays': 179,
      'gateway:eventBusArn': 'events',
      'gateway:tracing': 'on',
      'gateway:operatorEmail': 'operator',
      'gateway:operatorDomainPrefix': 'my-aws-gateway',
    };
    const wrongInside = {
      'gateway:connectAllowedOrigins': ['https://app.example.com/'],
      'gateway:connectReturnUrls': 'http://app.example.com/done',
      'gateway:googleEndpoints': { issuer: 'accounts.google.com', revoke: 'x' },
    };
    const problems = problemsOf({ ...wrong, ...wrongInside });
    const places = [
      'connectAllowedOrigins[0]',
      'connectReturnUrls[0]',
      'googleEndpoints.issuer',
      'googleEndpoints.revoke',
    ];
    const named = problems.map((problem) => problem.slice(0, problem.indexOf(': ')));
    expect(named.toSorted()).toEqual([...Object.keys(wrong), ...places.map((place) => `gateway:${place}`)].toSorted());
  });

  it('refuses a certificate of another region in addition to other problems', () => {
    const problems = problemsOf({
      'gateway:region': 'eu-central-1',
      'gateway:customDomain': { domainName: 'gateway.example.com', certificateArn },
      'gateway:accessLogs': 'yes',
    });
    expect(problems).toHaveLength(2);
    expect(problems).toContain('gateway:customDomain.certificateArn: must be in the region of the gateway');
  });

  it('refuses whatever points into another region', () => {
    const problems = problemsOf({
      'gateway:region': 'eu-central-1',
      'gateway:webAcl': 'arn:aws:wafv2:us-east-1:111122223333:regional/webacl/company/0a1b2c3d',
      'gateway:eventBusArn': 'arn:aws:events:us-east-1:111122223333:event-bus/product',
      'gateway:alarmTopicArn': 'arn:aws:sns:us-east-1:111122223333:alarms',
    });
    expect(problems.toSorted()).toEqual([
      'gateway:alarmTopicArn: must be in the region of the gateway',
      'gateway:eventBusArn: must be in the region of the gateway',
      'gateway:webAcl: must be in the region of the gateway',
    ]);
  });

  it('refuses a custom domain without a certificate', () => {
    expect(problemsOf({ 'gateway:customDomain': { domainName: 'gateway.example.com' } })).toEqual([
      expect.stringMatching(/^gateway:customDomain\.certificateArn: /),
    ]);
  });

  it('either reads a value or reports it, whatever it is', () => {
    fc.assert(
      fc.property(
        fc.constantFrom('stageName', 'customDomain', 'refreshSlices', 'connectReturnUrls', 'googleEndpoints', 'region'),
        fc.oneof(fc.string(), fc.json(), fc.anything()),
        (option, value) => {
          expect(Array.isArray(problemsOf({ [`gateway:${option}`]: value }))).toBe(true);
        },
      ),
      { numRuns: 300 },
    );
  });
});

describe('resolveGatewayOptions', () => {
  it.each([
    'https://app.example.com/',
    'https://app.example.com/page',
    'http://app.example.com',
    'https://user@app.example.com',
    'https://APP.example.com',
    'https://app.example.com,https://other.example',
    'app.example.com',
    'null',
    '*',
  ])('refuses %s as an origin', (origin) => {
    expect(() => resolveGatewayOptions({ connectAllowedOrigins: [origin] })).toThrow(/connectAllowedOrigins\[0\]/);
  });

  it.each([
    'http://app.example.com/done',
    'javascript:alert(1)',
    'https://app.example.com/#done',
    'https://a.example/?x=1,2',
    '/done',
  ])('refuses %s as a return URL', (url) => {
    expect(() => resolveGatewayOptions({ connectReturnUrls: [url] })).toThrow(/connectReturnUrls\[0\]/);
  });

  it.each(['Example CRM', 'Größe & Söhne', '例え'])('accepts %s as the name of the app', (connectAppName) => {
    expect(resolveGatewayOptions({ connectAppName })).toMatchObject({ connectAppName });
  });

  it.each(['', ' Example', 'Exam\nple', 'Exam\u202eple', 'x'.repeat(61)])(
    'refuses %j as the name of the app',
    (name) => {
      expect(() => resolveGatewayOptions({ connectAppName: name })).toThrow(/connectAppName: must be 2 to 60/);
    },
  );

  it.each([1, 2, 4, 8, 16, 32, 64])('accepts %i refresh slices', (refreshSlices) => {
    expect(resolveGatewayOptions({ refreshSlices }).refreshSlices).toBe(refreshSlices);
  });

  it('refuses an address of Google with a query', () => {
    expect(() =>
      resolveGatewayOptions({ googleEndpoints: { tokenEndpoint: 'https://google.example/token?x=1' } }),
    ).toThrow(/googleEndpoints\.tokenEndpoint: must not have a query/);
    const providerEndpoints = {
      elsewhere: {},
      google: { revoke: 'https://a.example', api_base_url: 'https://a.example/v1' },
    };
    expect(() => resolveGatewayOptions({ providerEndpoints })).toThrow(
      /providerEndpoints\.elsewhere: must be one of: google[\s\S]*google\.revoke: must be one of[\s\S]*google\.api_base_url: must be an origin/,
    );
  });
});

describe('the options', () => {
  it('the options are all in the table of docs/deploy.md, which names no other', () => {
    const page = readFileSync(join(import.meta.dirname, '../../docs/deploy.md'), 'utf8');
    const rows = [...page.matchAll(/^\| `gateway:(\w+)` \|/gm)].map(([, option]) => option);
    expect(rows.toSorted()).toEqual(OPTION_NAMES.toSorted());
  });

  it.each(Object.entries(OPTION_SAMPLES))('the options have samples that set them: %s', (option, samples) => {
    expect(samples.every((sample) => option in sample)).toBe(true);
    expect(samples.length).toBeGreaterThan(0);
  });
});
