import * as z from 'zod';
import { LOGICAL_ID, STACK_ID } from '../gateway/core/managed-by.rules.ts';

const properties = z.record(z.string(), z.unknown());

const common = {
  ResponseURL: z.url(),
  StackId: z.string().regex(STACK_ID),
  RequestId: z.string().min(1),
  ResourceType: z.string(),
  LogicalResourceId: z.string().regex(LOGICAL_ID),
  ResourceProperties: properties.default({}),
};

/** A request of CloudFormation's (User Guide, "Custom resource request objects"). */
export const stackEvent = z.discriminatedUnion('RequestType', [
  z.looseObject({ RequestType: z.literal('Create'), ...common }),
  z.looseObject({
    RequestType: z.literal('Update'),
    ...common,
    PhysicalResourceId: z.string(),
    OldResourceProperties: properties.default({}),
  }),
  z.looseObject({ RequestType: z.literal('Delete'), ...common, PhysicalResourceId: z.string() }),
]);

export type StackEvent = z.output<typeof stackEvent>;

/** Bytes that CloudFormation takes as an answer (User Guide, "Custom resource response objects"). */
const ANSWER_MAX_BYTES = 4096;
const REASON_MAX_LENGTH = 1000;

/** How the work on a resource ended. */
export type Outcome =
  | {
      readonly status: 'SUCCESS';
      readonly physicalId: string;
      readonly attributes: Readonly<Record<string, string>>;
    }
  | { readonly status: 'FAILED'; readonly physicalId: string; readonly reason: string };

/** The answer to CloudFormation. @throws Error where it would be too large to be accepted */
export function answerTo(event: StackEvent, outcome: Outcome): string {
  const answer = JSON.stringify({
    Status: outcome.status,
    PhysicalResourceId: outcome.physicalId,
    StackId: event.StackId,
    RequestId: event.RequestId,
    LogicalResourceId: event.LogicalResourceId,
    ...(outcome.status === 'SUCCESS'
      ? { Data: outcome.attributes }
      : { Reason: outcome.reason.slice(0, REASON_MAX_LENGTH).toWellFormed() }),
  });
  if (Buffer.byteLength(answer) > ANSWER_MAX_BYTES) throw new Error('The answer to CloudFormation is too large');
  return answer;
}

/** Id of a resource of which nothing was made: what CloudFormation deletes then is nothing. */
export const NOTHING_MADE = 'nothing-made';
