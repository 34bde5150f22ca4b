import { execFileSync } from 'node:child_process';
import { readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { App, Stack } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { type IFunction, Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { describe, expect, it } from 'vitest';
import { resourcesOf, temporaryFolder, writePlaceholderBundles } from '../../dev/support/synthesize.ts';
import { ProductStack } from '../../examples/embedded-gateway/product-stack.ts';
import { FUNCTION_NAMES } from '../../lambdas/gateway/core/contract.ts';

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

const ROOT = join(import.meta.dirname, '../..');

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
  it('is the same with CDK and in a template: the type of event, the bus, the function and its permission', async () => {
    const app = new App();
    const stack = new Stack(app, 'Receiver');
    const handler = LambdaFunction.fromFunctionAttributes(stack, 'Function', {
      functionArn: 'arn:aws:lambda:eu-central-1:123456789012:function:receiver',
      sameEnvironment: true,
    });
    using folder = temporaryFolder();
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

  it('of README and documents compile against the construct and the packages they name', { tags: ['long'] }, () => {
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
