/** `AWS::Lambda::Function` -> what the pool needs to run it. */
import { join } from 'node:path';
import { FUNCTION_NAMES } from '../../../lambdas/gateway/core/contract.ts';
import { asObject, asString, isObject, type Json, numberOr, optionalString } from '../../tools/json.ts';
import { findPython } from '../lambda/python.ts';
import type { ResolvedResource } from './resolved.ts';
import { requireKnownProperties } from './resource.ts';

/** One function of the stack. Times in seconds, memory in MB. */
export interface LocalFunction {
  logicalId: string;
  /** Physical name, as `AWS_LAMBDA_FUNCTION_NAME` has it. */
  name: string;
  arn: string;
  roleArn: string;
  /** Name of its log group. */
  logGroup: string;
  /** Whether traces are recorded. */
  isTraced: boolean;
  /** Short name for logs and tests: the bundle's name where the logical id contains it. */
  displayName: string;
  /** As the template has it, such as `nodejs24.x`. */
  runtime: string;
  handler: string;
  codeFolder: string;
  timeoutSec: number;
  memoryMb: number;
  logFormat: 'JSON' | 'Text';
  environment: Readonly<Record<string, string>>;
}

/** ARN of the function that a name of it leads to: one with an alias or version as its last part, or the function's own. */
export function withoutQualifier(invokedArn: string): string {
  return invokedArn.split(':').slice(0, 7).join(':');
}

const KNOWN_PROPERTIES = [
  'Architectures',
  'Code',
  'Description',
  'Environment',
  'EphemeralStorage',
  'FunctionName',
  'Handler',
  'LoggingConfig',
  'MemorySize',
  'RecursiveLoop',
  'ReservedConcurrentExecutions',
  'Role',
  'Runtime',
  'RuntimeManagementConfig',
  'Tags',
  'Timeout',
  'TracingConfig',
];
/** The runtime of the gateway's functions. */
export const RUNTIME = 'nodejs24.x';
const DEFAULT_TIMEOUT_SEC = 3;
const DEFAULT_MEMORY_MB = 128;

/**
 * Reads one function.
 * @param assemblyFolder the CDK output folder that holds `asset.<hash>`.
 * @throws Error for another runtime, a layer, a container image or any property not supported.
 */
export function readFunction(resource: ResolvedResource, assemblyFolder: string): LocalFunction {
  const { logicalId, properties } = resource;
  requireKnownProperties(properties, KNOWN_PROPERTIES, logicalId);
  const runtime = asString(properties.Runtime, `${logicalId}.Runtime`);
  const problem = runtimeProblem(runtime);
  if (problem !== undefined) {
    throw new Error(`${logicalId} cannot run here: ${problem}.`);
  }
  const logging = properties.LoggingConfig === undefined ? {} : asObject(properties.LoggingConfig, logicalId);
  return {
    logicalId,
    name: resource.name,
    arn: resource.arn,
    roleArn: asString(properties.Role, `${logicalId}.Role`),
    logGroup: optionalString(logging.LogGroup, `${logicalId}.LogGroup`) ?? `/aws/lambda/${resource.name}`,
    isTraced: isObject(properties.TracingConfig) && properties.TracingConfig.Mode === 'Active',
    displayName: displayName(logicalId),
    runtime,
    handler: asString(properties.Handler, `${logicalId}.Handler`),
    codeFolder: codeFolder(properties.Code, assemblyFolder, logicalId),
    timeoutSec: numberOr(properties.Timeout, DEFAULT_TIMEOUT_SEC, `${logicalId}.Timeout`),
    memoryMb: numberOr(properties.MemorySize, DEFAULT_MEMORY_MB, `${logicalId}.MemorySize`),
    logFormat: logging.LogFormat === 'JSON' ? 'JSON' : 'Text',
    environment: readEnvironment(properties.Environment, logicalId),
  };
}

export function isPython(runtime: string): boolean {
  return /^python3\.\d+$/.test(runtime);
}

/** Why functions of a runtime cannot run here; undefined where they can. */
export function runtimeProblem(runtime: string, python = findPython): string | undefined {
  if (runtime === RUNTIME) return undefined;
  if (!isPython(runtime)) return `the local runtime has no ${runtime}`;
  return python() === undefined
    ? `${runtime} needs python3 3.10 or later, which this computer does not have`
    : undefined;
}

/** The bundle's name when the logical id contains it (the longest wins), else the logical id. */
export function displayName(logicalId: string): string {
  const plain = logicalId.toLowerCase();
  const names = FUNCTION_NAMES.filter((name) => plain.includes(name.replaceAll('-', '')));
  return names.sort((a, b) => b.length - a.length)[0] ?? logicalId;
}

function codeFolder(code: Json | undefined, assemblyFolder: string, logicalId: string): string {
  const source = asObject(code, `${logicalId}.Code`);
  requireKnownProperties(source, ['S3Bucket', 'S3Key'], `${logicalId}.Code`);
  const key = asString(source.S3Key, `${logicalId}.Code.S3Key`);
  const hash = /^(?:.*\/)?([0-9a-f]{64})\.zip$/.exec(key)?.[1];
  if (hash === undefined) throw new Error(`${logicalId}.Code.S3Key is ${key}, which is not a CDK file asset.`);
  return join(assemblyFolder, `asset.${hash}`);
}

function readEnvironment(environment: Json | undefined, logicalId: string): Record<string, string> {
  if (environment === undefined) return {};
  const variables = asObject(environment, `${logicalId}.Environment`).Variables;
  return Object.fromEntries(
    Object.entries(asObject(variables ?? {}, `${logicalId}.Environment.Variables`)).map(([name, value]) => [
      name,
      asString(value, `${logicalId}.Environment.Variables.${name}`),
    ]),
  );
}
