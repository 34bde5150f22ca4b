/** Lambda's API as the gateway and its operators use it: invocations, and the triggers of functions. */

import { asString, errorMessage, type Json, type JsonObject, optionalString } from '../../tools/json.ts';
import type { RequiredAccess } from '../iam/judge.ts';
import type { InvocationOutcome } from '../lambda/outcome.ts';
import type { LocalFunction } from '../template/functions.ts';
import { LOCAL_ACCOUNT_ID } from '../template/references.ts';
import type { TriggerMapping, Triggers } from '../triggers.ts';
import { AwsError } from './aws-error.ts';
import { EventStream, eventMessage } from './event-stream.ts';
import type { AwsService } from './server.ts';

export interface LambdaServiceOptions {
  region: string;
  functions: readonly Pick<LocalFunction, 'name' | 'arn'>[];
  aliasArns: readonly string[];
  /** Runs a function, by a name of it, and reads its whole result. */
  invoke: (invokedArn: string, event: Json) => Promise<Json>;
  /** Runs a function, by a name of it. */
  run: (invokedArn: string, event: Json) => Promise<InvocationOutcome>;
  /** Receives failures of asynchronous invocations. */
  onFailure: (message: string) => void;
  triggers: () => Triggers;
}

/** The qualifier of the unpublished version. */
const LATEST = '$LATEST';

/** Makes the service. */
export function lambdaService(options: LambdaServiceOptions): AwsService {
  const { region, functions, aliasArns, invoke, run, onFailure, triggers } = options;
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
    const qualified = `${arn}:${qualifier}`;
    if (qualifier !== LATEST && !aliasArns.includes(qualified))
      throw new AwsError('ResourceNotFoundException', `Function not found: ${qualified}`, 404);
    return qualified;
  };
  const mappingArn = (uuid: string): string =>
    `arn:aws:lambda:${region}:${LOCAL_ACCOUNT_ID}:event-source-mapping:${uuid}`;

  async function call(operation: string, input: JsonObject): Promise<JsonObject | EventStream> {
    switch (operation) {
      case 'InvokeWithResponseStream':
        return streamed(await run(invokedArn(input), input.Payload ?? null));
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
      if (operation === 'Invoke' || operation === 'InvokeWithResponseStream')
        return [{ action: 'lambda:InvokeFunction', resource: invokedArn(input) }];
      const resource = operation === 'GetEventSourceMapping' ? mappingArn(String(input.UUID)) : '*';
      return [{ action: `lambda:${operation}`, resource }];
    },
    call,
  };
}

/** An answer as Lambda streams it: chunks, then whether the function failed ("InvokeWithResponseStream", AWS Lambda API reference). */
function streamed(outcome: InvocationOutcome): EventStream {
  if (outcome.kind === 'throttled') throw new AwsError('TooManyRequestsException', 'Rate Exceeded.', 429);
  return new EventStream(eventsOf(outcome));
}

async function* eventsOf(outcome: Exclude<InvocationOutcome, { kind: 'throttled' }>): AsyncGenerator<Buffer> {
  const chunk = (bytes: Buffer) => eventMessage('PayloadChunk', 'application/octet-stream', bytes);
  const complete = (error: JsonObject = {}) =>
    eventMessage('InvokeComplete', 'application/json', Buffer.from(JSON.stringify(error)));
  switch (outcome.kind) {
    case 'buffered':
      yield chunk(outcome.payload);
      return yield complete();
    case 'streaming':
      for await (const bytes of outcome.body) yield chunk(bytes);
      return yield complete(errorOfTrailers(outcome.body.trailers));
    case 'failed':
      yield chunk(Buffer.from(JSON.stringify(outcome.error)));
      return yield complete({ ErrorCode: 'Unhandled', ErrorDetails: outcome.error.errorType });
    case 'timed-out':
      return yield complete({ ErrorCode: 'Sandbox.Timedout', ErrorDetails: 'The function ran out of time.' });
    case 'crashed':
      return yield complete({ ErrorCode: 'Runtime.ExitError', ErrorDetails: outcome.reason });
  }
}

/** A streaming function that fails says so behind its answer. */
function errorOfTrailers(trailers: NodeJS.Dict<string>): JsonObject {
  const ErrorCode = trailers['lambda-runtime-function-error-type'];
  return ErrorCode === undefined ? {} : { ErrorCode, ErrorDetails: '' };
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
