import { cpSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { AssetHashType, DockerImage, Duration, type RemovalPolicy } from 'aws-cdk-lib';
import { PolicyStatement, type PolicyStatementProps, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import {
  Alias,
  ApplicationLogLevel,
  Architecture,
  Code,
  type IFunction,
  Function as LambdaFunction,
  LoggingFormat,
  Runtime,
  SystemLogLevel,
  Tracing,
} from 'aws-cdk-lib/aws-lambda';
import { LogGroup, type RetentionDays } from 'aws-cdk-lib/aws-logs';
import { Construct, type IDependable } from 'constructs';
import type { FunctionName } from '../../lambdas/gateway/core/contract.ts';
import { FUNCTION_MEMORY_MB } from '../function-memory.ts';
import { acknowledge } from './acknowledge.ts';

/** One member of a function's policy: exact actions on exact resources, named by its `sid`. */
export type Permission = Required<Pick<PolicyStatementProps, 'sid' | 'actions' | 'resources'>> &
  Pick<PolicyStatementProps, 'conditions'>;

/** A built bundle, copied together with the deployment's own files, if there are any. */
function codeOf(bundle: string, files: Readonly<Record<string, Buffer>>): Code {
  const entries = Object.entries(files);
  if (entries.length === 0) return Code.fromAsset(bundle);
  const tryBundle = (output: string): boolean => {
    cpSync(bundle, output, { recursive: true });
    for (const [name, content] of entries) writeFileSync(join(output, name), content);
    return true;
  };
  // The copy is always made locally; the CDK requires an image, but never fetches it.
  const image = DockerImage.fromRegistry('unused');
  return Code.fromAsset(bundle, { assetHashType: AssetHashType.OUTPUT, bundling: { image, local: { tryBundle } } });
}

/** The settings of one function. */
export interface GatewayFunctionProps {
  /** Which function: folder of the bundle under `bundlesPath`. */
  readonly functionName: FunctionName;
  /** Folder that holds one bundle per function, each an `index.mjs` that exports `handler`. */
  readonly bundlesPath: string;
  readonly description: string;
  /**
   * Files of the deployment to put next to the bundle, by their names.
   * @default - only the bundle
   */
  readonly files?: Readonly<Record<string, Buffer>> | undefined;
  readonly timeout: Duration;
  /** @default - that of all functions except the proxy */
  readonly memoryMb?: number;
  readonly logRetentionDays: RetentionDays;
  /**
   * Omit Lambda's own start and report line of each call from the log.
   * @default false
   */
  readonly withoutReports?: boolean;
  readonly removalPolicy: RemovalPolicy;
  /**
   * The invoker is asynchronous: drop an event after one minute and never retry it.
   * @default false
   */
  readonly discardFailedEvents?: boolean;
  /**
   * Drop an event after this age: it is retried twice when the function fails, and waits while there is no process. The invoker is
   * asynchronous.
   * @default - Lambda's own
   */
  readonly eventAge?: Duration;
  /**
   * Provisioned concurrency. Callers then reach the function through an alias of its newest version.
   * @default 0
   */
  readonly provisionedConcurrency?: number;
  /**
   * Reserved concurrency, which is also the function's maximum.
   * @default - it shares the account's concurrency
   */
  readonly reservedConcurrency?: number | undefined;
  /** Record traces with AWS X-Ray. */
  readonly tracing: boolean;
}

/**
 * One Lambda function with its own role (no managed policy), its own log group and only the permissions and environment variables that
 * other constructs grant to it.
 */
export class GatewayFunction extends Construct {
  /** Which function it is. */
  readonly functionName: FunctionName;
  /** The target of callers and alarms: the function, or the alias with provisioned concurrency. */
  readonly invoked: IFunction;
  /** The function itself, for its log and its settings. */
  readonly lambda: LambdaFunction;
  /** What the function runs as, for grants of the resources that it may use. */
  readonly role: Role;

  constructor(scope: Construct, id: string, props: GatewayFunctionProps) {
    super(scope, id);
    this.functionName = props.functionName;
    this.role = new Role(this, 'Role', { assumedBy: new ServicePrincipal('lambda.amazonaws.com') });
    const logGroup = new LogGroup(this, 'Logs', {
      retention: props.logRetentionDays,
      removalPolicy: props.removalPolicy,
    });
    this.allow({
      sid: 'WriteLogs',
      actions: ['logs:CreateLogStream', 'logs:PutLogEvents'],
      resources: [logGroup.logGroupArn],
    });
    this.lambda = new LambdaFunction(this, 'Function', {
      description: props.description,
      runtime: Runtime.NODEJS_24_X,
      architecture: Architecture.ARM_64,
      memorySize: props.memoryMb ?? FUNCTION_MEMORY_MB.others,
      handler: 'index.handler',
      code: codeOf(join(props.bundlesPath, props.functionName), props.files ?? {}),
      timeout: props.timeout,
      role: this.role,
      logGroup,
      loggingFormat: LoggingFormat.JSON,
      // Set although it is the default: at WARN the lines that calls are counted from would be dropped.
      ...(props.withoutReports === true
        ? { applicationLogLevelV2: ApplicationLogLevel.INFO, systemLogLevelV2: SystemLogLevel.WARN }
        : {}),
      ...(props.reservedConcurrency === undefined ? {} : { reservedConcurrentExecutions: props.reservedConcurrency }),
      ...(props.tracing ? { tracing: Tracing.ACTIVE } : {}),
      ...(props.discardFailedEvents === true ? { retryAttempts: 0, maxEventAge: Duration.minutes(1) } : {}),
      ...(props.eventAge === undefined ? {} : { retryAttempts: 2, maxEventAge: props.eventAge }),
    });
    if (props.tracing) {
      acknowledge(
        this,
        'AwsSolutions-IAM5[Resource::*]',
        'X-Ray knows no resources to name: traces go to the account.',
      );
    }
    const { provisionedConcurrency: kept = 0 } = props;
    const alias = kept === 0 ? undefined : this.lambda.addAlias('live', { provisionedConcurrentExecutions: kept });
    // The CDK declares an alias's role less exactly than its own interface, which the compiler's strictness notices.
    this.invoked = (alias as IFunction | undefined) ?? this.lambda;
  }

  /**
   * Adds one statement to the function's policy.
   *
   * @returns dependency for resources that need the permission
   */
  allow(permission: Permission): IDependable {
    const { policyDependable } = this.role.addToPrincipalPolicy(new PolicyStatement(permission));
    return policyDependable ?? this.role;
  }

  /** Lets another function invoke this one asynchronously, and sets this one's name in its environment. */
  allowInvocationBy(caller: GatewayFunction, nameVariable: string): void {
    caller.allow({
      sid: `Invoke${this.node.id}`,
      actions: ['lambda:InvokeFunction'],
      resources: [this.invoked.functionArn],
    });
    caller.setEnvironment(nameVariable, this.invoked.functionName);
  }

  /**
   * Opens an inner door for another function: an alias of this one that only the caller may invoke, which may invoke no other name of it.
   * The alias decides which operations there are, so no caller can ask for those of another (TB-2).
   */
  openDoorFor(caller: GatewayFunction, nameVariable: string): void {
    const alias = new Alias(this, `DoorFor${caller.node.id}`, {
      aliasName: caller.functionName,
      version: this.lambda.latestVersion,
    });
    caller.allow({
      sid: `Ask${this.node.id}`,
      actions: ['lambda:InvokeFunction'],
      resources: [alias.functionArn],
    });
    caller.setEnvironment(nameVariable, this.lambda.functionName);
  }

  /** Sets one environment variable. */
  setEnvironment(name: string, value: string): void {
    this.lambda.addEnvironment(name, value);
  }
}
