/** `AWS::Lambda::EventSourceMapping` on a table's stream -> what the stream reader hands to which function. */
import { asArray, asObject, asString, type Json, numberOr, optionalString, parseJson } from '../../tools/json.ts';
import type { LocalFunction } from './functions.ts';
import type { ResolvedResource } from './resolved.ts';
import { requireKnownProperties } from './resource.ts';

/** A trigger of a function. `maximumRetryAttempts` and `maximumRecordAgeSec` of -1 have no end. */
export interface LocalTrigger {
  logicalId: string;
  functionArn: string;
  /** The function's, as which Lambda reads the stream. */
  roleArn: string;
  /** The stream as the template names it; the engine has a name of its own for it. */
  streamArn: string;
  /** ARN of the stream's table. */
  tableArn: string;
  /** Event patterns; a record passes when one of them matches. */
  filters: readonly Json[];
  batchSize: number;
  startsFromOldest: boolean;
  maximumRetryAttempts: number;
  maximumRecordAgeSec: number;
  bisectsOnError: boolean;
  /** The function says which records failed. */
  reportsFailures: boolean;
  /** ARN of the queue for messages about dropped records. */
  deadLettersArn: string | undefined;
  isEnabled: boolean;
}

const KNOWN_PROPERTIES = [
  'BatchSize',
  'BisectBatchOnFunctionError',
  'DestinationConfig',
  'Enabled',
  'EventSourceArn',
  'FilterCriteria',
  'FunctionName',
  'FunctionResponseTypes',
  'MaximumRecordAgeInSeconds',
  'MaximumRetryAttempts',
  'StartingPosition',
  'Tags',
];

/**
 * Reads one trigger.
 * @throws Error for a source other than a table's stream, a function that the template does not have, or any property not supported.
 */
export function readTrigger(
  { logicalId, properties }: ResolvedResource,
  functions: readonly LocalFunction[],
): LocalTrigger {
  requireKnownProperties(properties, KNOWN_PROPERTIES, logicalId);
  const source = asString(properties.EventSourceArn, `${logicalId}.EventSourceArn`);
  const tableArn = /^(arn:aws:dynamodb:[^/]+\/[^/]+)\/stream\//.exec(source)?.[1];
  if (tableArn === undefined) {
    throw new Error(`${logicalId}.EventSourceArn is ${source}; only a table's stream runs locally.`);
  }
  const name = asString(properties.FunctionName, `${logicalId}.FunctionName`);
  const fn = functions.find((one) => one.name === name || one.arn === name);
  if (fn === undefined) throw new Error(`${logicalId}.FunctionName is ${name}, which is no function of the template.`);
  const types = asArray(properties.FunctionResponseTypes ?? [], `${logicalId}.FunctionResponseTypes`);
  const destinations = asObject(properties.DestinationConfig ?? {}, `${logicalId}.DestinationConfig`);
  const onFailure = asObject(destinations.OnFailure ?? {}, `${logicalId}.OnFailure`);
  return {
    logicalId,
    functionArn: fn.arn,
    roleArn: fn.roleArn,
    streamArn: source,
    tableArn,
    filters: readFilters(properties.FilterCriteria, logicalId),
    batchSize: numberOr(properties.BatchSize, 100, `${logicalId}.BatchSize`),
    startsFromOldest: properties.StartingPosition === 'TRIM_HORIZON',
    maximumRetryAttempts: numberOr(properties.MaximumRetryAttempts, -1, `${logicalId}.MaximumRetryAttempts`),
    maximumRecordAgeSec: numberOr(properties.MaximumRecordAgeInSeconds, -1, `${logicalId}.MaximumRecordAgeInSeconds`),
    bisectsOnError: properties.BisectBatchOnFunctionError === true,
    reportsFailures: types.includes('ReportBatchItemFailures'),
    deadLettersArn: optionalString(onFailure.Destination, `${logicalId}.Destination`),
    isEnabled: properties.Enabled !== false,
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
