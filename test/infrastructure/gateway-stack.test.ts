import type { Template } from 'aws-cdk-lib/assertions';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { EVERYTHING_ON, LITTLE } from '../../dev/support/option-samples.ts';
import { flatten, resourcesOf, synthesize } from '../../dev/support/synthesize.ts';
import { FUNCTION_NAMES } from '../../lambdas/gateway/core/contract.ts';

/** The types that the local runtime runs or knows it may ignore. */
const KNOWN_TYPES =
  /^AWS::(DynamoDB::GlobalTable|SNS::(Topic|TopicPolicy|Subscription)|Lambda::(Function|Permission|Url|EventInvokeConfig|EventSourceMapping|Version|Alias)|ApiGateway::(RestApi|Resource|Method|Stage|GatewayResponse|Deployment|Account|DomainName|BasePathMapping)|SecretsManager::Secret|KMS::Key|Scheduler::(Schedule|ScheduleGroup)|Events::(EventBus|Rule)|WAFv2::(WebACL|WebACLAssociation)|Cognito::(UserPool|UserPoolClient|UserPoolDomain|UserPoolIdentityProvider|UserPoolUser|ManagedLoginBranding)|S3::(Bucket|BucketPolicy)|SQS::(Queue|QueuePolicy)|CloudFront::(Distribution|OriginAccessControl|ResponseHeadersPolicy|Function)|IAM::(Role|Policy)|Logs::(LogGroup|QueryDefinition)|CloudWatch::(Alarm|CompositeAlarm|Dashboard))$/;

const everythingIn = (region: string) => {
  const { proxyDomain, proxyWebAcl } = EVERYTHING_ON;
  const there = JSON.parse(JSON.stringify(EVERYTHING_ON).replaceAll('us-east-1', region));
  // CloudFront has its certificates and web ACLs in us-east-1.
  return { ...there, proxyDomain, proxyWebAcl };
};

/** Services whose names hold in all regions of an account; S3's even in all accounts of a partition. */
const ACCOUNT_WIDE = /^AWS::(CloudFront|IAM|Route53|S3|GlobalAccelerator|Organizations)::|^AWS::CloudWatch::Dashboard$/;

/** Where resources of those services have their name; none: they have no name, or one that is unique inside another resource. */
const NAME_PROPERTY: Readonly<Record<string, string | undefined>> = {
  'AWS::CloudFront::Distribution': undefined,
  'AWS::CloudFront::Function': 'Name',
  'AWS::CloudFront::OriginAccessControl': 'OriginAccessControlConfig.Name',
  'AWS::CloudFront::ResponseHeadersPolicy': 'ResponseHeadersPolicyConfig.Name',
  'AWS::CloudWatch::Dashboard': 'DashboardName',
  'AWS::IAM::Policy': undefined,
  'AWS::IAM::Role': 'RoleName',
  'AWS::S3::Bucket': 'BucketName',
  'AWS::S3::BucketPolicy': undefined,
};

/** `Type name` of every resource whose name holds account-wide and is not left to CloudFormation, which makes it unique. */
function accountWideNames(template: Template): string[] {
  return Object.values(resourcesOf(template)).flatMap(({ Type, Properties }) => {
    if (!ACCOUNT_WIDE.test(Type)) return [];
    expect(Object.keys(NAME_PROPERTY), 'an account-wide type without a place for its name').toContain(Type);
    const name = NAME_PROPERTY[Type]?.split('.').reduce<unknown>((at, key) => recordSchema.parse(at)[key], Properties);
    return name === undefined ? [] : [`${Type} ${flatten(name)}`];
  });
}

const recordSchema = z.record(z.string(), z.unknown());
const outputsSchema = z.looseObject({ Outputs: z.record(z.string(), z.looseObject({ Value: z.unknown() })) });

function outputsOf(template: Template): Record<string, string> {
  const { Outputs } = outputsSchema.parse(template.toJSON());
  return Object.fromEntries(Object.entries(Outputs).map(([name, { Value }]) => [name, flatten(Value)]));
}

const template = await synthesize();

