import { execFileSync } from 'node:child_process';
import { cpSync, globSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { App, Stack } from 'aws-cdk-lib';
import { Match, Template } from 'aws-cdk-lib/assertions';
import { Code, type IFunction, Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { describe, expect, it } from 'vitest';
import { resourcesOf, temporaryFolder, writePlaceholderBundles } from '../../dev/support/synthesize.ts';
import { AssistantStack } from '../../examples/assistant/assistant-stack.ts';
import { BookingStack } from '../../examples/booking-api/booking-stack.ts';
import { ProductStack } from '../../examples/embedded-gateway/product-stack.ts';
import { FUNCTION_NAMES } from '../../lambdas/gateway/core/contract.ts';

const ROOT = join(import.meta.dirname, '../..');
const OUTPUTS = ['BaseUrl', 'ApiId', 'DeclaredFunctionArn', 'DeclaredRoleArn'];

describe('examples/embedded-gateway', () => {
  it('synthesizes a stack of its own with a whole gateway in it', { tags: ['long'] }, () => {
    using folder = temporaryFolder();
    const app = new App({ outdir: join(folder.path, 'assembly') });
    const stack = new ProductStack(app, 'Product', {
      region: 'eu-central-1',
      gateway: { bundlesPath: writePlaceholderBundles(folder.path) },
    });
    const template = Template.fromStack(stack);
    expect(Object.keys(resourcesOf(template, 'AWS::Lambda::Function'))).toHaveLength(FUNCTION_NAMES.length);

    const [topic] = Object.keys(resourcesOf(template, 'AWS::SNS::Topic'));
    const alarms = ['AWS::CloudWatch::Alarm', 'AWS::CloudWatch::CompositeAlarm'].flatMap((type) =>
      Object.values(resourcesOf(template, type)),
    );
    // Those that listen for silence leave telling to the alarm of silence.
    const telling = alarms.filter(({ Properties }) => Properties.TreatMissingData !== 'breaching');
    expect(telling.length).toBe(alarms.length - 4);
    for (const { Properties } of telling) expect(Properties.AlarmActions).toEqual([{ Ref: topic }]);
    template.hasResourceProperties('AWS::Events::Rule', {
      EventPattern: { source: ['integration-gateway'], 'detail-type': ['ConnectionReauthorizationRequired'] },
    });
  });
});

describe('examples/booking-api', () => {
  it('lets a Python function make two methods, with no secret in its environment, in at most 120 lines', () => {
    using folder = temporaryFolder();
    const code = join(folder.path, 'code');
    cpSync(join(ROOT, 'examples/booking-api'), code, { recursive: true });
    const stack = new BookingStack(new App({ outdir: join(folder.path, 'assembly') }), 'Booking', {
      ...{ region: 'eu-central-1', code: Code.fromAsset(code), connectionId: 'owner' },
      client: { clientId: 'client.apps', secretName: 'google/booking' },
      gateway: { bundlesPath: writePlaceholderBundles(folder.path) },
    });
    const template = Template.fromStack(stack);
    template.hasResourceProperties('Custom::GatewayIntegration', {
      ClientId: 'client.apps',
      ClientSecretArn: { 'Fn::Join': ['', Match.arrayWith([Match.stringLikeRegexp(':secret:google/booking$')])] },
    });
    template.hasResourceProperties('Custom::GatewayCaller', {
      Integrations: ['booking'],
      Allow: ['calendar.freebusy.query', 'calendar.events.insert'],
      Minute: { Calls: 60 },
    });
    // What the README, other stacks and the command line read.
    expect(Object.keys(template.findOutputs('*'))).toEqual(expect.arrayContaining(OUTPUTS));
    const functions = Object.values(resourcesOf(template, 'AWS::Lambda::Function'));
    const [booking, ...others] = functions.filter(({ Properties }) => Properties.Runtime === 'python3.13');
    expect(others).toEqual([]);
    expect(booking?.Properties.Environment).toEqual({
      Variables: {
        ...{ INTEGRATION: 'booking', CONNECTION_ID: 'owner' },
        ...{ GATEWAY_BASE_URL: expect.anything(), GATEWAY_REGION: 'eu-central-1' },
      },
    });
  });
});

describe('examples/assistant', () => {
  it('lets the agent use its model through the inference profile of the region, and only that model', () => {
    using folder = temporaryFolder();
    const code = join(folder.path, 'code');
    cpSync(join(ROOT, 'examples/assistant'), code, { recursive: true });
    const stack = new AssistantStack(new App({ outdir: join(folder.path, 'assembly') }), 'Assistant', {
      ...{ region: 'eu-central-1', code: Code.fromAsset(code) },
      client: { clientId: 'client.apps', secretName: 'google/assistant' },
      gateway: { bundlesPath: writePlaceholderBundles(folder.path) },
    });
    const template = Template.fromStack(stack);
    template.hasResourceProperties('Custom::GatewayIntegration', { ClientId: 'client.apps' });
    expect(Object.keys(template.findOutputs('*'))).toEqual(expect.arrayContaining(OUTPUTS));
    template.hasResourceProperties('AWS::Bedrock::Agent', { FoundationModel: 'eu.amazon.nova-lite-v1:0' });
    const statement = JSON.stringify(
      Object.values(resourcesOf(template, 'AWS::IAM::Policy')).filter(({ Properties }) =>
        JSON.stringify(Properties).includes('bedrock:InvokeModel'),
      ),
    );
    expect(statement).toContain(':inference-profile/eu.amazon.nova-lite-v1:0');
    expect(statement).toContain(':bedrock:*::foundation-model/amazon.nova-lite-v1:0');
  });
});

describe('the CDK apps that examples/README.md names first', () => {
  it.each(['indexer', 'booking-api', 'assistant'])('%s has at most 120 lines, and a README', (name) => {
    const folder = join(ROOT, 'examples', name);
    const lines = globSync('*.{ts,py}', { cwd: folder })
      .filter((path) => /app\.ts|-stack\.ts/.test(path))
      .map((path) => readFileSync(join(folder, path), 'utf8').trimEnd().split('\n').length);
    expect(lines).toHaveLength(2);
    expect(lines.reduce((sum, one) => sum + one, 0)).toBeLessThanOrEqual(120);
    expect(readFileSync(join(ROOT, 'examples/README.md'), 'utf8')).toContain(`(${name}/README.md)`);
  });
});

/** A block of docs/events.md by its info. */
function eventsBlock(info: string): string {
  const [, code] = readFileSync(join(ROOT, 'docs/events.md'), 'utf8').split(`\n\`\`\`${info}\n`);
  if (code === undefined) throw new Error(`docs/events.md has no block ${info}`);
  return code.split('\n```')[0] ?? '';
}

/** The rule of docs/events.md as a module: what the snippet names, as parameters. */
function ruleModule(): string {
  const lines = eventsBlock('ts rule').split('\n');
  const imports = lines.filter((line) => line.startsWith('import '));
  const rest = lines.filter((line) => !line.startsWith('import '));
  return [
    ...imports,
    "import type { Stack } from 'aws-cdk-lib';",
    "import type { IFunction } from 'aws-cdk-lib/aws-lambda';",
    'export function addRule(stack: Stack, eventBusName: string, handler: IFunction): void {',
    ...rest,
    '}',
  ].join('\n');
}

describe('the rule of docs/events.md', () => {
  it('the rule of docs/events.md is the same with CDK and in a template: the type of event, the bus, the function and its permission', async () => {
    using folder = temporaryFolder();
    const app = new App({ outdir: join(folder.path, 'assembly') });
    const stack = new Stack(app, 'Receiver');
    const handler = LambdaFunction.fromFunctionAttributes(stack, 'Function', {
      functionArn: 'arn:aws:lambda:eu-central-1:123456789012:function:receiver',
      sameEnvironment: true,
    });
    const path = join(folder.path, 'rule.ts');
    writeFileSync(path, ruleModule());
    symlinkSync(join(ROOT, 'node_modules'), join(folder.path, 'node_modules'));
    const module: { addRule(stack: Stack, eventBusName: string, handler: IFunction): void } = await import(path);
    module.addRule(stack, 'events-of-the-gateway', handler);
    const resources: Record<string, { Type: string; Properties: Record<string, unknown> }> = JSON.parse(
      eventsBlock('json resources'),
    );
    const template = Template.fromStack(stack);
    const types = Object.values(template.toJSON().Resources).map((one) => (one as { Type: string }).Type);
    expect(types.sort()).toEqual(
      Object.values(resources)
        .map(({ Type }) => Type)
        .sort(),
    );
    for (const { Type, Properties } of Object.values(resources)) {
      const [made] = Object.values(resourcesOf(template, Type));
      expect(Object.keys(made?.Properties ?? {})).toEqual(expect.arrayContaining(Object.keys(Properties)));
    }
    const [rule] = Object.values(resourcesOf(template, 'AWS::Events::Rule'));
    expect(rule?.Properties).toMatchObject({
      EventBusName: 'events-of-the-gateway',
      EventPattern: resources.DeadConnections?.Properties.EventPattern,
    });
    // References of the template lead to each other.
    expect(JSON.stringify(resources.DeadConnectionsPermission)).toContain('["DeadConnections","Arn"]');
  });
});

describe('snippets in TypeScript', () => {
  const AROUND: Readonly<Record<string, string>> = {
    'lib/README.md': '',
    'docs/from-nango.md': '',
    'docs/deploy.md': `import type { Stack } from 'aws-cdk-lib';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
declare const stack: Stack;
declare const topic: ITopic;
`,
  };

  it('snippets in TypeScript of README and documents compile against the construct and the packages they name', {
    tags: ['long'],
  }, () => {
    using folder = temporaryFolder();
    for (const [document, around] of Object.entries(AROUND)) {
      const [, code = ''] = /^```ts\n([\s\S]*?)^```$/m.exec(readFileSync(join(ROOT, document), 'utf8')) ?? [];
      expect(code, document).toContain('import');
      writeFileSync(join(folder.path, `${document.replaceAll(/\W/g, '-')}.ts`), around + code);
    }
    writeFileSync(join(folder.path, 'events-receiver.ts'), eventsBlock('ts receiver.ts'));
    writeFileSync(join(folder.path, 'events-handler.ts'), eventsBlock('ts handler'));
    writeFileSync(join(folder.path, 'events-rule.ts'), ruleModule());
    symlinkSync(join(ROOT, 'node_modules'), join(folder.path, 'node_modules'));
    const { compilerOptions } = JSON.parse(readFileSync(join(ROOT, 'tsconfig.json'), 'utf8'));
    const paths = {
      '@integration-gateway/construct': [join(ROOT, 'lib/index.ts')],
      '@integration-gateway/client': [join(ROOT, 'packages/client/src/index.ts')],
    };
    const options = { ...compilerOptions, noUnusedLocals: false, paths };
    writeFileSync(join(folder.path, 'tsconfig.json'), JSON.stringify({ compilerOptions: options, include: ['*.ts'] }));
    writeFileSync(join(folder.path, 'package.json'), '{"type":"module"}');
    execFileSync(join(ROOT, 'node_modules/.bin/tsc'), ['-p', folder.path], { stdio: 'inherit' });
  });
});
