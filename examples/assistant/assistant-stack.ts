import { Duration, Stack } from 'aws-cdk-lib';
import { CfnAgent } from 'aws-cdk-lib/aws-bedrock';
import { PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { type Code, Function as LambdaFunction, Runtime } from 'aws-cdk-lib/aws-lambda';
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import type { Construct } from 'constructs';
// In a project of your own: '@integration-gateway/construct'.
import { addGatewayOutputs, IntegrationGateway, type IntegrationGatewayProps, Provider } from '../../lib/index.ts';

/** What differs from one deployment to the next. */
export interface AssistantStackProps {
  /** Region of the stack; the gateway's table needs it at synth time. */
  readonly region: string;
  /** Bundle of `run-tool.ts`. */
  readonly code: Code;
  /** Inference profile of the agent's model. @default eu.amazon.nova-lite-v1:0 */
  readonly profile?: string;
  /**
   * Your OAuth client of Google, and the name of the secret with its client secret.
   * @default - the test credentials of the gateway, which a new gateway does not have
   */
  readonly client?: { readonly clientId: string; readonly secretName: string };
  /** @default - the gateway's own defaults */
  readonly gateway?: IntegrationGatewayProps;
}

const text = (description: string) => ({ type: 'string', description, required: true });
const TIMES = { from: text('Start, as 2027-03-01T09:00:00Z'), to: text('End, in the same form') };
const TOOLS = [
  { name: 'list_events', description: 'Lists events of a time span', parameters: TIMES },
  { name: 'create_event', description: 'Creates an event', parameters: { ...TIMES, title: text('Title') } },
  { name: 'delete_event', description: 'Deletes an event when approved', parameters: { event_id: text('its id') } },
];

/** A gateway, and a Bedrock agent that reads and writes a user's calendar; a person approves what it deletes. */
export class AssistantStack extends Stack {
  constructor(scope: Construct, id: string, props: AssistantStackProps) {
    const { region, code, client, profile = 'eu.amazon.nova-lite-v1:0' } = props;
    super(scope, id, { env: { region } });
    const gateway = new IntegrationGateway(this, 'Gateway', { ...props.gateway, iamCallers: true });
    addGatewayOutputs(gateway);
    const calendar = gateway.addIntegration('assistant', {
      provider: Provider.GOOGLE_CALENDAR,
      scopes: ['calendar.events'],
      ...(client && {
        clientId: client.clientId,
        clientSecret: Secret.fromSecretNameV2(this, 'ClientSecret', client.secretName),
      }),
    });

    const tools = new LambdaFunction(this, 'Tools', {
      ...{ runtime: Runtime.NODEJS_24_X, handler: 'index.handler', code },
      timeout: Duration.seconds(30),
    });
    calendar.grantCall(tools, {
      allow: ['calendar.events.list', 'calendar.events.insert', 'calendar.events.delete'],
      approve: ['delete', 'invite'],
      budget: { callsPerDay: 2_000 },
    });

    const bedrock = new ServicePrincipal('bedrock.amazonaws.com', {
      conditions: { StringEquals: { 'aws:SourceAccount': this.account } },
    });
    const role = new Role(this, 'AgentRole', { assumedBy: bedrock });
    // A profile passes a call on to the model in another region, which the role has to be allowed, too.
    const resources = [
      `arn:${this.partition}:bedrock:${region}:${this.account}:inference-profile/${profile}`,
      `arn:${this.partition}:bedrock:*::foundation-model/${profile.replace(/^[a-z]+\./, '')}`,
    ];
    const actions = ['bedrock:InvokeModel', 'bedrock:GetInferenceProfile'];
    role.addToPolicy(new PolicyStatement({ actions, resources }));
    const agent = new CfnAgent(this, 'Agent', {
      agentName: `${id}-calendar`,
      agentResourceRoleArn: role.roleArn,
      foundationModel: profile,
      autoPrepare: true,
      instruction:
        'You manage the calendar of one user. Look before you write. Pass addresses of approvals on unchanged.',
      actionGroups: [
        {
          actionGroupName: 'calendar',
          actionGroupExecutor: { lambda: tools.functionArn },
          functionSchema: { functions: TOOLS },
        },
      ],
    });
    tools.addPermission('Bedrock', {
      principal: new ServicePrincipal('bedrock.amazonaws.com'),
      sourceArn: agent.attrAgentArn,
    });
  }
}
