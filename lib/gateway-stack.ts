import { type App, CfnOutput, Stack } from 'aws-cdk-lib';
import type { DeploymentConfig } from './config.ts';
import { IntegrationGateway } from './integration-gateway.ts';

/** The checked deployment options and the place of the code. */
export interface GatewayStackProps {
  readonly config: DeploymentConfig;
  /**
   * Folder that holds one bundle per function.
   * @default - dist/lambdas of this project
   */
  readonly bundlesPath?: string;
}

/** The stack that `npm run deploy` creates: one gateway, and what its operator has to know as outputs. */
export class GatewayStack extends Stack {
  constructor(scope: App, { config, bundlesPath }: GatewayStackProps) {
    super(scope, config.stackName, {
      description: 'Integration gateway: OAuth connections to Google Drive and Google Calendar',
      // An encrypted global table needs the region at synth time; the account may be any.
      env: { region: config.region },
    });
    const gateway = new IntegrationGateway(this, 'Gateway', {
      ...config.gateway,
      ...(bundlesPath === undefined ? {} : { bundlesPath }),
    });
    this.#output('BaseUrl', gateway.baseUrl, 'Address of the gateway');
    this.#output('CallbackUrl', gateway.callbackUrl, 'Authorized redirect URI to register with Google OAuth clients');
    this.#output('FirstSecretKeyArn', gateway.secrets.firstSecretKeyArn, 'Secret that holds the first secret key');
    this.#output(
      'GoogleDriveTestCredentialsArn',
      gateway.secrets.googleDriveTestCredentialsArn,
      'Secret for the OAuth client of Google Drive test connections',
    );
    this.#output(
      'GoogleCalendarTestCredentialsArn',
      gateway.secrets.googleCalendarTestCredentialsArn,
      'Secret for the OAuth client of Google Calendar test connections',
    );
    this.#output('EventBusName', gateway.events.busName, 'Event bus that carries lifecycle events');
    this.#output('EventBusArn', gateway.events.busArn, 'The same bus, for rules of other stacks and accounts');
    if (gateway.dashboard !== undefined) {
      this.#output('DashboardUrl', gateway.dashboard.site.origin, 'Address of the dashboard');
      this.#output(
        'DashboardBucketName',
        gateway.dashboard.site.bucketName,
        'Bucket that holds the files of the dashboard',
      );
      this.#output('OperatorIssuer', gateway.dashboard.issuer, 'OIDC issuer of operators');
      this.#output('OperatorClientId', gateway.dashboard.clientId, 'Client id of the dashboard at that issuer');
    }
    if (gateway.domainTarget !== undefined) {
      this.#output('DomainTarget', gateway.domainTarget, 'Name that the DNS record of the custom domain points to');
    }
  }

  #output(id: string, value: string, description: string): void {
    new CfnOutput(this, id, { value, description });
  }
}
