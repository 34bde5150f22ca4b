/** Pipes, buses and rules of the template -> what the stream reader and the buses run. */
import { asArray, asObject, asString, type Json, type JsonObject, numberOr, parseJson } from '../json.ts';
import type { ResolvedResource } from './resolved.ts';
import { requireKnownProperties } from './resource.ts';
import { functionArnOf } from './schedules.ts';

/** A pipe from a table's stream to a bus. `maximumRetryAttempts` of -1 repeats until the record's age ends it. */
export interface LocalPipe {
  logicalId: string;
  name: string;
  arn: string;
  roleArn: string;
  /** The stream as the template names it; the engine has a name of its own for it. */
  streamArn: string;
  /** ARN of the stream's table. */
  tableArn: string;
  busArn: string;
  /** Event patterns; a record passes when one of them matches. */
  filters: readonly Json[];
  batchSize: number;
  startFromOldest: boolean;
  maximumRetryAttempts: number;
  maximumRecordAgeSec: number;
  bisectOnFailure: boolean;
  inputTemplate: string | undefined;
  /** `Source`, `DetailType`, `Time`, `Resources[]`: literals or whole-value `$.` paths. */
  bus: {
    source: string | undefined;
    detailType: string | undefined;
    time: string | undefined;
    resources: readonly string[];
  };
}

export interface LocalBus {
  name: string;
  arn: string;
}

/** A rule of a bus with Lambda targets. */
export interface LocalRule {
  logicalId: string;
  name: string;
  arn: string;
  busName: string;
  pattern: Json;
  functionArns: readonly string[];
}

const KNOWN = {
  Pipe: [
    'Description',
    'DesiredState',
    'LogConfiguration',
    'Name',
    'RoleArn',
    'Source',
    'SourceParameters',
    'Tags',
    'Target',
    'TargetParameters',
  ],
  Stream: [
    'BatchSize',
    'DeadLetterConfig',
    'MaximumBatchingWindowInSeconds',
    'MaximumRecordAgeInSeconds',
    'MaximumRetryAttempts',
    'OnPartialBatchItemFailure',
    'ParallelizationFactor',
    'StartingPosition',
  ],
  Bus: ['Description', 'Name', 'Tags'],
  BusParameters: ['DetailType', 'Resources', 'Source', 'Time'],
  Rule: ['Description', 'EventBusName', 'EventPattern', 'Name', 'RoleArn', 'State', 'Targets'],
} as const;

/** Reads one pipe. @throws Error for a source other than a table's stream or a target other than a bus. */
export function readPipe({ logicalId, name, arn, properties }: ResolvedResource): LocalPipe {
  requireKnownProperties(properties, KNOWN.Pipe, logicalId);
  const source = asString(properties.Source, `${logicalId}.Source`);
  const tableArn = /^(arn:aws:dynamodb:[^/]+\/[^/]+)\/stream\//.exec(source)?.[1];
  if (tableArn === undefined) throw new Error(`${logicalId}.Source is ${source}; only a table's stream runs locally.`);
  const parameters = asObject(properties.SourceParameters, `${logicalId}.SourceParameters`);
  requireKnownProperties(parameters, ['DynamoDBStreamParameters', 'FilterCriteria'], `${logicalId}.SourceParameters`);
  const stream = asObject(parameters.DynamoDBStreamParameters, `${logicalId}.DynamoDBStreamParameters`);
  requireKnownProperties(stream, KNOWN.Stream, `${logicalId}.DynamoDBStreamParameters`);
  const target = asObject(properties.TargetParameters ?? {}, `${logicalId}.TargetParameters`);
  requireKnownProperties(target, ['EventBridgeEventBusParameters', 'InputTemplate'], `${logicalId}.TargetParameters`);
  const template = target.InputTemplate;
  return {
    logicalId,
    name,
    arn,
    roleArn: asString(properties.RoleArn, `${logicalId}.RoleArn`),
    streamArn: source,
    tableArn,
    busArn: busArnOf(properties.Target, `${logicalId}.Target`),
    filters: readFilters(parameters.FilterCriteria, logicalId),
    batchSize: numberOr(stream.BatchSize, 100, `${logicalId}.BatchSize`),
    startFromOldest: stream.StartingPosition === 'TRIM_HORIZON',
    maximumRetryAttempts: numberOr(stream.MaximumRetryAttempts, -1, `${logicalId}.MaximumRetryAttempts`),
    maximumRecordAgeSec: numberOr(stream.MaximumRecordAgeInSeconds, -1, `${logicalId}.MaximumRecordAgeInSeconds`),
    bisectOnFailure: stream.OnPartialBatchItemFailure === 'AUTOMATIC_BISECT',
    inputTemplate: template === undefined ? undefined : asString(template, `${logicalId}.InputTemplate`),
    bus: readBusParameters(target.EventBridgeEventBusParameters, logicalId),
  };
}

/** Reads one bus. @throws Error for one with a key of its own, whose use nothing here judges. */
export function readBus({ logicalId, name, arn, properties }: ResolvedResource): LocalBus {
  requireKnownProperties(properties, KNOWN.Bus, logicalId);
  return { name, arn };
}

/** Reads one rule. @throws Error for a schedule or a target that is not a function. */
export function readRule({ logicalId, name, arn, properties }: ResolvedResource): LocalRule {
  requireKnownProperties(properties, KNOWN.Rule, logicalId);
  const bus = properties.EventBusName === undefined ? 'default' : asString(properties.EventBusName, logicalId);
  return {
    logicalId,
    name,
    arn,
    busName: bus.split('/').at(-1) ?? bus,
    pattern: asObject(properties.EventPattern, `${logicalId}.EventPattern`),
    functionArns: asArray(properties.Targets ?? [], `${logicalId}.Targets`).map((target) => {
      requireKnownProperties(
        asObject(target, logicalId),
        ['Arn', 'DeadLetterConfig', 'Id', 'RetryPolicy'],
        `${logicalId}.Targets`,
      );
      return functionArnOf(asObject(target, logicalId).Arn, `${logicalId}.Targets.Arn`);
    }),
  };
}

function readFilters(criteria: Json | undefined, logicalId: string): Json[] {
  if (criteria === undefined) return [];
  const filters = asArray(asObject(criteria, logicalId).Filters, `${logicalId}.Filters`);
  return filters.map((filter) => {
    const pattern = asString(asObject(filter, logicalId).Pattern, `${logicalId}.Filters.Pattern`);
    return parseJson(pattern, `${logicalId}.Filters.Pattern`);
  });
}

function readBusParameters(parameters: Json | undefined, logicalId: string): LocalPipe['bus'] {
  const given: JsonObject = parameters === undefined ? {} : asObject(parameters, logicalId);
  requireKnownProperties(given, KNOWN.BusParameters, `${logicalId}.EventBridgeEventBusParameters`);
  const text = (name: string): string | undefined =>
    given[name] === undefined ? undefined : asString(given[name], `${logicalId}.${name}`);
  const resources = asArray(given.Resources ?? [], `${logicalId}.Resources`);
  return {
    source: text('Source'),
    detailType: text('DetailType'),
    time: text('Time'),
    resources: resources.map((one) => asString(one, `${logicalId}.Resources`)),
  };
}

function busArnOf(value: Json | undefined, where: string): string {
  const arn = asString(value, where);
  if (!arn.includes(':event-bus/')) throw new Error(`${where} is ${arn}; only an event bus runs locally.`);
  return arn;
}
