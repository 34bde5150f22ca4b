import { join } from 'node:path';
import { App } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { describe, expect, it } from 'vitest';
import { ProductStack } from '../../examples/embedded-gateway/product-stack.ts';
import { FUNCTION_NAMES } from '../../lambdas/gateway/contract.ts';
import { resourcesOf, temporaryFolder, writePlaceholderBundles } from './synthesize.ts';

describe('examples/embedded-gateway', () => {
  it('synthesizes a stack of its own with a whole gateway in it', () => {
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
