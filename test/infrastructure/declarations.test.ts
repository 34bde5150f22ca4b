import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { App, CfnOutput, Duration, RemovalPolicy, Stack } from 'aws-cdk-lib';
import { Match, Template } from 'aws-cdk-lib/assertions';
import { Role, ServicePrincipal, User } from 'aws-cdk-lib/aws-iam';
import { Code, Function as LambdaFunction, Runtime } from 'aws-cdk-lib/aws-lambda';
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import { CfnInclude } from 'aws-cdk-lib/cloudformation-include';
import { describe, expect, it } from 'vitest';
import { resourcesOf, writePlaceholderBundles } from '../../dev/support/synthesize.ts';
import { callerKind } from '../../lambdas/declared/caller.ts';
import { integrationKind } from '../../lambdas/declared/integration.ts';
import { keyKind } from '../../lambdas/declared/key.ts';
import { feedKind } from '../../lambdas/features/feeds/declared-kind.ts';
import { webhookKind } from '../../lambdas/features/webhooks/declared-kind.ts';
import { type DeclaringGateway, IntegrationGateway, Provider } from '../../lib/index.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const ENV = { region: 'eu-central-1' };
const OTHER = {
  baseUrl: 'https://abc123.execute-api.eu-central-1.amazonaws.com/v1',
  declaredFunctionArn: 'arn:aws:lambda:eu-central-1:111122223333:function:declared',
  declaredRoleArn: 'arn:aws:iam::111122223333:role/declared',
  apiId: 'abc123',
};
const DRIVE = { provider: Provider.GOOGLE_DRIVE, scopes: ['drive.file'] };

/** A stack that uses a gateway of another one. */
function shop(attributes: Partial<typeof OTHER> = {}) {
  const stack = new Stack(new App({ outdir: temporaryFolder() }), 'Shop', { env: ENV });
  const gateway = IntegrationGateway.fromAttributes(stack, 'Gateway', { ...OTHER, ...attributes });
  return { stack, gateway };
}

/** A stack with its own gateway. */
function withOwnGateway(work: (stack: Stack, gateway: DeclaringGateway) => void): Template {
  const folder = temporaryFolder();
  const stack = new Stack(new App({ outdir: folder }), 'Shop', { env: ENV });
  const bundlesPath = writePlaceholderBundles(folder);
  work(stack, new IntegrationGateway(stack, 'Gateway', { bundlesPath, iamCallers: true }));
  return Template.fromStack(stack);
}

function functionIn(stack: Stack, id = 'Sync'): LambdaFunction {
  return new LambdaFunction(stack, id, {
    runtime: Runtime.NODEJS_24_X,
    handler: 'index.handler',
    code: Code.fromInline('exports.handler = () => {};'),
  });
}

const propertiesOf = (template: Template, type: string) =>
  Object.values(resourcesOf(template, type)).map(({ Properties }) => Properties);

