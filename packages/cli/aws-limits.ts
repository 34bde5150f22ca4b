import type { AwsCallLimits } from '../../lambdas/gateway/platform/aws-client.ts';

/** Calls of AWS services from an operator's computer: the line may be slow, and a page of the table has a megabyte. */
export const OPERATOR_LIMITS: AwsCallLimits = {
  attempts: 4,
  connectMs: 5_000,
  answerMs: 30_000,
  lastRepeatMs: 60_000,
};
