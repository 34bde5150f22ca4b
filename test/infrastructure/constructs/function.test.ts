import type { Template } from 'aws-cdk-lib/assertions';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { EVERYTHING_ON } from '../../../dev/support/option-samples.ts';
import { flatten, resourcesOf, synthesize } from '../../../dev/support/synthesize.ts';
import { strangerLine } from '../../../lambdas/gateway/calls/call-line.rules.ts';
import { FUNCTION_NAMES } from '../../../lambdas/gateway/core/contract.ts';
import { resolveGatewayOptions } from '../../../lib/gateway-options.ts';

const NAMES = ['Proxy', 'OAuthCallback', 'Connect', 'Management', 'Refresh'] as const;
type Name = (typeof NAMES)[number] | 'Deliver' | 'Grants' | 'Mcp';

const functionSchema = z.looseObject({
  Environment: z.object({ Variables: z.record(z.string(), z.unknown()) }),
});

function functionOf(template: Template, name: Name): z.output<typeof functionSchema> {
  const found = Object.entries(resourcesOf(template, 'AWS::Lambda::Function')).find(
    ([logicalId]) => flatten({ Ref: logicalId }) === `<Gateway${name}Function>`,
  );
  return functionSchema.parse(found?.[1].Properties);
}

function environmentOf(template: Template, name: Name): Record<string, string> {
  const { Variables } = functionOf(template, name).Environment;
  return Object.fromEntries(Object.entries(Variables).map(([key, value]) => [key, flatten(value)]));
}

const WITHOUT_SECRETS = {
  TABLE_NAME: '<GatewayDataTable>',
  BASE_URL: 'https://<GatewayApi>.execute-api.us-east-1.<AWS::URLSuffix>/v1',
  TOKEN_KEY_ARN: '<GatewayTokenKey.Arn>',
  METRIC_NAMESPACE: 'IntegrationGateway/IntegrationGateway',
  // Empty: the addresses of the definition.
  GOOGLE_ISSUER: '',
  GOOGLE_AUTHORIZATION_ENDPOINT: '',
  GOOGLE_TOKEN_ENDPOINT: '',
  GOOGLE_REVOCATION_ENDPOINT: '',
  GOOGLE_USERINFO_ENDPOINT: '',
  GOOGLE_JWKS_URI: '',
  GOOGLE_API_BASE_URL: '',
  GOOGLE_TOKEN_EXCHANGE_ENDPOINT: '',
  GOOGLE_SERVICE_ACCOUNTS_ENDPOINT: '',
  GOOGLE_DRIVE_ACTIVITY_BASE_URL: '',
  GOOGLE_CALDAV_BASE_URL: '',
  GOOGLE_DRIVE_MCP_ENDPOINT: '',
  GOOGLE_CALENDAR_MCP_ENDPOINT: '',
};
/** What functions know that read client secrets. */
const COMMON_ENVIRONMENT = {
  ...WITHOUT_SECRETS,
  SECRET_PREFIX: 'IntegrationGateway',
  GOOGLE_DRIVE_TEST_CREDENTIALS_NAME: 'IntegrationGateway/test-credentials/google-drive',
  GOOGLE_CALENDAR_TEST_CREDENTIALS_NAME: 'IntegrationGateway/test-credentials/google-calendar',
};

const DASHBOARD_ORIGIN = 'https://<GatewayDashboardSiteDistribution.DomainName>';
const CONNECT_ENVIRONMENT = { CONNECT_ALLOWED_ORIGINS: '', CONNECT_RETURN_URLS: '', DASHBOARD_ORIGIN };
const BRAND = { CONNECT_APP_NAME: '', CONNECT_LOGO: '', CONNECT_ACCENT: '' };
/** Of every function that computes due times. */
const REFRESH_POLICY = {
  REFRESH_AHEAD: 'recently-used',
  REFRESH_ACTIVE_WINDOW_SEC: '86400',
  REFRESH_KEEP_ALIVE_SEC: '2592000',
};
const CALL_LIMITS = {
  CALLS_PER_MINUTE_PER_KEY: '30000',
  CALLS_PER_MINUTE_PER_CONNECTION: '12000',
  WRONG_KEYS_PER_MINUTE_PER_ADDRESS: '60',
};
const CALL_LOG = { CALL_LOG: 'errors', CALL_LOG_TABLE_NAME: '<GatewayCallLogTable>', CALL_LOG_RETENTION_DAYS: '7' };
const JOURNAL = { JOURNAL_TABLE_NAME: '<GatewayJournalTable>' };
const OPERATOR_ENVIRONMENT = {
  OPERATOR_ISSUER: '<GatewayDashboardSignInOperators.ProviderURL>',
  OPERATOR_CLIENT_ID: '<GatewayDashboardSignInOperatorsDashboard>',
  OPERATOR_MFA: 'required',
};

