import { type RemovalPolicy, Stack } from 'aws-cdk-lib';
import {
  AccessLogFormat,
  CfnRestApi,
  EndpointType,
  LogGroupLogDestination,
  MethodLoggingLevel,
  ResponseType,
  RestApi,
  type StageOptions,
} from 'aws-cdk-lib/aws-apigateway';
import { AccountPrincipal, Effect, PolicyDocument, PolicyStatement, StarPrincipal } from 'aws-cdk-lib/aws-iam';
import { LogGroup, type RetentionDays } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import { ENVIRONMENT, SIGNED_PREFIX } from '../../lambdas/gateway/core/contract.ts';
import { acknowledge } from './acknowledge.ts';
import { addRoutes, integrationOf, type RoutedFunctions, type RouteMode } from './api-routes.ts';
import type { GatewayFunction } from './function.ts';
import { type CustomDomainProps, GatewayDomain, TLS_POLICY } from './gateway-domain.ts';
import { guardStage, WebAcl } from './web-acl.ts';

/** The functions behind the API, its address, limits and logs. */
export interface GatewayApiProps {
  /** The function behind each route. */
  readonly functions: RoutedFunctions;
  readonly stageName: string;
  /**
   * Domain to serve the API under; the address that API Gateway assigns is then switched off.
   * @default - the address that API Gateway assigns
   */
  readonly customDomain?: CustomDomainProps | undefined;
  /** Add routes for IAM roles, whose signatures API Gateway checks. */
  readonly iamCallers: boolean;
  /** Other AWS accounts whose roles may use these routes. */
  readonly iamCallerAccounts: readonly string[];
  readonly throttleRatePerSec: number;
  readonly throttleBurst: number;
  /** Write access logs. API Gateway refuses them unless the account has a role for its logs. */
  readonly accessLogs: boolean;
  /** Set the account-wide role for API Gateway's logs from this stack. */
  readonly cloudWatchRole: boolean;
  /** `none`, `make`, or the ARN of a regional web ACL to put in front of the stage. */
  readonly webAcl: string;
  readonly webAclRequestsPerIp: number;
  /** Record traces with AWS X-Ray. */
  readonly tracing: boolean;
  readonly logRetentionDays: RetentionDays;
  readonly removalPolicy: RemovalPolicy;
}

/**
 * The front door: a regional REST API whose every route is a Lambda proxy integration.
 *
 * `/proxy` streams, so answers are passed on as they arrive and may take 15 minutes; all other routes are buffered. Every body reaches
 * the functions as bytes. There is no authorizer and no CORS here: the functions check the key on each route and answer OPTIONS
 * themselves, because an API-wide answer would also open `/proxy` to browsers. Below `/iam`, where there is such a route, API Gateway
 * checks who signed, and the functions whether that role is registered.
 */
export class GatewayApi extends Construct {
  /** Public address without a trailing slash. */
  readonly baseUrl: string;
  /**
   * Name the DNS record of the custom domain must point to.
   * @default - there is no custom domain
   */
  readonly domainTarget: string | undefined;
  /**
   * ARN of proxied calls that are signed, for policies of roles that make them.
   * @default - roles have no routes
   */
  readonly signedCallsArn: string | undefined;
  readonly apiId: string;
  readonly #api: RestApi;
  readonly #management: GatewayFunction;

