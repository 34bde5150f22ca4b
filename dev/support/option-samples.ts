import { join } from 'node:path';
import { FEATURE_IDS } from '../../lambdas/features/index.ts';
import type { DeploymentOptions } from '../../lib/config.ts';

/** Options given together. */
export type Options = { readonly [Option in keyof DeploymentOptions]?: DeploymentOptions[Option] };

const ACCOUNT = '111122223333';
const regional = (service: string, resource: string) => `arn:aws:${service}:us-east-1:${ACCOUNT}:${resource}`;

const PROXY_DOMAIN = {
  domainName: 'proxy.example.com',
  certificateArn: regional('acm', 'certificate/0a1b2c3d-0000-4000-8000-000000000001'),
};

/**
 * Values of every option that make another template than its default, each with the options it takes effect with. The type
 * asks for an entry here when there is a new option. ARNs are in us-east-1, the region of a synthesis that knows no other.
 */
export const OPTION_SAMPLES: { readonly [Option in keyof Required<DeploymentOptions>]: readonly Options[] } = {
  stackName: [{ stackName: 'Second-Gateway' }],
  region: [{ region: 'us-east-1' }, { region: 'eu-central-1' }, { region: 'ap-southeast-2' }],
  stageName: [{ stageName: 'gateway_2' }],
  customDomain: [
    {
      customDomain: {
        domainName: 'gateway.example.com',
        certificateArn: regional('acm', 'certificate/0a1b2c3d-0000-4000-8000-000000000000'),
      },
    },
  ],
  frontDoor: [{ frontDoor: 'function-url' }],
  proxyDomain: [{ frontDoor: 'function-url', proxyDomain: PROXY_DOMAIN }],
  proxyWebAcl: [
    {
      frontDoor: 'function-url',
      proxyDomain: PROXY_DOMAIN,
      proxyWebAcl: regional('wafv2', 'global/webacl/company/0a1b2c3d-0000-4000-8000-000000000000'),
    },
  ],
  iamCallers: [{ iamCallers: true }],
  without: [{ without: [] }, { without: [...FEATURE_IDS] }],
  iamCallerAccounts: [{ iamCallers: true, iamCallerAccounts: ['444455556666', '000011112222'] }],
  agentSignIn: [
    {
      customDomain: {
        domainName: 'gateway.example.com',
        certificateArn: regional('acm', 'certificate/0a1b2c3d-0000-4000-8000-000000000000'),
      },
      agentSignIn: {
        issuer: 'https://login.example.com/',
        integrations: ['google-drive'],
        audiences: ['https://gateway.example.com/mcp'],
        subjectClaim: 'sub',
        limits: { deny: ['drive.files.copy'], day: { calls: 100 } },
      },
    },
  ],
  throttleRatePerSec: [{ throttleRatePerSec: 40_000 }],
  throttleBurst: [{ throttleBurst: 1 }],
  approvers: [{ approvers: 'operator' }, { approvers: 'end_user' }],
  clientSecrets: [{ clientSecrets: 'table' }],
  agentsOverRest: [{ agentsOverRest: 'refuse' }],
  feedShare: [{ feedShare: 50 }],
  dayLimit: [{ dayLimit: 'stop' }],
  webAcl: [
    { webAcl: 'make' },
    { webAcl: regional('wafv2', 'regional/webacl/company/0a1b2c3d-0000-4000-8000-000000000000') },
  ],
  webAclRequestsPerIp: [
    { webAcl: 'make', webAclRequestsPerIp: 10 },
    { webAcl: 'make', webAclRequestsPerIp: 2_000_000_000 },
  ],
  proxyMemoryMb: [{ proxyMemoryMb: 256 }, { proxyMemoryMb: 1769 }],
  provisionedConcurrency: [{ provisionedConcurrency: 2 }],
  callsPerMinutePerKey: [{ callsPerMinutePerKey: 0 }],
  callsPerMinutePerConnection: [{ callsPerMinutePerConnection: 0 }],
  longCallsPerKey: [{ longCallsPerKey: 0 }],
  longCallsPerConnection: [{ longCallsPerConnection: 5 }],
  reservedConcurrency: [
    { reservedConcurrency: { proxy: 500, management: 50, connect: 20, oauthCallback: 20, refresh: 64, mcp: 10 } },
    { reservedConcurrency: { refresh: 10 } },
  ],
  wrongKeysPerMinutePerAddress: [{ wrongKeysPerMinutePerAddress: 0 }],
  callLog: [{ callLog: 'all' }, { callLog: 'off' }],
  callLogRetentionDays: [{ callLogRetentionDays: 30 }],
  logRetentionDays: [{ logRetentionDays: 1 }, { logRetentionDays: 3653 }],
  refreshSlices: [{ refreshSlices: 64 }, { refreshSlices: 8 }],
  refreshAhead: [{ refreshAhead: 'always' }, { refreshAhead: 'on-use' }],
  activeWindowHours: [{ activeWindowHours: 720 }],
  keepAliveDays: [{ keepAliveDays: 1 }],
  removalPolicy: [{ removalPolicy: 'destroy' }],
  connectAllowedOrigins: [{ connectAllowedOrigins: ['https://app.example.com', 'http://localhost:5173'] }],
  connectReturnUrls: [{ connectReturnUrls: ['https://app.example.com/done?from=gateway'] }],
  connectAppName: [{ connectAppName: 'Example CRM' }],
  connectLogo: [{ connectAppName: 'Example CRM', connectLogo: join(import.meta.dirname, 'logo.svg') }],
  connectAccent: [{ connectAccent: { light: '#7b1fa2' } }, { connectAccent: { light: '#7b1fa2', dark: '#e1bee7' } }],
  accessLogs: [{ accessLogs: true }],
  cloudWatchRole: [{ accessLogs: true, cloudWatchRole: true }, { cloudWatchRole: true }],
  dashboard: [{ dashboard: false }],
  monitoring: [{ monitoring: false }],
  operationsDashboard: [{ operationsDashboard: true }],
  alarmTopicArn: [{ alarmTopicArn: regional('sns', 'alarms') }],
  alarmEmail: [{ alarmEmail: 'on.call@example.com' }],
  eventBusArn: [{ eventBusArn: regional('events', 'event-bus/company/product') }],
  tracing: [{ tracing: true }],
  operatorEmail: [{ operatorEmail: 'first.operator@example.com' }],
  operatorMfa: [{ operatorMfa: 'optional' }],
  operatorIdentityProvider: [
    {
      operatorIdentityProvider: {
        name: 'Company',
        oidc: {
          issuer: 'https://login.example.com',
          clientId: 'gateway-dashboard',
          clientSecretArn: regional('secretsmanager', 'secret:gateway/operators-AbCdEf'),
          clientSecretField: 'client_secret',
        },
        operatorGroups: ['gateway-operators'],
        viewerGroups: ['gateway-viewers'],
        passwords: true,
      },
    },
    {
      operatorIdentityProvider: {
        name: 'Company',
        saml: { metadataUrl: 'https://login.example.com/saml/metadata' },
        emailAttribute: 'http://schemas.xmlsoap.org/ws/2005/05/identity/claims/emailaddress',
        operatorGroups: ['gateway-operators'],
        secondFactor: true,
      },
    },
  ],
  operatorDomainPrefix: [{ operatorDomainPrefix: 'operators' }],
  providerEndpoints: [{ providerEndpoints: { google: { drive_activity_base_url: 'https://activity.example' } } }],
  googleEndpoints: [
    { googleEndpoints: { tokenEndpoint: 'https://google.example/token', calDavBaseUrl: 'https://dav.example' } },
    { googleEndpoints: { issuer: 'https://google.example', apiBaseUrl: 'https://google.example' } },
  ],
};

/** Everything switched on: the first sample of every option, with dashboard and monitoring. */
export const EVERYTHING_ON: Options = {
  ...firstSamples(),
  dashboard: true,
  monitoring: true,
};

/** What an operator may do without, with a web ACL of their own. */
export const LITTLE: Options = {
  dashboard: false,
  operatorEmail: 'first.operator@example.com',
  monitoring: false,
  alarmTopicArn: regional('sns', 'alarms'),
  accessLogs: true,
  webAcl: regional('wafv2', 'regional/webacl/company/0a1b2c3d-0000-4000-8000-000000000000'),
};

/** The first sample of every option. */
export function firstSamples(): Options {
  return Object.assign({}, ...Object.values(OPTION_SAMPLES).map(([first]) => first));
}