describe('GatewayStack', () => {
  it('keeps the logical ids of the table, the key and the operators’ pool, so that no update replaces them', () => {
    expect(Object.keys(resourcesOf(template, 'AWS::DynamoDB::GlobalTable'))).toEqual([
      'GatewayDataTableB05F52A6',
      'GatewayCallLogTable0A184368',
      'GatewayJournalTable7BF4A230',
    ]);
    expect(Object.keys(resourcesOf(template, 'AWS::KMS::Key'))).toEqual(['GatewayTokenKeyB115D86C']);
    expect(Object.keys(resourcesOf(template, 'AWS::Cognito::UserPool'))).toEqual([
      'GatewayDashboardSignInOperators62B9D769',
    ]);
  });

  it('holds exactly these resources', () => {
    const inventory = Object.entries(resourcesOf(template))
      .map(([logicalId, { Type }]) => `${Type} ${logicalId.replace(/^(GatewayApiDeployment\w{8})\w{32}$/, '$1<hash>')}`)
      .toSorted();
    expect(inventory).toMatchSnapshot();
  });

  it('GatewayStack has no name that a stack of the same name in another region has as well', async () => {
    const here = accountWideNames(await synthesize(EVERYTHING_ON));
    const there = accountWideNames(await synthesize(everythingIn('ap-southeast-2')));
    expect(here.map((name) => name.split(' ')[0])).toEqual(there.map((name) => name.split(' ')[0]));
    // Response headers, access control and function of the dashboard's site.
    expect(here).toHaveLength(3);
    expect(there.filter((name) => here.includes(name))).toEqual([]);
  });

  it('uses only resource types that the local runtime knows, whatever the options', async () => {
    const everything = await synthesize(EVERYTHING_ON);
    for (const { Type } of [...Object.values(resourcesOf(template)), ...Object.values(resourcesOf(everything))]) {
      expect(Type).toMatch(KNOWN_TYPES);
    }
  });

  it('gives its operator the addresses and the places of the secrets as outputs', () => {
    const baseUrl = 'https://<GatewayApi>.execute-api.us-east-1.<AWS::URLSuffix>/v1';
    expect(outputsOf(template)).toEqual({
      BaseUrl: baseUrl,
      CallbackUrl: `${baseUrl}/oauth/callback`,
      FirstSecretKeyArn: '<GatewaySecretsFirstSecretKey>',
      GoogleDriveTestCredentials: 'IntegrationGateway/test-credentials/google-drive',
      GoogleCalendarTestCredentials: 'IntegrationGateway/test-credentials/google-calendar',
      EventBusName: '<GatewayEventsBus>',
      EventBusArn: '<GatewayEventsBus.Arn>',
      ApiId: '<GatewayApi>',
      DeclaredFunctionArn: '<GatewayDeclaredFunction.Arn>',
      DeclaredRoleArn: '<GatewayDeclaredRole.Arn>',
      AlarmReceiver: 'nobody: set alarmEmail to an address, or alarmTopicArn to an SNS topic',
      DashboardUrl: 'https://<GatewayDashboardSiteDistribution.DomainName>',
      DashboardBucketName: '<GatewayDashboardSiteFiles>',
      OperatorIssuer: '<GatewayDashboardSignInOperators.ProviderURL>',
      OperatorClientId: '<GatewayDashboardSignInOperatorsDashboard>',
      OperatorMfa: 'required',
    });
  });

  it('GatewayStack has no user pool, no site and no operator without a dashboard', async () => {
    const bare = await synthesize(LITTLE);
    const types = Object.values(resourcesOf(bare)).map(({ Type }) => Type);
    expect(types.filter((type) => /Cognito|CloudFront|S3/.test(type))).toEqual([]);
    expect(Object.keys(outputsOf(bare)).filter((name) => /Dashboard|Operator/.test(name))).toEqual([]);
    expect(JSON.stringify(bare.toJSON())).not.toMatch(/OPERATOR_|DASHBOARD_ORIGIN/);
  });

  it('names the features that it leaves out in its outputs, for the dashboard', async () => {
    const without = ['agents', 'undo'];
    expect(outputsOf(await synthesize({ without })).FeaturesLeftOut).toBe('agents,undo');
    expect(outputsOf(await synthesize({ without, dashboard: false })).FeaturesLeftOut).toBeUndefined();
  });

  it('names the custom domain in its outputs and what its DNS record points to', async () => {
    expect(outputsOf(await synthesize(EVERYTHING_ON))).toMatchObject({
      BaseUrl: 'https://gateway.example.com',
      CallbackUrl: 'https://gateway.example.com/oauth/callback',
      DomainTarget: '<GatewayApiDomainName.RegionalDomainName>',
    });
  });

  it('keeps table, key, secrets, logs, operators and the site’s files, and nothing else, when it is deleted', () => {
    const kept = Object.values(resourcesOf(template)).filter(({ DeletionPolicy }) =>
      DeletionPolicy?.startsWith('Retain'),
    );
    expect(kept.map(({ Type, DeletionPolicy }) => `${Type} ${DeletionPolicy}`).toSorted()).toEqual([
      // Under deletion protection: a first deploy that fails could not take them away again.
      'AWS::Cognito::UserPool Retain',
      'AWS::DynamoDB::GlobalTable Retain',
      // What such a deploy has just made costs nobody anything.
      'AWS::KMS::Key RetainExceptOnCreate',
      ...Array(FUNCTION_NAMES.length).fill('AWS::Logs::LogGroup RetainExceptOnCreate'),
      'AWS::S3::Bucket RetainExceptOnCreate',
      'AWS::SecretsManager::Secret RetainExceptOnCreate',
    ]);
    expect(kept.map(({ UpdateReplacePolicy }) => UpdateReplacePolicy)).toEqual(
      Array(FUNCTION_NAMES.length + 5).fill('Retain'),
    );
    const protectedOnes = Object.values(resourcesOf(template)).filter(({ Properties }) =>
      /"DeletionProtection(Enabled":true|":"ACTIVE")/.test(JSON.stringify(Properties)),
    );
    expect(protectedOnes.map(({ DeletionPolicy }) => DeletionPolicy)).toEqual(['Retain', 'Retain']);
  });

  it('deletes all of them when asked to', async () => {
    const disposable = await synthesize(EVERYTHING_ON);
    const retained = Object.entries(resourcesOf(disposable)).filter(([, resource]) =>
      resource.DeletionPolicy?.startsWith('Retain'),
    );
    // Every API of the account writes its logs by this role.
    const ofTheAccount = ['<GatewayApiCloudWatchRole>', '<GatewayApiAccount>'];
    expect(retained.map(([logicalId]) => flatten({ Ref: logicalId }))).toEqual(ofTheAccount);
    disposable.hasResourceProperties('AWS::DynamoDB::GlobalTable', {
      Replicas: [{ DeletionProtectionEnabled: false }],
    });
  });
});
