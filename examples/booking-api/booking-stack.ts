import { CfnOutput, Duration, Stack } from 'aws-cdk-lib';
import { type Code, FunctionUrlAuthType, Function as LambdaFunction, Runtime } from 'aws-cdk-lib/aws-lambda';
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import type { Construct } from 'constructs';
// In a project of your own: '@integration-gateway/construct'.
import { addGatewayOutputs, IntegrationGateway, type IntegrationGatewayProps, Provider } from '../../lib/index.ts';

/** What differs from one deployment to the next. */
export interface BookingStackProps {
  /** Region of the stack; the gateway's table needs it at synth time. */
  readonly region: string;
  /** `booking.py` with the Python client and its dependencies. */
  readonly code: Code;
  /**
   * Connection of the calendar's owner.
   * @default - none yet: deploy, connect the owner, then deploy again with its id
   */
  readonly connectionId?: string;
  /**
   * Your OAuth client of Google, and the name of the secret with its client secret.
   * @default - the test credentials of the gateway, which a new gateway does not have
   */
  readonly client?: { readonly clientId: string; readonly secretName: string };
  /** @default - the gateway's own defaults */
  readonly gateway?: IntegrationGatewayProps;
}

/** A gateway, an integration with Calendar, and a function in Python that books half hours. */
export class BookingStack extends Stack {
  constructor(scope: Construct, id: string, props: BookingStackProps) {
    const { client } = props;
    super(scope, id, { env: { region: props.region } });
    const gateway = new IntegrationGateway(this, 'Gateway', { ...props.gateway, iamCallers: true });
    addGatewayOutputs(gateway);
    const calendar = gateway.addIntegration('booking', {
      provider: Provider.GOOGLE_CALENDAR,
      scopes: ['calendar.events', 'calendar.freebusy'],
      ...(client && {
        clientId: client.clientId,
        clientSecret: Secret.fromSecretNameV2(this, 'ClientSecret', client.secretName),
      }),
    });

    const booking = new LambdaFunction(this, 'Booking', {
      runtime: Runtime.PYTHON_3_13,
      handler: 'booking.handler',
      code: props.code,
      timeout: Duration.seconds(30),
      environment: { INTEGRATION: calendar.uniqueKey, CONNECTION_ID: props.connectionId ?? '' },
    });
    calendar.grantCall(booking, {
      allow: ['calendar.freebusy.query', 'calendar.events.insert'],
      budget: { callsPerMinute: 60 },
    });
    // Callers sign with IAM; put your own sign-in in front of it for a browser.
    const url = booking.addFunctionUrl({ authType: FunctionUrlAuthType.AWS_IAM });
    new CfnOutput(this, 'BookingUrl', { value: url.url });
  }
}
