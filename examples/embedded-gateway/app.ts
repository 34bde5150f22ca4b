import { App } from 'aws-cdk-lib';
import { ProductStack } from './product-stack.ts';

new ProductStack(new App(), 'Product', { region: process.env.CDK_DEFAULT_REGION ?? 'eu-central-1' });
