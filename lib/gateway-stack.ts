import { type App, Stack } from 'aws-cdk-lib';
import type { DeploymentConfig } from './config.ts';
import { addGatewayOutputs } from './gateway-outputs.ts';
import { IntegrationGateway } from './integration-gateway.ts';

/** The validated deployment options and the location of the code. */
export interface GatewayStackProps {
  readonly config: DeploymentConfig;
  /**
   * Folder that holds one bundle per function.
   * @default - dist/lambdas of this project
   */
  readonly bundlesPath?: string;
}

/** The stack of `npm run deploy`: one gateway, and outputs for its operator. */
export class GatewayStack extends Stack {
  constructor(scope: App, { config, bundlesPath }: GatewayStackProps) {
    super(scope, config.stackName, {
      description: 'Integration gateway: OAuth connections to Google Drive and Google Calendar',
      // An encrypted global table needs the region at synth time; the account may be unknown.
      env: { region: config.region },
    });
    const gateway = new IntegrationGateway(this, 'Gateway', {
      ...config.gateway,
      ...(bundlesPath === undefined ? {} : { bundlesPath }),
    });
    addGatewayOutputs(gateway);
  }
}
