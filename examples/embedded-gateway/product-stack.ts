import { Duration, Stack } from 'aws-cdk-lib';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import { EventBus, Rule } from 'aws-cdk-lib/aws-events';
import { SqsQueue } from 'aws-cdk-lib/aws-events-targets';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import { IntegrationGateway, type IntegrationGatewayProps } from '../../lib/integration-gateway.ts';

/** Where the product runs, and what is special about its gateway. */
export interface ProductStackProps {
  /** Region of the stack; the gateway's table needs it at synth time. */
  readonly region: string;
  /** @default - the gateway's own defaults */
  readonly gateway?: IntegrationGatewayProps;
}

/** A product's own stack with a gateway in it: alarms go to its topic, dead connections to its queue. */
export class ProductStack extends Stack {
  constructor(scope: Construct, id: string, { region, gateway: options = {} }: ProductStackProps) {
    super(scope, id, { env: { region } });
    const gateway = new IntegrationGateway(this, 'Gateway', {
      connectAllowedOrigins: ['https://app.example.com'],
      ...options,
    });

    const alarmTopic = new Topic(this, 'Alarms', { enforceSSL: true });
    for (const alarm of gateway.alarms) alarm.addAlarmAction(new SnsAction(alarmTopic));

    const reconnect = new Queue(this, 'Reconnect', { enforceSSL: true, retentionPeriod: Duration.days(14) });
    new Rule(this, 'DeadConnections', {
      description: 'Connections whose end users have to be asked to connect again',
      eventBus: EventBus.fromEventBusName(this, 'GatewayEvents', gateway.events.busName),
      eventPattern: { source: ['integration-gateway'], detailType: ['ConnectionReauthorizationRequired'] },
      targets: [new SqsQueue(reconnect)],
    });
  }
}
