import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { App, RemovalPolicy, Stack } from 'aws-cdk-lib';
import { Match, Template } from 'aws-cdk-lib/assertions';
import { Role, ServicePrincipal, User } from 'aws-cdk-lib/aws-iam';
import { Code, Function as LambdaFunction, Runtime } from 'aws-cdk-lib/aws-lambda';
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import { CfnInclude } from 'aws-cdk-lib/cloudformation-include';
import { describe, expect, it } from 'vitest';
import { resourcesOf, temporaryFolder, writePlaceholderBundles } from '../../dev/support/synthesize.ts';
import { callerKind } from '../../lambdas/declared/caller.ts';
import { integrationKind } from '../../lambdas/declared/integration.ts';
import { webhookKind } from '../../lambdas/declared/webhook.ts';
import { type DeclaringGateway, IntegrationGateway, Provider } from '../../lib/index.ts';

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
  const stack = new Stack(new App(), 'Shop', { env: ENV });
  const gateway = IntegrationGateway.fromAttributes(stack, 'Gateway', { ...OTHER, ...attributes });
  return { stack, gateway };
}

/** A stack with its own gateway. */
function withOwnGateway(work: (stack: Stack, gateway: DeclaringGateway) => void): Template {
  using folder = temporaryFolder();
  const stack = new Stack(new App({ outdir: folder.path }), 'Shop', { env: ENV });
  const bundlesPath = writePlaceholderBundles(folder.path);
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
  it('has its secret by ARN alone, which the function of the gateway may read before it is needed', () => {
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

  it('is left with its connections by RETAIN, and loses them by DESTROY alone', () => {
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
  it('has a secret of the stack for its signing secret, which the function of the gateway may write', () => {
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

describe('the function of declarations', () => {
  it('may ask the management function by a name that API Gateway does not use, and reaches no table, key or secret', () => {
    const template = withOwnGateway(() => {});
    const policies = propertiesOf(template, 'AWS::IAM::Policy').filter(({ Roles }) =>
      JSON.stringify(Roles).includes('GatewayDeclaredRole'),
    );
    const statements = policies.flatMap(({ PolicyDocument }) => Object(PolicyDocument).Statement);
    expect(statements.map(({ Sid }) => Sid)).toEqual(['WriteLogs', 'AskManagement']);
    expect(statements[1]).toMatchObject({
      Action: 'lambda:InvokeFunction',
      Resource: { 'Fn::Join': ['', [expect.anything(), ':$LATEST']] },
    });
  });
});

describe('the plain template of docs/as-code.md', () => {
  it('is a template, and the function reads each of its resources', () => {
    const page = readFileSync(join(import.meta.dirname, '../../docs/as-code.md'), 'utf8');
    const yaml = page.split('```yaml template\n')[1]?.split('\n```')[0] ?? '';
    using folder = temporaryFolder();
    const templateFile = join(folder.path, 'template.yaml');
    writeFileSync(templateFile, yaml);
    const stack = new Stack(new App(), 'Plain', { env: ENV });
    new CfnInclude(stack, 'Template', { templateFile });
    const samples: Readonly<Record<string, string>> = {
      ClientSecretArn: 'arn:aws:secretsmanager:eu-central-1:111122223333:secret:google/drive',
      CrmSigningSecret: 'arn:aws:secretsmanager:eu-central-1:111122223333:secret:crm-AbCdEf',
      'SyncRole.Arn': 'arn:aws:iam::111122223333:role/sync',
      'SyncRole.RoleId': 'AROAEXAMPLEEXAMPLE123',
    };
    const resolved = (_: string, value: unknown): unknown => {
      const { Ref, 'Fn::GetAtt': attribute } = Object(value);
      const name = attribute === undefined ? Ref : [attribute].flat().join('.');
      return typeof name === 'string' ? (samples[name] ?? name) : value;
    };
    const kinds = { Integration: integrationKind, Webhook: webhookKind, Caller: callerKind };
    const read = Object.entries(kinds).map(([name, kind]) => {
      const [properties] = propertiesOf(Template.fromStack(stack), `Custom::Gateway${name}`);
      return kind.read(JSON.parse(JSON.stringify(properties), resolved));
    });
    expect(read).toMatchObject([
      { UniqueKey: 'google-drive', Scopes: ['drive.file'] },
      { Url: 'https://crm.example.com/gateway' },
      { Allow: ['drive:read'], Day: { Units: 500_000 } },
    ]);
  });
});
