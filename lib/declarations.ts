import { Arn, CustomResource, Duration, Lazy, RemovalPolicy, Stack } from 'aws-cdk-lib';
import { Grant, type IGrantable, type IPrincipal, type IRole, Role } from 'aws-cdk-lib/aws-iam';
import { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { type ISecret, Secret } from 'aws-cdk-lib/aws-secretsmanager';
import { Construct, type IDependable } from 'constructs';
import { ENVIRONMENT } from '../lambdas/gateway/core/contract.ts';
import type { ProviderId } from '../lambdas/gateway/providers/provider.rules.ts';
import { acknowledge } from './constructs/acknowledge.ts';
import type { GatewayFunction } from './constructs/function.ts';
import { signedCallsArn } from './constructs/rest-api.ts';

/** CloudFormation gives a resource up after this; the function ends and is repeated within it. */
const SERVICE_TIMEOUT = Duration.minutes(15);

/** Providers of integrations. */
export const Provider = {
  GOOGLE_DRIVE: 'google-drive',
  GOOGLE_CALENDAR: 'google-calendar',
} as const satisfies Readonly<Record<string, ProviderId>>;

/** What a stack needs to declare resources of a gateway. */
export interface GatewayDeclarations {
  /** ARN of the function that CloudFormation calls. */
  readonly functionArn: string;
  /** Role of that function, which secrets are granted to. */
  readonly role: IRole;
  /** What `grantCall` allows; undefined where the gateway has no routes for roles. */
  readonly signedCallsArn: string | undefined;
  /** What has to exist before the first resource is declared. */
  readonly madeAfter: readonly IDependable[];
}

/** A gateway of another stack, by the outputs of that stack. */
export interface GatewayAttributes {
  /** Output `BaseUrl`. */
  readonly baseUrl: string;
  /** Output `DeclaredFunctionArn`. */
  readonly declaredFunctionArn: string;
  /** Output `DeclaredRoleArn`. */
  readonly declaredRoleArn: string;
  /**
   * Output `ApiId`.
   * @default - grantCall cannot be used
   */
  readonly apiId?: string;
  /**
   * Name of the API's stage.
   * @default v1
   */
  readonly stageName?: string;
}

/** An integration: a provider with your OAuth client and scopes. */
export interface GatewayIntegrationProps {
  readonly provider: ProviderId;
  /**
   * Name of the integration in calls, `Provider-Config-Key`. It cannot change while the integration has connections.
   * @default - the construct's id
   */
  readonly uniqueKey?: string;
  /** Scopes that end users are asked for, short such as `drive.file` or in full. */
  readonly scopes: readonly string[];
  /**
   * Client id of your OAuth client. It goes with `clientSecret`.
   * @default - the test credentials of the gateway
   */
  readonly clientId?: string;
  /**
   * Secret that holds the client secret: the text itself, JSON with `client_secret`, or the file of the Google Cloud console. It is
   * read by its ARN when the integration is created or changed.
   * @default - the test credentials of the gateway
   */
  readonly clientSecret?: Pick<ISecret, 'secretArn' | 'grantRead'>;
  /**
   * Any text; another one has the secret read again after its value was rotated.
   * @default - the secret is read when another property changes
   */
  readonly secretVersion?: string;
  /** @default - the unique key */
  readonly displayName?: string;
  /** Name on pages that end users see. @default - the display name */
  readonly publicName?: string;
  /** @default testing */
  readonly publishingStatus?: 'testing' | 'production';
  /** @default external */
  readonly audience?: 'external' | 'internal';
  /** @default test */
  readonly mode?: 'test' | 'live';
  /** The only Workspace domain whose accounts may connect. @default - every account may */
  readonly hostedDomain?: string;
  /** @default false */
  readonly includeGrantedScopes?: boolean;
  /**
   * `DESTROY` deletes the integration with its connections; `RETAIN` leaves both.
   * @default - an integration without connections is deleted; the deletion of one with connections fails
   */
  readonly removalPolicy?: RemovalPolicy;
}

/** A webhook: an endpoint of yours that receives events. */
export interface GatewayWebhookProps {
  /** Address of the endpoint. Another address makes another webhook, which has to prove itself. */
  readonly url: string;
  /** Types of events. @default - all */
  readonly events?: readonly string[];
  /** Integrations whose events are sent, by unique key. @default - all, and events of the account */
  readonly integrations?: readonly string[];
  /** @default - none */
  readonly description?: string;
  /**
   * Whether the deployment fails unless the endpoint answers `endpoint.test` with 2xx. An endpoint that did not answer receives nothing.
   * @default true
   */
  readonly verify?: boolean;
}

/** What the calls of a role may take. Amounts that are not given are not limited. */
export interface CallBudget {
  /** @default - not limited */
  readonly callsPerMinute?: number;
  /** @default - not limited */
  readonly callsPerDay?: number;
  /** Units of the provider's quota. @default - not limited */
  readonly unitsPerMinute?: number;
  /** Units of the provider's quota, from midnight to midnight, UTC. @default - not limited */
  readonly unitsPerDay?: number;
  /** @default - not limited */
  readonly bytesPerMinute?: number;
  /** @default - not limited */
  readonly bytesPerDay?: number;
}

/** What a role may call. */
export interface GrantCallOptions {
  /** Methods, groups such as `drive.files.*` and sets such as `drive:read`. */
  readonly allow: readonly string[];
  /** The same, that may not be called whatever is allowed. @default - none */
  readonly deny?: readonly string[];
  /** The same, and classes such as `delete`, `share` and `invite`, whose calls wait until a person approves them. @default - none */
  readonly approve?: readonly string[];
  /** Of the role as a whole, whichever of its integrations it calls. @default - not limited */
  readonly budget?: CallBudget;
}

/** A secret key: for a caller without an IAM role, such as a job outside AWS. Its right is `proxy`. */
export interface GatewayKeyProps {
  /** Methods, groups such as `drive.files.*` and sets such as `drive:read`. */
  readonly allow: readonly string[];
  /** The same, that may not be called whatever is allowed. @default - none */
  readonly deny?: readonly string[];
  /** The same, and classes such as `delete`, `share` and `invite`, whose calls wait until a person approves them. @default - none */
  readonly approve?: readonly string[];
  /** Integrations that it may call, by unique key; those of this gateway are declared before it. @default - all */
  readonly integrations?: readonly string[];
  /** @default - not limited */
  readonly budget?: CallBudget;
  /** Name in lists, which cannot change later. @default - the construct's path */
  readonly keyName?: string;
  /**
   * Any text; another one makes a new key and writes it into the secret. The former key is revoked at the end of the deployment.
   * @default - the key stays the same
   */
  readonly version?: string;
}

/** A feed: the changes of one resource of a connection that exists when the stack is deployed, such as that of a service account. */
export interface GatewayFeedProps {
  /** Unique key of the connection's integration; one of this gateway is declared before it. */
  readonly integration: string;
  /** Another connection makes another feed. */
  readonly connectionId: string;
  /** Such as `drive`, `folder:<id>` or `calendar:primary`. Another resource makes another feed. */
  readonly resource: string;
  /** `pull` keeps the batches off the event bus. @default bus */
  readonly delivery?: 'bus' | 'pull';
  /** Time between two pulls without a message while a push channel is open. @default Duration.hours(6) */
  readonly safetyInterval?: Duration;
  /** The same while there is none. @default Duration.minutes(5) */
  readonly pollInterval?: Duration;
  /** Whether changes say what they were. @default false */
  readonly meaning?: boolean;
  /** With `meaning`: whether changes of files that only `seen` describes are reported, too. @default false */
  readonly seen?: boolean;
  /** Of a calendar: minutes before the start of an event at which it is reported. @default - none */
  readonly reminders?: readonly number[];
}

/** Lets the function of declarations ask the management API, by a name under which API Gateway does not invoke it. */
export function allowDeclarations(
  declared: GatewayFunction,
  { management, grants }: Readonly<Record<'management' | 'grants', GatewayFunction>>,
): void {
  declared.allow({
    sid: 'AskManagement',
    actions: ['lambda:InvokeFunction'],
    resources: [management, grants].map(({ lambda }) => `${lambda.functionArn}:$LATEST`),
  });
  declared.setEnvironment(ENVIRONMENT.managementFunctionName, management.lambda.functionName);
  declared.setEnvironment(ENVIRONMENT.grantsFunctionName, grants.lambda.functionName);
  declared.setEnvironment(ENVIRONMENT.endpointsToLoopback, 'false');
}

/** A gateway as it is declared to: that of this stack or of another one. */
export abstract class DeclaringGateway extends Construct {
  /**
   * A gateway of another stack of the same account and region.
   *
   * @param attributes outputs of the gateway's stack
   */
  static fromAttributes(scope: Construct, id: string, attributes: GatewayAttributes): DeclaringGateway {
    return new GatewayOfAnotherStack(scope, id, attributes);
  }

  /** Public address without a trailing slash. */
  abstract readonly baseUrl: string;
  abstract readonly declarations: GatewayDeclarations;
  readonly #callers = new Map<string, GatewayCaller>();

  /** Declares an integration; the id is its unique key. */
  addIntegration(id: string, props: GatewayIntegrationProps): GatewayIntegration {
    return new GatewayIntegration(this, id, props);
  }

  /** Declares a webhook. Its signing secret is in a secret that the receiver can be granted. */
  addWebhook(id: string, props: GatewayWebhookProps): GatewayWebhook {
    return new GatewayWebhook(this, id, props);
  }

  /** Declares a secret key. Its text is in a secret that its caller can be granted. */
  addKey(id: string, props: GatewayKeyProps): GatewayKey {
    return new GatewayKey(this, id, props);
  }

  /** Declares a feed of a connection that exists. */
  addFeed(id: string, props: GatewayFeedProps): GatewayFeed {
    return new GatewayFeed(this, id, props);
  }

  /** @internal A role has one caller, whichever integrations it calls. */
  _callerOf(role: IRole): GatewayCaller {
    const known = this.#callers.get(role.node.path);
    const caller = known ?? new GatewayCaller(this, `Caller${role.node.addr.slice(-8)}`, role);
    this.#callers.set(role.node.path, caller);
    return caller;
  }
}

class GatewayOfAnotherStack extends DeclaringGateway {
  readonly baseUrl: string;
  readonly declarations: GatewayDeclarations;

  constructor(scope: Construct, id: string, attributes: GatewayAttributes) {
    super(scope, id);
    const { apiId, declaredFunctionArn: functionArn, declaredRoleArn, stageName = 'v1' } = attributes;
    this.baseUrl = attributes.baseUrl;
    this.declarations = {
      functionArn,
      // By name: an account in the ARN would make it a role of another one to the CDK, where the stack's own is open.
      role: Role.fromRoleName(this, 'DeclaredRole', Arn.extractResourceName(declaredRoleArn, 'role')),
      signedCallsArn: apiId === undefined ? undefined : signedCallsArn(this, apiId, stageName),
      madeAfter: [],
    };
  }
}

/** A custom resource of the gateway's, made after all that its function needs. */
function declare(
  scope: Construct,
  { functionArn, madeAfter }: GatewayDeclarations,
  kind: 'Integration' | 'Webhook' | 'Caller' | 'Key' | 'Feed',
  properties: Readonly<Record<string, unknown>>,
): CustomResource {
  const resource = new CustomResource(scope, 'Resource', {
    serviceToken: functionArn,
    resourceType: `Custom::Gateway${kind}`,
    serviceTimeout: SERVICE_TIMEOUT,
    properties,
  });
  resource.node.addDependency(...madeAfter);
  return resource;
}

/** An integration that the stack declares. */
export class GatewayIntegration extends Construct {
  /** Its name in calls. */
  readonly uniqueKey: string;
  readonly provider: ProviderId;
  readonly #gateway: DeclaringGateway;

  constructor(gateway: DeclaringGateway, id: string, props: GatewayIntegrationProps) {
    super(gateway, id);
    const { removalPolicy, clientSecret } = props;
    if ((props.clientId === undefined) !== (clientSecret === undefined)) {
      throw new Error(
        `${this.node.path}: clientId and clientSecret go together; without both, the test credentials are used.`,
      );
    }
    const { declarations } = gateway;
    const resource = declare(this, declarations, 'Integration', {
      Provider: props.provider,
      UniqueKey: props.uniqueKey ?? id,
      ClientId: props.clientId,
      ClientSecretArn: clientSecret?.secretArn,
      SecretVersion: props.secretVersion,
      Scopes: props.scopes,
      DisplayName: props.displayName,
      PublicName: props.publicName,
      PublishingStatus: props.publishingStatus,
      Audience: props.audience,
      Mode: props.mode,
      HostedDomain: props.hostedDomain,
      IncludeGrantedScopes: props.includeGrantedScopes,
      DeleteConnections: removalPolicy === RemovalPolicy.DESTROY,
    });
    clientSecret?.grantRead(declarations.role).applyBefore(resource);
    if (removalPolicy !== undefined) resource.applyRemovalPolicy(removalPolicy);
    this.#gateway = gateway;
    this.provider = props.provider;
    this.uniqueKey = props.uniqueKey ?? id;
  }

  /**
   * Lets a role call this integration: it may invoke the API's signed paths, is registered with these limits, and a function gets the
   * environment that a client without arguments reads. Nothing in it is secret.
   *
   * @param grantee a role, or what has one, such as a function
   * @throws Error where the gateway has no routes for roles, and for limits that contradict those of an earlier grant
   */
  grantCall(grantee: IGrantable, options: GrantCallOptions): Grant {
    const { signedCallsArn: calls } = this.#gateway.declarations;
    if (calls === undefined) {
      throw new Error(
        `${this.node.path}: grantCall needs a gateway with iamCallers: true, and of another stack its attribute apiId.`,
      );
    }
    const role = roleOf(this, grantee);
    this.#gateway._callerOf(role).allow(this, options);
    if (grantee instanceof LambdaFunction) {
      grantee.addEnvironment('GATEWAY_BASE_URL', this.#gateway.baseUrl);
      grantee.addEnvironment('GATEWAY_REGION', Stack.of(this.#gateway).region);
    }
    return Grant.addToPrincipal({ grantee, actions: ['execute-api:Invoke'], resourceArns: [calls] });
  }
}

function roleOf(scope: Construct, { grantPrincipal }: IGrantable): IRole {
  if (isRole(grantPrincipal)) return grantPrincipal;
  throw new Error(`${scope.node.path}: grantCall takes a role, or what has one; users and services cannot be callers.`);
}

function isRole(principal: IPrincipal): principal is IRole {
  return 'roleArn' in principal && Construct.isConstruct(principal);
}

/** A role that calls the gateway, with the limits of all its grants. */
export class GatewayCaller extends Construct {
  readonly #granted: { readonly to: GatewayIntegration; readonly options: GrantCallOptions }[] = [];

  constructor(gateway: DeclaringGateway, id: string, role: IRole) {
    super(gateway, id);
    const all = (pick: (options: GrantCallOptions) => readonly string[] | undefined) =>
      Lazy.list(
        { produce: () => [...new Set(this.#granted.flatMap(({ options }) => pick(options) ?? []))] },
        { omitEmpty: true },
      );
    const amounts = (period: 'Minute' | 'Day') => Lazy.any({ produce: () => amountsOf(this.#budget(), period) });
    declare(this, gateway.declarations, 'Caller', {
      RoleArn: role.roleArn,
      // A role that somebody else makes later under the same name is another one.
      RoleId: role instanceof Role ? role.roleId : undefined,
      Name: role.node.path.slice(-100),
      Integrations: Lazy.list({ produce: () => [...new Set(this.#granted.map(({ to }) => to.uniqueKey))] }),
      Allow: all(({ allow }) => allow),
      Deny: all(({ deny }) => deny),
      Approve: all(({ approve }) => approve),
      Minute: amounts('Minute'),
      Day: amounts('Day'),
    });
  }

  /** Adds an integration. @throws Error where limits of the whole role would differ from those of an earlier grant */
  allow(to: GatewayIntegration, options: GrantCallOptions): void {
    const refuse = (what: string) => {
      throw new Error(
        `${to.node.path}: ${what} of a role hold for all its integrations: give them in one grantCall, or the same in each.`,
      );
    };
    const text = (value: unknown) => JSON.stringify(value ?? null);
    for (const earlier of this.#granted) {
      const isSameProvider = earlier.to.provider === to.provider;
      if (isSameProvider && text(earlier.options.allow) !== text(options.allow)) refuse('the methods of one provider');
      if (text(earlier.options.deny) !== text(options.deny)) refuse('denied methods');
      if (text(earlier.options.approve) !== text(options.approve)) refuse('methods to approve');
      if (
        options.budget !== undefined &&
        text(this.#budget()) !== 'null' &&
        text(this.#budget()) !== text(options.budget)
      )
        refuse('budgets');
    }
    this.#granted.push({ to, options });
    // The integration has to be there when the role is limited to it.
    this.node.addDependency(to);
  }

  #budget(): CallBudget | undefined {
    return this.#granted.find(({ options }) => options.budget !== undefined)?.options.budget;
  }
}

function amountsOf(budget: CallBudget | undefined, period: 'Minute' | 'Day') {
  const amounts = {
    Calls: budget?.[`callsPer${period}`],
    Units: budget?.[`unitsPer${period}`],
    Bytes: budget?.[`bytesPer${period}`],
  };
  return Object.values(amounts).every((amount) => amount === undefined) ? undefined : amounts;
}

/** A webhook that the stack declares. */
export class GatewayWebhook extends Construct {
  /** Secret that receives the signing secret (`whsec_…`); grant its receiver to read it. */
  readonly signingSecret: Secret;

  constructor(gateway: DeclaringGateway, id: string, props: GatewayWebhookProps) {
    super(gateway, id);
    const { role } = gateway.declarations;
    const secret = new Secret(this, 'SigningSecret', {
      description: `Signing secret of the webhook ${id}, written when the webhook is created`,
    });
    acknowledge(secret, 'AwsSolutions-SMG4', 'The gateway rotates this secret together with its webhook.');
    const resource = declare(this, gateway.declarations, 'Webhook', {
      Url: props.url,
      Events: props.events,
      Integrations: props.integrations,
      Description: props.description,
      SigningSecretArn: secret.secretArn,
      Verify: props.verify,
    });
    grantUse(secret, role, resource);
    dependOn(resource, gateway, props.integrations);
    this.signingSecret = secret;
  }
}

/** A secret key that the stack declares. */
export class GatewayKey extends Construct {
  /** Secret that receives the key (`sk_…`); grant its caller to read it. */
  readonly secret: Secret;

  constructor(gateway: DeclaringGateway, id: string, props: GatewayKeyProps) {
    super(gateway, id);
    const { allow, deny, approve, integrations, budget, version } = props;
    const secret = new Secret(this, 'Secret', {
      description: `Secret key ${id} of the gateway, written when the key is created`,
    });
    acknowledge(secret, 'AwsSolutions-SMG4', 'Another version of the key in the template rotates this secret.');
    const resource = declare(this, gateway.declarations, 'Key', {
      SecretArn: secret.secretArn,
      Name: props.keyName ?? this.node.path.slice(-100),
      Version: version,
      Integrations: integrations,
      Allow: allow,
      Deny: deny,
      Approve: approve,
      Minute: amountsOf(budget, 'Minute'),
      Day: amountsOf(budget, 'Day'),
    });
    grantUse(secret, gateway.declarations.role, resource);
    dependOn(resource, gateway, integrations);
    this.secret = secret;
  }
}

/** A feed that the stack declares. */
export class GatewayFeed extends Construct {
  /** Its id in the API. */
  readonly feedId: string;

  constructor(gateway: DeclaringGateway, id: string, props: GatewayFeedProps) {
    super(gateway, id);
    const resource = declare(this, gateway.declarations, 'Feed', {
      Integration: props.integration,
      ConnectionId: props.connectionId,
      Resource: props.resource,
      Delivery: props.delivery,
      SafetyIntervalSec: props.safetyInterval?.toSeconds(),
      PollIntervalSec: props.pollInterval?.toSeconds(),
      Meaning: props.meaning,
      Seen: props.seen,
      Reminders: props.reminders,
    });
    dependOn(resource, gateway, [props.integration]);
    this.feedId = resource.ref;
  }
}

/**
 * Makes a resource after the gateway's integrations that it names. Not its secret: integrations are made after the function that may use
 * all secrets, and CloudFormation refuses circles.
 */
function dependOn(resource: CustomResource, gateway: DeclaringGateway, names: readonly string[] = []): void {
  const named = gateway.node.children.filter(
    (one) => one instanceof GatewayIntegration && names.includes(one.uniqueKey),
  );
  resource.node.addDependency(...named);
}

/** Lets the function of declarations write a secret, and see what it holds, before the resource is made. */
function grantUse(secret: Secret, role: IRole, resource: CustomResource): void {
  secret.grantRead(role).applyBefore(resource);
  secret.grantWrite(role).applyBefore(resource);
}
