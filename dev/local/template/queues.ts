/** `AWS::SQS::Queue` -> a queue that takes messages. */
import type { ResolvedResource } from './resolved.ts';
import { requireKnownProperties } from './resource.ts';

export interface LocalQueue {
  logicalId: string;
  arn: string;
  url: string;
}

const KNOWN_PROPERTIES = [
  'KmsMasterKeyId',
  'MessageRetentionPeriod',
  'QueueName',
  'SqsManagedSseEnabled',
  'Tags',
  'VisibilityTimeout',
];

/** Reads one queue. @throws Error for a property that would change the handling of messages. */
export function readQueue({ logicalId, arn, reference, properties }: ResolvedResource): LocalQueue {
  requireKnownProperties(properties, KNOWN_PROPERTIES, logicalId);
  return { logicalId, arn, url: reference };
}
