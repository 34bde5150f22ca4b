import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { App, Validations } from 'aws-cdk-lib';
import * as z from 'zod';
import { readDeploymentConfig } from './config.ts';
import { GatewayStack } from './gateway-stack.ts';

const CDK_JSON = join(import.meta.dirname, '..', 'cdk.json');

const cdkJsonSchema = z.looseObject({ context: z.record(z.string(), z.unknown()) });

/** How to build the app. */
export interface GatewayAppProps {
  /** Region hints of the CDK command line: `CDK_DEFAULT_REGION`, then `AWS_REGION`. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Check the stack against the AWS Solutions rules; errors stop the synthesis. */
  readonly checkRules: boolean;
  /**
   * Context that overrides cdk.json but not the command line.
   * @default - none
   */
  readonly context?: Readonly<Record<string, unknown>>;
  /**
   * Build the stack with every option at its default, whatever the context contains.
   * @default false
   */
  readonly ignoreOptions?: boolean;
  /**
   * Folder that receives the synthesized assembly.
   * @default - the CDK command line's, else a temporary folder
   */
  readonly outdir?: string;
  /**
   * Folder that holds one bundle per function.
   * @default - dist/lambdas of this project
   */
  readonly bundlesPath?: string;
}

/** The context of cdk.json: feature flags of the CDK, and the deployment's options under `gateway:`. */
export function cdkJsonContext(): Record<string, unknown> {
  return cdkJsonSchema.parse(JSON.parse(readFileSync(CDK_JSON, 'utf8'))).context;
}

/**
 * Builds the CDK app with its one stack, ready for `synth()`.
 *
 * Only the CDK command line reads cdk.json by itself. It is read here so that every other way to synthesize produces the same template.
 * @throws InvalidOptionsError that lists every problem of the deployment options
 */
export async function createGatewayApp(props: GatewayAppProps): Promise<App> {
  const app = new App({
    context: { ...cdkJsonContext(), ...props.context },
    analyticsReporting: false,
    autoSynth: false,
    ...(props.outdir === undefined ? {} : { outdir: props.outdir }),
  });
  if (props.checkRules) {
    // Imported lazily: loading the rules takes longer than the synthesis itself.
    const { AwsSolutionsChecks } = await import('cdk-nag');
    Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
  }
  new GatewayStack(app, {
    config: readDeploymentConfig(props.ignoreOptions === true ? {} : app.node.getAllContext(), props.environment),
    ...(props.bundlesPath === undefined ? {} : { bundlesPath: props.bundlesPath }),
  });
  return app;
}
