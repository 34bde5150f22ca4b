import { ArnFormat, Stack } from 'aws-cdk-lib';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { type ITopic, Subscription, SubscriptionProtocol, Topic } from 'aws-cdk-lib/aws-sns';
import { Construct } from 'constructs';
import { acknowledge } from './acknowledge.ts';

/**
 * A topic of the gateway's own that sends alarms to one address. SNS asks the address to confirm by a link; until then it sends
 * nothing.
 */
export class AlarmEmail extends Construct {
  /** The topic that alarms publish to. */
  readonly topic: ITopic;

  constructor(scope: Construct, id: string, { email }: { readonly email: string }) {
    super(scope, id);
    const topic = new Topic(this, 'Topic', { displayName: 'Integration gateway', enforceSSL: true });
    new Subscription(this, 'Subscription', { topic, protocol: SubscriptionProtocol.EMAIL, endpoint: email });
    const { account } = Stack.of(this);
    const alarms = Stack.of(this).formatArn({
      service: 'cloudwatch',
      resource: 'alarm',
      resourceName: '*',
      arnFormat: ArnFormat.COLON_RESOURCE_NAME,
    });
    // A policy of its own replaces the default one, by which a topic lets everything in its account publish.
    topic.addToResourcePolicy(
      new PolicyStatement({
        sid: 'LetAlarmsTell',
        principals: [new ServicePrincipal('cloudwatch.amazonaws.com')],
        actions: ['sns:Publish'],
        resources: [topic.topicArn],
        conditions: { StringEquals: { 'aws:SourceAccount': account }, ArnLike: { 'aws:SourceArn': alarms } },
      }),
    );
    acknowledge(
      topic,
      'AwsSolutions-SNS2',
      'Alarms cannot tell a topic that AWS’s key for SNS encrypts, and a key of its own costs $1 a month: messages name an alarm and hold no data.',
    );
    this.topic = topic;
  }
}
