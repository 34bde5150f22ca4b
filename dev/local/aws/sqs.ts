/** Amazon SQS as far as the gateway uses it: queues of undeliverable events. */
import { randomUUID } from 'node:crypto';
import { appendFile } from 'node:fs/promises';
import { asString, type JsonObject } from '../../tools/json.ts';
import type { RequiredAccess } from '../iam/judge.ts';
import type { LocalQueue } from '../template/queues.ts';
import { AwsError } from './aws-error.ts';
import type { AwsService } from './server.ts';

/** A message as it was put into a queue. */
export interface QueuedMessage {
  queueArn: string;
  body: string;
}

export interface Queues {
  /** Every message since the start, in order. */
  readonly messages: readonly QueuedMessage[];
  /** Puts a message into a queue. @throws Error when there is no such queue. */
  put(queueArn: string, body: string): Promise<void>;
  /** `SendMessage` of its API, into the same place. */
  service: AwsService;
}

export interface QueuesOptions {
  queues: readonly LocalQueue[];
  /** Messages are appended here, one JSON object a line. */
  filePath: string;
}

/** Opens the queues of the template. */
export function openQueues({ queues, filePath }: QueuesOptions): Queues {
  const messages: QueuedMessage[] = [];
  const find = (matches: (queue: LocalQueue) => boolean): LocalQueue => {
    const found = queues.find(matches);
    if (found === undefined) {
      throw new AwsError('QueueDoesNotExist', 'The specified queue does not exist.', 400);
    }
    return found;
  };
  const byUrl = (input: JsonObject): LocalQueue => {
    const url = asString(input.QueueUrl, 'QueueUrl');
    return find((queue) => queue.url === url);
  };
  const put = async (queueArn: string, body: string): Promise<void> => {
    const message = { queueArn: find(({ arn }) => arn === queueArn).arn, body };
    await appendFile(filePath, `${JSON.stringify(message)}\n`, { mode: 0o600 });
    messages.push(message);
  };
  return {
    messages,
    put,
    service: {
      access(operation, input): RequiredAccess[] {
        requireSendMessage(operation);
        return [{ action: 'sqs:SendMessage', resource: byUrl(input).arn }];
      },
      async call(operation, input) {
        requireSendMessage(operation);
        await put(byUrl(input).arn, asString(input.MessageBody, 'MessageBody'));
        return { MessageId: randomUUID() };
      },
    },
  };
}

function requireSendMessage(operation: string): void {
  if (operation !== 'SendMessage') throw new AwsError('NotEmulated', `SQS ${operation} is not emulated locally.`, 501);
}