  constructor(scope: Construct, id: string, props: GatewayApiProps) {
    super(scope, id);
    const api = new RestApi(this, 'Api', {
      restApiName: Stack.of(this).stackName,
      description: 'Integration gateway',
      endpointTypes: [EndpointType.REGIONAL],
      binaryMediaTypes: ['*/*'],
      disableExecuteApiEndpoint: props.customDomain !== undefined,
      cloudWatchRole: props.cloudWatchRole,
      ...(props.iamCallerAccounts.length === 0 ? {} : { policy: callersPolicy(props) }),
      deployOptions: this.#stageOptions(props),
    });
    this.#api = api;
    this.#management = props.functions.management;
    refuseOldTls(api);
    addRoutes(api, props.functions, props.iamCallers);
    addErrorHeaders(api, props.iamCallers);
    this.apiId = api.restApiId;
    this.signedCallsArn = props.iamCallers ? signedCallsArn(this, api.restApiId, props.stageName) : undefined;
    // The construct's own output; the stack has one with the address that is really served.
    api.node.tryRemoveChild('Endpoint');
    if (props.webAcl !== 'none')
      guardStage(this, 'WebAclAssociation', api.deploymentStage.stageArn, this.#webAclArn(props));
    acknowledgeFindings(api, props);

    if (props.customDomain === undefined) {
      const { region, urlSuffix } = Stack.of(this);
      // `api.url` would make function -> stage -> deployment -> method -> function, a cycle.
      this.baseUrl = `https://${api.restApiId}.execute-api.${region}.${urlSuffix}/${props.stageName}`;
    } else {
      this.baseUrl = `https://${props.customDomain.domainName}`;
      this.domainTarget = new GatewayDomain(this, 'Domain', props.customDomain).serve(api);
    }
  }

  /** Lets a function serve a path, for every method; the folder above it, if it has no route, is the management function's. */
  addRoute(path: string, fn = this.#management, mode: RouteMode = 'buffered'): void {
    const resource = this.#api.root.resourceForPath(path);
    resource.addMethod('ANY', integrationOf(fn, mode));
    const folder = resource.parentResource;
    // A folder of the tree without a method would answer with API Gateway's own 403.
    if (folder?.node.tryFindChild('ANY') === undefined)
      folder?.addMethod('ANY', integrationOf(this.#management, 'buffered'));
  }

  /** Sets a function's public address of the gateway. */
  setBaseUrl(fn: GatewayFunction): void {
    fn.setEnvironment(ENVIRONMENT.baseUrl, this.baseUrl);
  }

  #webAclArn({ webAcl, webAclRequestsPerIp, stageName }: GatewayApiProps): string {
    return webAcl === 'make'
      ? new WebAcl(this, 'WebAcl', { stageName, requestsPerIp: webAclRequestsPerIp }).arn
      : webAcl;
  }

  #stageOptions(props: GatewayApiProps): StageOptions {
    const options: StageOptions = {
      stageName: props.stageName,
      throttlingRateLimit: props.throttleRatePerSec,
      throttlingBurstLimit: props.throttleBurst,
      // Execution logs and data traces contain headers and bodies, and with them keys and tokens.
      loggingLevel: MethodLoggingLevel.OFF,
      dataTraceEnabled: false,
      tracingEnabled: props.tracing,
    };
    if (!props.accessLogs) {
      return options;
    }
    const logGroup = new LogGroup(this, 'AccessLogs', {
      retention: props.logRetentionDays,
      removalPolicy: props.removalPolicy,
    });
    return {
      ...options,
      accessLogDestination: new LogGroupLogDestination(logGroup),
      // The route pattern, never the path: paths, queries and headers contain codes, states, addresses and keys.
      accessLogFormat: AccessLogFormat.jsonWithStandardFields({
        requestTime: true,
        ip: true,
        httpMethod: true,
        resourcePath: true,
        status: true,
        protocol: true,
        responseLength: true,
        caller: false,
        user: false,
      }),
    };
  }
}

/** What a policy names that lets a role make proxied calls, whatever their method. */
export function signedCallsArn(scope: Construct, apiId: string, stageName: string): string {
  const resourceName = `${stageName}/*${SIGNED_PREFIX}/proxy/*`;
  return Stack.of(scope).formatArn({ service: 'execute-api', resource: apiId, resourceName });
}

/**
 * By default the assigned address also accepts TLS 1.0, and so does a custom domain: the handshake follows the API's policy whatever
 * the domain's is (Choose a security policy for your custom domain in API Gateway).
 */
function refuseOldTls(api: RestApi): void {
  const resource = api.node.defaultChild;
  if (!(resource instanceof CfnRestApi)) throw new Error('The API has no resource of its own.');
  resource.securityPolicy = TLS_POLICY.securityPolicy;
  resource.endpointAccessMode = TLS_POLICY.endpointAccessMode;
}

/**
 * Admits other accounts, whose roles also need a policy of their own. An API with a policy refuses whatever it does not allow, so it
 * allows everyone everything except `/iam`; roles of the gateway's own account need no entry (API Gateway guide, "How API Gateway
 * resource policies affect authorization workflow").
 */
function callersPolicy({ iamCallerAccounts, stageName }: GatewayApiProps): PolicyDocument {
  // By method, because a star would also match path prefixes, such as that of a connection named iam.
  const signed = CARRIED_METHODS.split(', ').flatMap((method) =>
    ['', '/*'].map((rest) => `execute-api:/${stageName}/${method}${SIGNED_PREFIX}${rest}`),
  );
  const invoke = { effect: Effect.ALLOW, actions: ['execute-api:Invoke'] };
  return new PolicyDocument({
    statements: [
      new PolicyStatement({ ...invoke, principals: [new StarPrincipal()], notResources: signed }),
      new PolicyStatement({
        ...invoke,
        principals: iamCallerAccounts.map((account) => new AccountPrincipal(account)),
        resources: signed,
      }),
    ],
  });
}

/** The methods of a REST API, which `ANY` covers. */
const CARRIED_METHODS = 'DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT';

/** The functions' error envelope for a method that reaches none of them. */
const METHOD_TEMPLATE = JSON.stringify({
  error: {
    code: 'method_not_allowed',
    message: `API Gateway carries ${CARRIED_METHODS} and no other method, so PROPFIND, REPORT and MKCALENDAR of CalDAV cannot pass. Ask the Calendar API under /proxy/calendar/v3/ instead.`,
    status: 405,
    request_id: '$context.requestId',
  },
});

/** The same where an unsigned request gets this answer, too, because the two cases cannot be distinguished. */
const SIGNATURE_TEMPLATE = JSON.stringify({
  error: {
    code: 'forbidden',
    message: `Below /iam a request needs an AWS signature (Signature Version 4, service execute-api), and this one has none. Elsewhere its method is none that API Gateway carries: ${CARRIED_METHODS}.`,
    status: 403,
    request_id: '$context.requestId',
  },
});

/** Marks API Gateway's own responses as the gateway's, as the functions mark theirs. */
function addErrorHeaders(api: RestApi, iamCallers: boolean): void {
  const code = (text: string) => ({ 'x-gateway-error': `'${text}'`, 'x-request-id': 'context.requestId' });
  api.addGatewayResponse('Default4xx', { type: ResponseType.DEFAULT_4XX, responseHeaders: code('forbidden') });
  api.addGatewayResponse('Default5xx', { type: ResponseType.DEFAULT_5XX, responseHeaders: code('internal_error') });
  api.addGatewayResponse('Throttled', {
    type: ResponseType.THROTTLED,
    responseHeaders: { ...code('rate_limited'), 'Retry-After': "'1'" },
  });
  // Every path has a route, so a request without one has another method or lacks a signature ("Gateway response types for API
  // Gateway").
  api.addGatewayResponse('UnknownMethod', {
    type: ResponseType.MISSING_AUTHENTICATION_TOKEN,
    statusCode: iamCallers ? '403' : '405',
    responseHeaders: { ...code(iamCallers ? 'forbidden' : 'method_not_allowed'), Allow: `'${CARRIED_METHODS}'` },
    templates: { 'application/json': iamCallers ? SIGNATURE_TEMPLATE : METHOD_TEMPLATE },
  });
}

function acknowledgeFindings(api: RestApi, props: GatewayApiProps): void {
  acknowledge(api, 'AwsSolutions-APIG2', 'Requests pass through as they are; each function checks its own input.');
  if (props.webAcl === 'none') {
    acknowledge(api, 'AwsSolutions-APIG3', 'A web ACL has a monthly price: attaching one is the operator’s choice.');
  }
  acknowledge(
    api,
    'AwsSolutions-APIG4',
    'The functions authenticate every route with keys that API Gateway does not know.',
  );
  acknowledge(
    api,
    'AwsSolutions-COG4',
    'The functions authenticate every route with keys that API Gateway does not know.',
  );
  acknowledge(api, 'AwsSolutions-APIG6', 'Execution logs would hold keys and tokens.');
  if (props.cloudWatchRole) {
    acknowledge(
      api,
      'AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AmazonAPIGatewayPushToCloudWatchLogs]',
      'API Gateway checks for exactly this managed policy when the account-wide role is set.',
    );
  }
  if (!props.accessLogs) {
    acknowledge(api, 'AwsSolutions-APIG1', 'An option: a stage with access logs needs an account-wide role first.');
  }
}
