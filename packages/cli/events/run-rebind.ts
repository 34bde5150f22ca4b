import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { LambdaClient } from '@aws-sdk/client-lambda';
import { awsClient } from '../../../lambdas/gateway/platform/aws-client.ts';
import { openTable } from '../../../lambdas/gateway/platform/dynamodb/client.ts';
import { mustConfirm } from '../ask.ts';
import { OPERATOR_LIMITS } from '../aws-limits.ts';
import { Progress } from '../bulk/progress.ts';
import { stopOnInterrupt } from '../bulk/stop-on-interrupt.ts';
import { note, printJson, printLine } from '../output.ts';
import { CommandProblem, EXIT } from '../problems.ts';
import { explainAwsError } from '../table/explain-aws-error.ts';
import { newestEventBefore, replayEvents } from './replay.ts';
import { bindTrigger, type EventPath, enableStream, readerOf, streamOf, triggersOf } from './trigger.ts';

/** After this, older events are on the bus, or were dropped with an alarm (the trigger's MaximumRecordAgeInSeconds). */
const GIVEN_UP_AFTER_MS = 3_600_000;

/** Options of the commands. */
export interface EventPathOptions {
  readonly path: EventPath;
  readonly region?: string | undefined;
  readonly account: string;
  readonly since?: string;
  readonly until?: string;
  /** Of rebind: `--no-replay`. */
  readonly replay?: boolean;
  readonly json?: boolean;
  readonly yes?: boolean;
}

function clientsOf({ region }: EventPathOptions) {
  return {
    dynamoDb: awsClient(DynamoDBClient, OPERATOR_LIMITS, region),
    // A call of the function takes as long as the bus does.
    lambda: awsClient(LambdaClient, { ...OPERATOR_LIMITS, attempts: 1, answerMs: 90_000 }, region),
  };
}

/** Leads events of the table's present stream to the function, and puts those on the bus that were in no stream. @throws CommandProblem */
export async function runRebind(options: EventPathOptions): Promise<void> {
  const { path, json = false } = options;
  const { dynamoDb, lambda } = clientsOf(options);
  try {
    const present = await streamOf(dynamoDb, path.tableName);
    const triggers = await triggersOf(lambda, path.functionName);
    const bound = present === undefined ? undefined : readerOf(triggers, present.arn);
    if (present !== undefined && bound !== undefined) {
      if (json) printJson({ stream: present.arn, trigger: bound.UUID, bound: false, replayed: 0 });
      else printLine(`The events function reads the table's present stream already: ${present.arn}`);
      return;
    }
    const what = present === undefined ? 'Enable the stream of' : 'Lead events of the present stream of';
    await mustConfirm(`${what} ${path.tableName} to ${path.functionName}?`, options.yes === true);
    const stream = present ?? (await enableStream(dynamoDb, path.tableName));
    const trigger = await bindTrigger(lambda, path.functionName, triggers, stream.arn);
    if (!json) printLine(`Trigger ${trigger} reads ${stream.arn}`);
    const replayed = options.replay === false ? undefined : await replay(options, lambda, stream.enabledAtMs);
    if (json)
      printJson({ stream: stream.arn, trigger, bound: true, replayed: replayed?.count ?? 0, since: replayed?.since });
  } catch (error) {
    throw explainAwsError(error);
  }
}

/** Puts events of a time on the bus once more. @throws CommandProblem */
export async function runReplay(options: EventPathOptions): Promise<void> {
  if (options.since === undefined)
    throw new CommandProblem('From when on? Give --since, such as --since 2026-11-20T09:00:00Z.');
  const { lambda } = clientsOf(options);
  try {
    await mustConfirm(
      `Put the events of ${options.account} since ${options.since} on the bus once more? Receivers see those again that they had, under the same event_id.`,
      options.yes === true,
    );
    const done = await replay(options, lambda, Date.now());
    if (options.json === true) printJson({ replayed: done?.count ?? 0, since: done?.since });
  } catch (error) {
    throw explainAwsError(error);
  }
}

/** @param untilMs newer events are in the stream */
async function replay(
  options: EventPathOptions,
  lambda: LambdaClient,
  untilMs: number,
): Promise<{ readonly count: number; readonly since: string } | undefined> {
  const { path, account: accountId, json = false } = options;
  const table = openTable(path.tableName, undefined, OPERATOR_LIMITS);
  const end = options.until === undefined ? untilMs : Date.parse(options.until);
  const newestMs = options.since === undefined ? await newestEventBefore(table, accountId, end) : undefined;
  if (options.since === undefined && newestMs === undefined) {
    if (!json) printLine('There are no earlier events to put on the bus.');
    return undefined;
  }
  const sinceMs = options.since === undefined ? (newestMs ?? 0) - GIVEN_UP_AFTER_MS : Date.parse(options.since);
  const since = new Date(sinceMs).toISOString();
  const interrupt = stopOnInterrupt();
  const progress = new Progress('replaying');
  try {
    const { count, stopped } = await replayEvents({
      ...{ table, lambda, functionName: path.functionName, accountId, sinceMs, untilMs: end },
      onProgress: (done) => progress.update({ events: done }),
      signal: interrupt.signal,
    });
    if (!json)
      printLine(`${count} events since ${since} are on the bus; receivers know those that they had by their event_id.`);
    if (stopped) {
      note('Not everything is done yet: run the same command again.');
      process.exitCode = EXIT.unfinished;
    }
    return { count, since };
  } finally {
    interrupt.done();
  }
}