describe('an integration in a stack', () => {
  it('an integration in a stack has its secret by ARN alone, which the function of the gateway may read before it is needed', () => {
    const template = withOwnGateway((stack, gateway) => {
      const clientSecret = Secret.fromSecretNameV2(stack, 'Client', 'google/drive');
      gateway.addIntegration('google-drive', { ...DRIVE, clientId: '1-a.apps.googleusercontent.com', clientSecret });
    });
    template.hasResource('Custom::GatewayIntegration', {
      Properties: {
        UniqueKey: 'google-drive',
        Provider: 'google-drive',
        ClientId: '1-a.apps.googleusercontent.com',
        ClientSecretArn: Match.anyValue(),
        Scopes: ['drive.file'],
        ServiceTimeout: '900',
      },
      DependsOn: Match.arrayWith([Match.stringLikeRegexp('GatewayDeclaredRoleDefaultPolicy')]),
    });
    template.hasResourceProperties('AWS::IAM::Policy', {
      PolicyDocument: {
        Statement: Match.arrayWith([
          Match.objectLike({ Action: Match.arrayWith(['secretsmanager:GetSecretValue']), Effect: 'Allow' }),
        ]),
      },
      Roles: [{ Ref: Match.stringLikeRegexp('GatewayDeclaredRole') }],
    });
    const declared = JSON.stringify(resourcesOf(template, 'Custom::GatewayIntegration'));
    expect(declared).not.toMatch(/resolve:|GOCSPX|client_secret/);
  });

  it('an integration in a stack is left with its connections by RETAIN, and loses them by DESTROY alone', () => {
    const { stack, gateway } = shop();
    gateway.addIntegration('plain', DRIVE);
    gateway.addIntegration('kept', { ...DRIVE, removalPolicy: RemovalPolicy.RETAIN });
    gateway.addIntegration('gone', { ...DRIVE, removalPolicy: RemovalPolicy.DESTROY });
    const found = Object.values(resourcesOf(Template.fromStack(stack), 'Custom::GatewayIntegration')).map(
      ({ Properties, ...resource }) => [
        Properties.UniqueKey,
        Properties.DeleteConnections,
        'DeletionPolicy' in resource && resource.DeletionPolicy,
      ],
    );
    expect(found).toEqual([
      ['plain', false, 'Delete'],
      ['kept', false, 'Retain'],
      ['gone', true, 'Delete'],
    ]);
  });

  it('takes client id and secret together', () => {
    const { gateway } = shop();
    expect(() => gateway.addIntegration('drive', { ...DRIVE, clientId: '1-a.apps.googleusercontent.com' })).toThrow(
      /clientId and clientSecret go together/,
    );
  });
});

describe('grantCall', () => {
  it('lets a function call the signed paths, registers its role, and sets an environment without a secret', () => {
    const template = withOwnGateway((stack, gateway) => {
      const drive = gateway.addIntegration('google-drive', DRIVE);
      drive.grantCall(functionIn(stack), { allow: ['drive:read'], budget: { unitsPerDay: 500_000 } });
    });
    expect(propertiesOf(template, 'Custom::GatewayCaller')).toEqual([
      {
        ServiceToken: expect.anything(),
        ServiceTimeout: '900',
        RoleArn: { 'Fn::GetAtt': [expect.stringMatching(/^SyncServiceRole/), 'Arn'] },
        RoleId: { 'Fn::GetAtt': [expect.stringMatching(/^SyncServiceRole/), 'RoleId'] },
        Name: 'Shop/Sync/ServiceRole',
        Integrations: ['google-drive'],
        Allow: ['drive:read'],
        Day: { Units: 500_000 },
      },
    ]);
    template.hasResourceProperties('AWS::Lambda::Function', {
      Role: { 'Fn::GetAtt': [Match.stringLikeRegexp('SyncServiceRole'), 'Arn'] },
      Environment: { Variables: { GATEWAY_BASE_URL: Match.anyValue(), GATEWAY_REGION: 'eu-central-1' } },
    });
    template.hasResourceProperties('AWS::IAM::Policy', {
      PolicyDocument: {
        Statement: [
          {
            Action: 'execute-api:Invoke',
            Effect: 'Allow',
            Resource: { 'Fn::Join': ['', Match.arrayWith(['/v1/*/iam/proxy/*'])] },
          },
        ],
      },
      Roles: [{ Ref: Match.stringLikeRegexp('SyncServiceRole') }],
    });
  });

  it('gives a role one caller for all its integrations, also from another stack', () => {
    const { stack, gateway } = shop();
    const role = new Role(stack, 'Job', { assumedBy: new ServicePrincipal('ecs-tasks.amazonaws.com') });
    const budget = { callsPerMinute: 60, bytesPerDay: 1_000_000 };
    gateway.addIntegration('drive', DRIVE).grantCall(role, { allow: ['drive:read'], budget });
    const calendar = { provider: Provider.GOOGLE_CALENDAR, scopes: ['calendar.readonly'] };
    gateway.addIntegration('calendar', calendar).grantCall(role, { allow: ['calendar:read'] });
    expect(propertiesOf(Template.fromStack(stack), 'Custom::GatewayCaller')).toMatchObject([
      {
        Integrations: ['drive', 'calendar'],
        Allow: ['drive:read', 'calendar:read'],
        Minute: { Calls: 60 },
        Day: { Bytes: 1_000_000 },
      },
    ]);
  });

  it('refuses grants that would widen an earlier one, and those that cannot work', () => {
    const { stack, gateway } = shop();
    const fn = functionIn(stack);
    const drive = gateway.addIntegration('drive', DRIVE);
    drive.grantCall(fn, { allow: ['drive:read'], budget: { callsPerDay: 1 } });
    const second = gateway.addIntegration('files', DRIVE);
    expect(() => second.grantCall(fn, { allow: ['drive:write'] })).toThrow(/the methods of one provider/);
    expect(() => second.grantCall(fn, { allow: ['drive:read'], budget: { callsPerDay: 2 } })).toThrow(/budgets/);
    expect(() => second.grantCall(fn, { allow: ['drive:read'], deny: ['drive.files.get'] })).toThrow(/denied methods/);
    expect(() => drive.grantCall(new User(stack, 'User'), { allow: ['drive:read'] })).toThrow(/takes a role/);
    const { apiId: _, ...noApi } = OTHER;
    const closed = IntegrationGateway.fromAttributes(stack, 'Closed', noApi).addIntegration('drive', DRIVE);
    expect(() => closed.grantCall(fn, { allow: ['drive:read'] })).toThrow(/iamCallers: true/);
  });
});

