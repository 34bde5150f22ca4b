import * as z from 'zod';
import { type Changing, type ManagedBy, stackNameOf } from '../../gateway/core/managed-by.rules.ts';
import { texts } from '../../gateway/openapi/answer-parts.ts';
import { documented } from '../../gateway/openapi/documented.ts';
import type { AnswerOf } from '../../gateway/openapi/operation.ts';
import type { Caller } from '../route.ts';
import { booleanParam } from './common.ts';

/** The stack that declares a record, in the API's spelling. */
export const managedByAnswer = documented(() =>
  z
    .object({ stack: z.string(), stack_id: z.string(), resources: texts() })
    .meta({ id: 'ManagedBy', description: 'The CloudFormation stack that declares this, with its logical ids.' }),
);

export function managedByOnTheWire({ stackId, resources }: ManagedBy): AnswerOf<typeof managedByAnswer> {
  return { stack: stackNameOf(stackId), stack_id: stackId, resources: [...resources] };
}

/** Query of routes that change what a stack may declare. */
export const forceQuery = z.strictObject({
  force: booleanParam.optional().meta({ description: 'Make the change even if a CloudFormation stack declares this.' }),
});

/** Who asks for a change. */
export function changing({ stack }: Pick<Caller, 'stack'>, query: { readonly force?: boolean | undefined }): Changing {
  return { stack, force: query.force === true };
}
