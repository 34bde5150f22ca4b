import { CfnOutput, Stack } from 'aws-cdk-lib';
import { allProviders } from '../lambdas/gateway/providers/index.ts';
import { pascalCase } from './constructs/gateway-secrets.ts';
import type { IntegrationGateway } from './integration-gateway.ts';

/**
 * Adds the outputs that operators need to the gateway's stack: addresses, the secret with the first key, the bus. The commands `gateway
 * verify` and `gateway upload-dashboard` find a gateway by them.
 */
export function addGatewayOutputs(gateway: IntegrationGateway): void {
  const output = (id: string, value: string, description: string): void => {
    new CfnOutput(Stack.of(gateway), id, { value, description });
  };
  output('BaseUrl', gateway.baseUrl, 'Address of the gateway');
  if (gateway.proxyUrl !== gateway.baseUrl) output('ProxyUrl', gateway.proxyUrl, 'Address of proxied calls');
  output(
    'CallbackUrl',
    gateway.callbackUrl,
    `Authorized redirect URI to register with ${servers().join(' and ')} OAuth clients`,
  );
  output('FirstSecretKeyArn', gateway.secrets.firstSecretKeyArn, 'Secret that holds the first secret key');
  for (const { id, displayName } of allProviders()) {
    const name = gateway.secrets.testCredentialsNames.get(id);
    if (name === undefined) continue;
    output(
      `${pascalCase(id)}TestCredentials`,
      name,
      `Name of the secret for the OAuth client of ${displayName} test connections, made when it is first set`,
    );
  }
  output('EventBusName', gateway.events.busName, 'Event bus that carries lifecycle events');
  output('EventBusArn', gateway.events.busArn, 'The same bus, for rules of other stacks and accounts');
  output('ApiId', gateway.apiId, 'Id of the API, for grantCall in other stacks');
  const { functionArn, role } = gateway.declarations;
  output(
    'DeclaredFunctionArn',
    functionArn,
    'ServiceToken of Custom::GatewayIntegration, GatewayWebhook, GatewayCaller, GatewayKey and GatewayFeed',
  );
  output('DeclaredRoleArn', role.roleArn, 'Role that secrets of such resources are granted to');
  output('AlarmReceiver', alarmReceiver(gateway.alarmReceivers), 'Who is notified when an alarm fires');
  if (gateway.dashboard !== undefined) {
    output('DashboardUrl', gateway.dashboard.site.origin, 'Address of the dashboard');
    output('DashboardBucketName', gateway.dashboard.site.bucketName, 'Bucket that holds the files of the dashboard');
    output('OperatorIssuer', gateway.dashboard.issuer, 'OIDC issuer of operators');
    output('OperatorClientId', gateway.dashboard.clientId, 'Client id of the dashboard at that issuer');
    output('OperatorMfa', gateway.dashboard.operatorMfa, 'Whether operators need a second factor');
    if (gateway.without.length > 0) {
      output('FeaturesLeftOut', gateway.without.join(','), 'Features whose pages the dashboard does not show');
    }
  }
  if (gateway.domainTarget !== undefined) {
    output('DomainTarget', gateway.domainTarget, 'Name that the DNS record of the custom domain points to');
  }
  if (gateway.proxyDomainTarget !== undefined) {
    const description = 'Name that the DNS record of the domain of proxied calls points to';
    output('ProxyDomainTarget', gateway.proxyDomainTarget, description);
  }
}

function alarmReceiver(receivers: readonly string[]): string {
  return receivers.length === 0
    ? 'nobody: set alarmEmail to an address, or alarmTopicArn to an SNS topic'
    : receivers.join(' and ');
}

/** Names of the authorization servers, each once. */
function servers(): readonly string[] {
  return [...new Set(allProviders().map(({ server }) => server.displayName))];
}
