import { execFileSync } from 'node:child_process';
import { readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { App } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { describe, expect, it } from 'vitest';
import { ProductStack } from '../../examples/embedded-gateway/product-stack.ts';
import { FUNCTION_NAMES } from '../../lambdas/gateway/contract.ts';
import { resourcesOf, temporaryFolder, writePlaceholderBundles } from './synthesize.ts';

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
    for (const alarm of Object.values(resourcesOf(template, 'AWS::CloudWatch::Alarm'))) {
      expect(alarm.Properties.AlarmActions).toEqual([{ Ref: topic }]);
    }
    template.hasResourceProperties('AWS::Events::Rule', {
      EventPattern: { source: ['integration-gateway'], 'detail-type': ['ConnectionReauthorizationRequired'] },
    });
  });
});

describe('snippets in TypeScript', () => {
  const ROOT = join(import.meta.dirname, '../..');
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
    symlinkSync(join(ROOT, 'node_modules'), join(folder.path, 'node_modules'));
    const { compilerOptions } = JSON.parse(readFileSync(join(ROOT, 'tsconfig.json'), 'utf8'));
    const paths = { '@integration-gateway/construct': [join(ROOT, 'lib/index.ts')] };
    const options = { ...compilerOptions, noUnusedLocals: false, paths };
    writeFileSync(join(folder.path, 'tsconfig.json'), JSON.stringify({ compilerOptions: options, include: ['*.ts'] }));
    writeFileSync(join(folder.path, 'package.json'), '{"type":"module"}');
    execFileSync(join(ROOT, 'node_modules/.bin/tsc'), ['-p', folder.path], { stdio: 'inherit' });
  });
});
