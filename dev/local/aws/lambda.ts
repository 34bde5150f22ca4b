/** Lambda's API as the gateway and its operators use it: invocations, and the triggers of functions. */

import { asString, errorMessage, type Json, type JsonObject, optionalString } from '../../tools/json.ts';
import type { RequiredAccess } from '../iam/judge.ts';
import type { LocalFunction } from '../template/functions.ts';
import { LOCAL_ACCOUNT_ID } from '../template/references.ts';
import type { TriggerMapping, Triggers } from '../triggers.ts';
import { AwsError } from './aws-error.ts';
import type { AwsService } from './server.ts';

export interface LambdaServiceOptions {
  region: string;
  functions: readonly Pick<LocalFunction, 'name' | 'arn'>[];
  /** Runs a function. */
  invoke: (functionArn: string, event: Json) => Promise<Json>;
  /** Receives failures of asynchronous invocations. */
  onFailure: (message: string) => void;
  triggers: () => Triggers;
}

/** The qualifier of the unpublished version. */
const LATEST = '$LATEST';

/** Makes the service. */
export function lambdaService({ region, functions, invoke, onFailure, triggers }: LambdaServiceOptions): AwsService {
  const find = (name: Json | undefined) => {
    const text = optionalString(name, 'FunctionName') ?? '';
    const found = functions.find((fn) => fn.name === text || fn.arn === text);
    if (found === undefined) throw new AwsError('ResourceNotFoundException', `Function not found: ${text}`, 404);
    return found;
  };
  /** With a qualifier, a policy has to allow the qualified name (Lambda Developer Guide, "Resources and conditions for Lambda actions"). */
  const invokedArn = (input: JsonObject): string => {
    const { arn } = find(input.FunctionName);
    const qualifier = optionalString(input.Qualifier, 'Qualifier');
    if (qualifier === undefined) return arn;
    if (qualifier !== LATEST) throw new AwsError('NotEmulated', 'Versions and aliases are not emulated locally.', 501);
    return `${arn}:${LATEST}`;
  };
  const mappingArn = (uuid: string): string =>
    `arn:aws:lambda:${region}:${LOCAL_ACCOUNT_ID}:event-source-mapping:${uuid}`;

  async function call(operation: string, input: JsonObject): Promise<JsonObject> {
    switch (operation) {
      case 'Invoke': {
        const { name } = find(input.FunctionName);
        const arn = invokedArn(input);
        const answer = invoke(arn, input.Payload ?? null);
        if (input.InvocationType === 'Event') {
          answer.catch((error: unknown) => onFailure(`${name}: ${errorMessage(error)}`));
          return {};
        }
        try {
          return Object(await answer);
        } catch (error) {
          throw new AwsError('ServiceException', errorMessage(error), 500);
        }
      }
      case 'ListEventSourceMappings': {
        const fn = input.FunctionName === undefined ? undefined : find(input.FunctionName);
        const own = triggers().mappings.filter(({ trigger }) => fn === undefined || trigger.functionArn === fn.arn);
        return { EventSourceMappings: own.map(shown) };
      }
      case 'GetEventSourceMapping': {
        const found = triggers().mappings.find(({ uuid }) => uuid === input.UUID);
        if (found === undefined)
          throw new AwsError('ResourceNotFoundException', 'The resource you requested does not exist.', 404);
        return shown(found);
      }
      case 'CreateEventSourceMapping': {
        const fn = find(input.FunctionName);
        const like = triggers().mappings.find(({ trigger }) => trigger.functionArn === fn.arn)?.trigger;
        if (like === undefined || input.BatchSize !== like.batchSize) {
          throw new AwsError(
            'NotEmulated',
            'A trigger other than the function’s present one is not emulated locally.',
            501,
          );
        }
        return shown(await triggers().create(like, asString(input.EventSourceArn, 'EventSourceArn')));
      }
      default:
        throw new AwsError('NotEmulated', `Lambda ${operation} is not emulated locally.`, 501);
    }
  }

  return {
    access(operation, input): RequiredAccess[] {
      if (operation === 'Invoke') return [{ action: 'lambda:InvokeFunction', resource: invokedArn(input) }];
      const resource = operation === 'GetEventSourceMapping' ? mappingArn(String(input.UUID)) : '*';
      return [{ action: `lambda:${operation}`, resource }];
    },
    call,
  };
}

/** "EventSourceMappingConfiguration", AWS Lambda API reference. */
function shown({ uuid, streamArn, trigger }: TriggerMapping): JsonObject {
  return {
    UUID: uuid,
    State: 'Enabled',
    EventSourceArn: streamArn,
    FunctionArn: trigger.functionArn,
    StartingPosition: trigger.startsFromOldest ? 'TRIM_HORIZON' : 'LATEST',
    BatchSize: trigger.batchSize,
    BisectBatchOnFunctionError: trigger.bisectsOnError,
    FunctionResponseTypes: trigger.reportsFailures ? ['ReportBatchItemFailures'] : [],
    MaximumRetryAttempts: trigger.maximumRetryAttempts,
    MaximumRecordAgeInSeconds: trigger.maximumRecordAgeSec,
    FilterCriteria: { Filters: trigger.filters.map((filter) => ({ Pattern: JSON.stringify(filter) })) },
    ...(trigger.deadLettersArn === undefined
      ? {}
      : { DestinationConfig: { OnFailure: { Destination: trigger.deadLettersArn } } }),
  };
}
