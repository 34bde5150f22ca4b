import { Duration, Stack } from 'aws-cdk-lib';
import { AttributeType, TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { type Code, Function as LambdaFunction, Runtime } from 'aws-cdk-lib/aws-lambda';
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import type { Construct } from 'constructs';
// In a project of your own: '@integration-gateway/construct'.
import { addGatewayOutputs, IntegrationGateway, type IntegrationGatewayProps, Provider } from '../../lib/index.ts';

/** What differs from one deployment to the next. */
export interface IndexerStackProps {
  /** Region of the stack; the gateway's table needs it at synth time. */
  readonly region: string;
  /** Bundle of `index-files.ts`. */
  readonly code: Code;
  /**
   * Your OAuth client of Google, and the name of the secret with its client secret.
   * @default - the test credentials of the gateway, which a new gateway does not have
   */
  readonly client?: { readonly clientId: string; readonly secretName: string };
  /** @default - the gateway's own defaults */
  readonly gateway?: IntegrationGatewayProps;
}

/** A gateway, an integration with Drive, and a function that keeps an index of a user's files. */
export class IndexerStack extends Stack {
  constructor(scope: Construct, id: string, { region, code, client, gateway: options = {} }: IndexerStackProps) {
    super(scope, id, { env: { region } });
    const gateway = new IntegrationGateway(this, 'Gateway', { ...options, iamCallers: true });
    addGatewayOutputs(gateway);
    const drive = gateway.addIntegration('drive-index', {
      provider: Provider.GOOGLE_DRIVE,
      scopes: ['drive.readonly'],
      ...(client === undefined
        ? {}
        : {
            clientId: client.clientId,
            clientSecret: Secret.fromSecretNameV2(this, 'ClientSecret', client.secretName),
          }),
    });

    const index = new TableV2(this, 'Index', {
      partitionKey: { name: 'connectionId', type: AttributeType.STRING },
      sortKey: { name: 'fileId', type: AttributeType.STRING },
    });
    const indexer = new LambdaFunction(this, 'Indexer', {
      runtime: Runtime.NODEJS_24_X,
      handler: 'index.handler',
      code,
      timeout: Duration.minutes(5),
      environment: { INDEX_TABLE: index.tableName },
    });
    index.grantWriteData(indexer);
    drive.grantCall(indexer, { allow: ['drive:metadata'], budget: { unitsPerDay: 500_000 } });
  }
}