describe('a webhook in a stack', () => {
  it('a webhook in a stack has a secret of the stack for its signing secret, which the function of the gateway may write', () => {
    const { stack, gateway } = shop();
    const receiver = functionIn(stack, 'Receiver');
    const webhook = gateway.addWebhook('crm', {
      url: 'https://crm.example.com/gateway',
      events: ['ConnectionReauthorizationRequired'],
    });
    webhook.signingSecret.grantRead(receiver);
    const template = Template.fromStack(stack);
    const [secret] = Object.keys(resourcesOf(template, 'AWS::SecretsManager::Secret'));
    expect(propertiesOf(template, 'Custom::GatewayWebhook')).toMatchObject([
      {
        ServiceToken: OTHER.declaredFunctionArn,
        Url: 'https://crm.example.com/gateway',
        Events: ['ConnectionReauthorizationRequired'],
        SigningSecretArn: { Ref: secret },
      },
    ]);
    template.hasResourceProperties('AWS::IAM::Policy', {
      PolicyDocument: {
        Statement: Match.arrayWith([
          Match.objectLike({ Action: Match.arrayWith(['secretsmanager:PutSecretValue']), Resource: { Ref: secret } }),
        ]),
      },
      Roles: ['declared'],
    });
  });
});

describe('a secret key in a stack', () => {
  it('a secret key in a stack has a secret of the stack for its text, and is made after the integrations that it names', () => {
    const { stack, gateway } = shop();
    gateway.addIntegration('drive', DRIVE);
    gateway.addIntegration('other', DRIVE);
    const key = gateway.addKey('etl', {
      ...{ allow: ['drive:read'], integrations: ['drive'], budget: { unitsPerDay: 500_000 }, version: '2' },
    });
    key.secret.grantRead(functionIn(stack, 'Etl'));
    const template = Template.fromStack(stack);
    const [secret] = Object.keys(resourcesOf(template, 'AWS::SecretsManager::Secret'));
    const [resource] = Object.values(template.findResources('Custom::GatewayKey'));
    expect(resource?.Properties).toEqual({
      ServiceToken: OTHER.declaredFunctionArn,
      ServiceTimeout: '900',
      SecretArn: { Ref: secret },
      Name: 'Shop/Gateway/etl',
      Version: '2',
      Integrations: ['drive'],
      Allow: ['drive:read'],
      Day: { Units: 500_000 },
    });
    const dependencies: readonly string[] = resource?.DependsOn;
    expect(dependencies.some((id) => id.startsWith('Gatewaydrive'))).toBe(true);
    expect(dependencies.some((id) => id.startsWith('Gatewayother'))).toBe(false);
    template.hasResourceProperties('AWS::IAM::Policy', {
      PolicyDocument: {
        Statement: Match.arrayWith([
          Match.objectLike({ Action: Match.arrayWith(['secretsmanager:PutSecretValue']), Resource: { Ref: secret } }),
        ]),
      },
      Roles: ['declared'],
    });
  });
});

