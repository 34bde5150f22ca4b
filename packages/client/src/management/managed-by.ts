import { optionalFields, text, textList, type Unread } from '../http/fields.ts';
import type * as wire from './wire.ts';

/** The CloudFormation stack that declares something. */
export interface ManagedBy {
  /** Its name. */
  readonly stack: string;
  /** Its ARN. */
  readonly stackId: string;
  /** Logical ids of the resources. */
  readonly resources: readonly string[];
}

/** The stack that an answer names; undefined where there is none. @throws UnexpectedAnswerError */
export function readManagedBy(fields: Unread<{ readonly managed_by: wire.ManagedBy | null }>): ManagedBy | undefined {
  const managedBy = optionalFields(fields, 'managed_by');
  if (managedBy === undefined) return undefined;
  return {
    stack: text(managedBy, 'stack'),
    stackId: text(managedBy, 'stack_id'),
    resources: textList(managedBy, 'resources'),
  };
}
