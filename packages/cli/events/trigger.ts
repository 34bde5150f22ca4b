/** The trigger that hands events of the table's stream to the function that puts them on the bus: where it leads, and leading it elsewhere. */
import { setTimeout as delay } from 'node:timers/promises';
import { CloudFormationClient, ListStackResourcesCommand } from '@aws-sdk/client-cloudformation';
import { DescribeTableCommand, type DynamoDBClient, UpdateTableCommand } from '@aws-sdk/client-dynamodb';
import {
  CreateEventSourceMappingCommand,
  type EventSourceMappingConfiguration,
  GetEventSourceMappingCommand,
  type LambdaClient,
  paginateListEventSourceMappings,
} from '@aws-sdk/client-lambda';
import { awsClient } from '../../../lambdas/gateway/platform/aws-client.ts';
import { OPERATOR_LIMITS } from '../aws-limits.ts';
import { CommandProblem, EXIT } from '../problems.ts';

/** Where events come from and who takes them. */
export interface EventPath {
  readonly tableName: string;
  readonly functionName: string;
}

/** Prefix of the function's logical id in the stack's template. */
export const EVENTS_FUNCTION_PREFIX = 'GatewayEventsToBusFunction';
const TABLE_PREFIX = 'GatewayDataTable';

/** Table and function of a stack. @throws CommandProblem where the stack has none */
export async function eventPathOf(stackName: string, region: string | undefined): Promise<EventPath> {
  const client = awsClient(CloudFormationClient, OPERATOR_LIMITS, region);
  const found = new Map<string, string>();
  let next: string | undefined;
  do {
    const page = await client.send(
      new ListStackResourcesCommand({ StackName: stackName, ...(next === undefined ? {} : { NextToken: next }) }),
    );
    for (const { ResourceType = '', LogicalResourceId = '', PhysicalResourceId = '' } of page.StackResourceSummaries ??
      []) {
      if (ResourceType === 'AWS::DynamoDB::GlobalTable' && LogicalResourceId.includes(TABLE_PREFIX)) {
        found.set('table', PhysicalResourceId);
      }
      if (ResourceType === 'AWS::Lambda::Function' && LogicalResourceId.includes(EVENTS_FUNCTION_PREFIX)) {
        found.set('function', PhysicalResourceId);
      }
    }
    next = page.NextToken;
  } while (next !== undefined);
  const [tableName, functionName] = [found.get('table'), found.get('function')];
  if (tableName === undefined || functionName === undefined) {
    throw new CommandProblem(
      `The stack ${stackName} has no function that puts events on the bus: it was deployed from an earlier version. Deploy this one first.`,
    );
  }
  return { tableName, functionName };
}

/** The stream that a table has now, and when it was enabled. */
export interface TableStream {
  readonly arn: string;
  /** Milliseconds; the stream's label is the time at which it was enabled. */
  readonly enabledAtMs: number;
}

/** @returns undefined where the table has no stream */
export async function streamOf(dynamoDb: DynamoDBClient, tableName: string): Promise<TableStream | undefined> {
  const { Table } = await dynamoDb.send(new DescribeTableCommand({ TableName: tableName }));
  const { LatestStreamArn: arn, LatestStreamLabel: label = '', StreamSpecification } = Table ?? {};
  if (arn === undefined || StreamSpecification?.StreamEnabled !== true) return undefined;
  // It has no zone: it is UTC ("Working with streams").
  const enabledAtMs = Date.parse(/Z$|[+-]\d\d:\d\d$/.test(label) ? label : `${label}Z`);
  return { arn, enabledAtMs: Number.isNaN(enabledAtMs) ? Date.now() : enabledAtMs };
}

/** Enables the stream as the template has it: a restored table has none. */
export async function enableStream(dynamoDb: DynamoDBClient, tableName: string): Promise<TableStream> {
  await dynamoDb.send(
    new UpdateTableCommand({
      TableName: tableName,
      StreamSpecification: { StreamEnabled: true, StreamViewType: 'NEW_AND_OLD_IMAGES' },
    }),
  );
  const enabled = await until(() => streamOf(dynamoDb, tableName));
  if (enabled === undefined)
    throw new CommandProblem('The stream of the table was not enabled in time. Run it again.', EXIT.unfinished);
  return enabled;
}

/** Every trigger of the function, also one whose stream is gone. */
export async function triggersOf(
  lambda: LambdaClient,
  functionName: string,
): Promise<EventSourceMappingConfiguration[]> {
  const all: EventSourceMappingConfiguration[] = [];
  for await (const page of paginateListEventSourceMappings({ client: lambda }, { FunctionName: functionName })) {
    all.push(...(page.EventSourceMappings ?? []));
  }
  return all;
}

/** The trigger that reads a stream, if it is on or about to be. */
export function readerOf(
  triggers: readonly EventSourceMappingConfiguration[],
  streamArn: string,
): EventSourceMappingConfiguration | undefined {
  return triggers.find(
    ({ EventSourceArn, State = '' }) =>
      EventSourceArn === streamArn && /^(Enabled|Enabling|Creating|Updating)$/.test(State),
  );
}

/**
 * Leads events of another stream to the function, by a trigger with the settings of the one that is there. The source of a trigger cannot
 * be changed, so this is a new one; it begins with the oldest record of the stream.
 *
 * @throws CommandProblem where the function has no trigger whose settings could be taken, or the new one does not come on
 */
export async function bindTrigger(
  lambda: LambdaClient,
  functionName: string,
  triggers: readonly EventSourceMappingConfiguration[],
  streamArn: string,
): Promise<string> {
  const [model] = triggers;
  if (model === undefined) {
    throw new CommandProblem(
      'The events function has no trigger whose settings could be taken over: deploy the stack again first.',
    );
  }
  const created = await lambda.send(
    new CreateEventSourceMappingCommand({
      FunctionName: functionName,
      EventSourceArn: streamArn,
      StartingPosition: 'TRIM_HORIZON',
      Enabled: true,
      FilterCriteria: model.FilterCriteria,
      BatchSize: model.BatchSize,
      BisectBatchOnFunctionError: model.BisectBatchOnFunctionError,
      FunctionResponseTypes: model.FunctionResponseTypes,
      MaximumRetryAttempts: model.MaximumRetryAttempts,
      MaximumRecordAgeInSeconds: model.MaximumRecordAgeInSeconds,
      DestinationConfig:
        model.DestinationConfig?.OnFailure?.Destination === undefined
          ? undefined
          : { OnFailure: model.DestinationConfig.OnFailure },
    }),
  );
  const { UUID = '' } = created;
  const enabled = await until(async () => {
    const { State } = await lambda.send(new GetEventSourceMappingCommand({ UUID }));
    return State === 'Enabled' ? UUID : undefined;
  });
  if (enabled === undefined)
    throw new CommandProblem(`The new trigger ${UUID} is not on yet. Run it again in a minute.`, EXIT.unfinished);
  return UUID;
}

const WAIT_MS = 120_000;
const WAIT_STEP_MS = 2_000;

/** The value, if it comes in time; otherwise undefined. */
async function until<T>(look: () => Promise<T | undefined>): Promise<T | undefined> {
  const giveUpAtMs = performance.now() + WAIT_MS;
  for (;;) {
    const found = await look();
    if (found !== undefined || performance.now() > giveUpAtMs) return found;
    await delay(WAIT_STEP_MS);
  }
}