describe('a feed in a stack', () => {
  it('names its connection and resource, and is made after its integration', () => {
    const { stack, gateway } = shop();
    gateway.addIntegration('drive', DRIVE);
    const feed = gateway.addFeed('docs', {
      ...{ integration: 'drive', connectionId: 'service', resource: 'folder:root', delivery: 'pull', meaning: true },
      pollInterval: Duration.minutes(10),
    });
    new CfnOutput(stack, 'FeedId', { value: feed.feedId });
    const template = Template.fromStack(stack);
    const [[logicalId, resource] = []] = Object.entries(template.findResources('Custom::GatewayFeed'));
    expect(resource?.Properties).toEqual({
      ServiceToken: OTHER.declaredFunctionArn,
      ServiceTimeout: '900',
      ...{ Integration: 'drive', ConnectionId: 'service', Resource: 'folder:root', Delivery: 'pull', Meaning: true },
      PollIntervalSec: 600,
    });
    expect(resource?.DependsOn).toEqual([expect.stringMatching(/^Gatewaydrive/)]);
    template.hasOutput('FeedId', { Value: { Ref: logicalId } });
  });
});

describe('resources that name each other in the stack of the gateway', () => {
  it('depend on each other without a circle, which CloudFormation would refuse', () => {
    const template = withOwnGateway((stack, gateway) => {
      const clientSecret = new Secret(stack, 'Client');
      const drive = gateway.addIntegration('drive', { ...DRIVE, clientId: '1-a.apps.example.com', clientSecret });
      const integrations = [drive.uniqueKey];
      const webhook = gateway.addWebhook('crm', { url: 'https://crm.example.com/', integrations });
      const key = gateway.addKey('etl', { allow: ['drive:read'], integrations });
      gateway.addFeed('docs', { integration: drive.uniqueKey, connectionId: 'service', resource: 'drive' });
      const sync = functionIn(stack);
      drive.grantCall(sync, { allow: ['drive:read'] });
      for (const secret of [webhook.signingSecret, key.secret]) secret.grantRead(sync);
    });
    for (const kind of ['Webhook', 'Key', 'Feed', 'Caller']) {
      const [resource] = Object.values(template.findResources(`Custom::Gateway${kind}`));
      expect(resource?.DependsOn).toContainEqual(expect.stringMatching(/^Gatewaydrive/));
    }
  });
});

describe('the function of declarations', () => {
  it('the function of declarations may ask the functions of the management API by a name that API Gateway does not use, and reaches no table, key or secret', () => {
    const template = withOwnGateway(() => {});
    const policies = propertiesOf(template, 'AWS::IAM::Policy').filter(({ Roles }) =>
      JSON.stringify(Roles).includes('GatewayDeclaredRole'),
    );
    const statements = policies.flatMap(({ PolicyDocument }) => Object(PolicyDocument).Statement);
    expect(statements.map(({ Sid }) => Sid)).toEqual(['WriteLogs', 'AskManagement']);
    expect(statements[1]).toMatchObject({
      Action: 'lambda:InvokeFunction',
      Resource: Array(2).fill({ 'Fn::Join': ['', [expect.anything(), ':$LATEST']] }),
    });
  });
});

const KINDS = {
  Integration: integrationKind,
  Webhook: webhookKind,
  Caller: callerKind,
  Key: keyKind,
  Feed: feedKind,
};