const template = await synthesize();
const everything = await synthesize(EVERYTHING_ON);

describe('GatewayFunction', () => {
  it.each([
    ['Proxy', 900, 384],
    ['OAuthCallback', 15, 1024],
    ['Connect', 15, 1024],
    ['Management', 15, 1024],
    ['Refresh', 300, 1024],
  ] as const)('%s runs Node 24 on arm64 for %i seconds with %i MB, without traces', (name, Timeout, MemorySize) => {
    const { TracingConfig, ...properties } = functionOf(template, name);
    expect(TracingConfig, 'unless asked to').toBeUndefined();
    expect(properties).toMatchObject({
      Timeout,
      MemorySize,
      Runtime: 'nodejs24.x',
      Architectures: ['arm64'],
      Handler: 'index.handler',
      LoggingConfig: { LogFormat: 'JSON', LogGroup: { Ref: expect.stringMatching(`^Gateway${name}Logs`) } },
      Role: { 'Fn::GetAtt': [expect.stringMatching(`^Gateway${name}Role`), 'Arn'] },
    });
  });

  it('BK-21: keeps the level of the lines that calls are counted from in the log of the proxy', () => {
    const line = z.looseObject({ level: z.string() }).parse(JSON.parse(strangerLine({ endedAtMs: 0, totalMs: 0 })));
    expect(functionOf(template, 'Proxy')).toMatchObject({
      LoggingConfig: { ApplicationLogLevel: line.level, SystemLogLevel: 'WARN' },
    });
  });

  it.each([
    [
      'Proxy',
      {
        ...REFRESH_POLICY,
        ...CALL_LIMITS,
        ...CALL_LOG,
        ...JOURNAL,
        AGENT_SIGN_IN: '',
        AGENTS_OVER_REST: 'allow',
        APPROVERS: 'both',
        LONG_CALLS_PER_KEY: '300',
        LONG_CALLS_PER_CONNECTION: '100',
      },
    ],
    ['OAuthCallback', { ...CONNECT_ENVIRONMENT, ...BRAND, ...REFRESH_POLICY }],
    [
      'Grants',
      {
        ...CONNECT_ENVIRONMENT,
        ...OPERATOR_ENVIRONMENT,
        ...REFRESH_POLICY,
        ...CALL_LIMITS,
        ...CALL_LOG,
        ...JOURNAL,
        AGENT_SIGN_IN: '',
        AGENTS_OVER_REST: 'allow',
        APPROVERS: 'both',
        CLIENT_SECRETS: 'secrets-manager',
        FEED_SHARE_PERCENT: '20',
        WEBHOOKS_TO_LOOPBACK: 'false',
      },
    ],
    [
      'Refresh',
      {
        ...REFRESH_POLICY,
        CALL_LOG_TABLE_NAME: CALL_LOG.CALL_LOG_TABLE_NAME,
        ...JOURNAL,
        FIRST_SECRET_KEY_ARN: '<GatewaySecretsFirstSecretKey>',
      },
    ],
  ] as const)('%s knows names and addresses only, and no secret', (name, own) => {
    expect(environmentOf(template, name)).toEqual({ ...COMMON_ENVIRONMENT, ...own });
  });

  it('TB-1: Management knows no name of a secret', () => {
    expect(environmentOf(template, 'Management')).toEqual({
      ...WITHOUT_SECRETS,
      ...CONNECT_ENVIRONMENT,
      ...OPERATOR_ENVIRONMENT,
      ...REFRESH_POLICY,
      ...CALL_LIMITS,
      ...CALL_LOG,
      AGENT_SIGN_IN: '',
      AGENTS_OVER_REST: 'allow',
      APPROVERS: 'both',
      WEBHOOKS_TO_LOOPBACK: 'false',
    });
  });

  it('TB-1: Connect knows no name of a secret', () => {
    expect(environmentOf(template, 'Connect')).toEqual({
      ...WITHOUT_SECRETS,
      ...CONNECT_ENVIRONMENT,
      ...BRAND,
    });
  });

  it('WH-11: Deliver knows no Google, no secret and no way to call this computer', () => {
    expect(environmentOf(template, 'Deliver')).toEqual({
      TABLE_NAME: COMMON_ENVIRONMENT.TABLE_NAME,
      BASE_URL: COMMON_ENVIRONMENT.BASE_URL,
      TOKEN_KEY_ARN: COMMON_ENVIRONMENT.TOKEN_KEY_ARN,
      METRIC_NAMESPACE: COMMON_ENVIRONMENT.METRIC_NAMESPACE,
      DASHBOARD_ORIGIN,
      WEBHOOKS_TO_LOOPBACK: 'false',
    });
  });

  it('takes addresses of Google, the looks and origins of the connect page and the namespace from the options', () => {
    expect(environmentOf(everything, 'Connect')).toEqual({
      ...WITHOUT_SECRETS,
      BASE_URL: 'https://gateway.example.com',
      // Its own, so that two gateways in one region do not mix their counts.
      METRIC_NAMESPACE: 'IntegrationGateway/Second-Gateway',
      GOOGLE_TOKEN_ENDPOINT: 'https://google.example/token',
      GOOGLE_CALDAV_BASE_URL: 'https://dav.example',
      GOOGLE_DRIVE_ACTIVITY_BASE_URL: 'https://activity.example',
      CONNECT_ALLOWED_ORIGINS: 'https://app.example.com,http://localhost:5173',
      CONNECT_RETURN_URLS: 'https://app.example.com/done?from=gateway',
      CONNECT_APP_NAME: 'Example CRM',
      CONNECT_LOGO: 'image/svg+xml',
      CONNECT_ACCENT: '#7b1fa2 #691a8a #ffffff,#ab70c3 #b885cc #111111',
      DASHBOARD_ORIGIN,
    });
  });

  it.each(['Proxy', 'OAuthCallback', 'Management', 'Refresh'] as const)(
    '%s computes due times by the policy of the options',
    (name) => {
      expect(environmentOf(everything, name)).toMatchObject({
        REFRESH_AHEAD: 'always',
        REFRESH_ACTIVE_WINDOW_SEC: '2592000',
        REFRESH_KEEP_ALIVE_SEC: '86400',
      });
    },
  );

  it('takes the limits of calls from the options, 0 for none (DS-2)', () => {
    expect(environmentOf(everything, 'Proxy')).toMatchObject({
      CALLS_PER_MINUTE_PER_KEY: '0',
      CALLS_PER_MINUTE_PER_CONNECTION: '0',
      WRONG_KEYS_PER_MINUTE_PER_ADDRESS: '0',
      LONG_CALLS_PER_KEY: '0',
      LONG_CALLS_PER_CONNECTION: '5',
    });
  });

  it('DS-8: keeps executions for a function where the deployment says so, and for none by itself', () => {
    const kept = (template: Template) => NAMES.map((name) => functionOf(template, name).ReservedConcurrentExecutions);
    expect(kept(template)).toEqual(NAMES.map(() => undefined));
    expect(kept(everything)).toEqual([500, 20, 20, 50, 64]);
  });

  it.each([
    [{ reservedConcurrency: { proxy: 1 }, provisionedConcurrency: 2 }, /reservedConcurrency\.proxy/],
    [{ reservedConcurrency: { refresh: 1 }, refreshSlices: 2 }, /reservedConcurrency\.refresh/],
    [{ reservedConcurrency: { refresh: 0 } }, /reservedConcurrency\.refresh/],
    [{ reservedConcurrency: { other: 1 } }, /reservedConcurrency\.other/],
    [{ reservedConcurrency: { mcp: 9 } }, /reservedConcurrency\.mcp: must be at least 10, half of which may wait/],
  ] as const)('DS-8: refuses %j', async (options, message) => {
    expect(() => resolveGatewayOptions(Object(options))).toThrow(message);
  });

  it('AP-37: keeps executions for assistants, of which waits for people leave half to others', () => {
    expect(resolveGatewayOptions(Object({ reservedConcurrency: { mcp: 10 } })).reservedConcurrency).toEqual({
      mcp: 10,
    });
    expect(functionOf(everything, 'Mcp').ReservedConcurrentExecutions).toBe(10);
  });

  it.each([
    ['', 30],
    [' as the options say', 1],
  ])('keeps logs for a limited time%s', (asSaid, days) => {
    const groups = Object.entries(resourcesOf(asSaid === '' ? template : everything, 'AWS::Logs::LogGroup'));
    const ofFunctions = groups.filter(([logicalId]) => !logicalId.includes('AccessLogs'));
    // The function before tokens comes with a company's sign-in.
    expect(ofFunctions.filter(([logicalId]) => !logicalId.includes('SignInRoles'))).toHaveLength(FUNCTION_NAMES.length);
    expect(new Set(ofFunctions.map(([, { Properties }]) => Properties.RetentionInDays))).toEqual(new Set([days]));
  });

  it('never repeats a refresh event: the next tick does', () => {
    const settings = Object.values(resourcesOf(template, 'AWS::Lambda::EventInvokeConfig'));
    const ofRefresh = settings.find(
      ({ Properties }) => flatten(Properties.FunctionName) === '<GatewayRefreshFunction>',
    );
    expect(ofRefresh?.Properties).toMatchObject({
      MaximumRetryAttempts: 0,
      MaximumEventAgeInSeconds: 60,
    });
  });
});