/** Resources of a plain template, with sample values of what they refer to, as the gateway's function reads them. */
function readPlain(templateFile: string, kinds: readonly (keyof typeof KINDS)[]): unknown[] {
  const stack = new Stack(new App({ outdir: temporaryFolder() }), 'Plain', { env: ENV });
  new CfnInclude(stack, 'Template', { templateFile });
  const samples: Readonly<Record<string, string>> = {
    ClientSecretArn: 'arn:aws:secretsmanager:eu-central-1:111122223333:secret:google/drive',
    CrmSigningSecret: 'arn:aws:secretsmanager:eu-central-1:111122223333:secret:crm-AbCdEf',
    EtlKeySecret: 'arn:aws:secretsmanager:eu-central-1:111122223333:secret:etl-AbCdEf',
    RoleArn: 'arn:aws:iam::111122223333:role/service',
    'SyncRole.Arn': 'arn:aws:iam::111122223333:role/sync',
    'SyncRole.RoleId': 'AROAEXAMPLEEXAMPLE123',
  };
  const resolved = (_: string, value: unknown): unknown => {
    const { Ref, 'Fn::GetAtt': attribute } = Object(value);
    const name = attribute === undefined ? Ref : [attribute].flat().join('.');
    return typeof name === 'string' ? (samples[name] ?? name) : value;
  };
  const template = Template.fromStack(stack);
  return kinds.map((name) => {
    const [properties] = propertiesOf(template, `Custom::Gateway${name}`);
    return KINDS[name].read(JSON.parse(JSON.stringify(properties), resolved));
  });
}

describe('plain templates', () => {
  const root = join(import.meta.dirname, '../..');

  it('the block of docs/as-code.md is a template, and the function reads each of its resources', () => {
    const page = readFileSync(join(root, 'docs/as-code.md'), 'utf8');
    const folder = temporaryFolder();
    const templateFile = join(folder, 'template.yaml');
    writeFileSync(templateFile, page.split('```yaml template\n')[1]?.split('\n```')[0] ?? '');
    expect(readPlain(templateFile, ['Integration', 'Webhook', 'Caller', 'Key', 'Feed'])).toMatchObject([
      { UniqueKey: 'google-drive', Scopes: ['drive.file'] },
      { Url: 'https://crm.example.com/gateway' },
      { Allow: ['drive:read'], Day: { Units: 500_000 } },
      { Allow: ['drive:metadata'], Integrations: ['google-drive'] },
      { ConnectionId: 'shared-folder', Resource: 'drive' },
    ]);
  });

  it('the SAM example is a template, whose function gets the environment that grantCall sets', () => {
    const templateFile = join(root, 'examples/sam/template.yaml');
    expect(readPlain(templateFile, ['Integration', 'Caller'])).toMatchObject([
      { UniqueKey: 'sam-drive', ClientId: 'ClientId', ClientSecretArn: expect.stringMatching(/^arn:/) },
      { Integrations: ['sam-drive'], Allow: ['drive:metadata'], Day: { Units: 500_000 } },
    ]);
    const stack = new Stack(new App({ outdir: temporaryFolder() }), 'Sam', { env: ENV });
    new CfnInclude(stack, 'Template', { templateFile });
    Template.fromStack(stack).hasResourceProperties('AWS::Serverless::Function', {
      Environment: {
        Variables: { GATEWAY_BASE_URL: { Ref: 'GatewayBaseUrl' }, GATEWAY_REGION: { Ref: 'AWS::Region' } },
      },
    });
  });

  it('the Terraform example is a template, and main.tf passes each of its parameters', () => {
    const folder = join(root, 'examples/terraform');
    expect(readPlain(join(folder, 'gateway.yaml'), ['Integration', 'Caller'])).toMatchObject([
      { UniqueKey: 'terraform-drive' },
      { Integrations: ['terraform-drive'], Allow: ['drive:read'] },
    ]);
    const stack = new Stack(new App({ outdir: temporaryFolder() }), 'Terraform', { env: ENV });
    new CfnInclude(stack, 'Template', { templateFile: join(folder, 'gateway.yaml') });
    const [, passed = ''] = /parameters = \{\n([^}]*)\}/.exec(readFileSync(join(folder, 'main.tf'), 'utf8')) ?? [];
    const names = [...passed.matchAll(/^ +(\w+) +=/gm)].map(([, name]) => name);
    const wanted = Object.keys(Template.fromStack(stack).findParameters('*')).filter(
      (name) => name !== 'BootstrapVersion',
    );
    expect(names.toSorted()).toEqual(wanted.toSorted());
  });
});
