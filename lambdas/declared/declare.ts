import { DECLARED_KINDS } from '../features/declared-kinds.ts';
import { ownMember } from '../gateway/core/own-member.ts';
import type { Logger } from '../gateway/core/ports.ts';
import { callerKind } from './caller.ts';
import { DeclarationError } from './declaration-error.ts';
import { NOTHING_MADE, type Outcome, type StackEvent } from './event.ts';
import { integrationKind } from './integration.ts';
import { keyKind } from './key.ts';
import type { Declaring } from './ports.ts';
import { type Run, runner } from './runner.ts';

/** Kinds by the type that templates give their resources. */
const KINDS: Readonly<Record<string, Run>> = {
  'Custom::GatewayIntegration': runner(integrationKind),
  'Custom::GatewayCaller': runner(callerKind),
  'Custom::GatewayKey': runner(keyKind),
  ...Object.fromEntries(Object.values(DECLARED_KINDS).map(({ type, run }) => [type, run])),
};

/** Types of resources, as templates name them. */
export const RESOURCE_TYPES: readonly string[] = Object.keys(KINDS);

/** What works on resources of a type; undefined for a type that the gateway does not have. */
export function runnerOf(type: string): Run | undefined {
  return ownMember(KINDS, type);
}

/**
 * Does what CloudFormation asks for one resource. The same request again has the same result; whatever fails becomes an outcome with one
 * sentence, and the log has the rest.
 */
export async function declare(declaring: Declaring, event: StackEvent): Promise<Outcome> {
  const failed = (reason: string): Outcome => ({ status: 'FAILED', physicalId: formerId(event), reason });
  try {
    const run = runnerOf(event.ResourceType);
    if (run === undefined) {
      return failed(`Type: the gateway has no ${event.ResourceType}; it has ${RESOURCE_TYPES.join(', ')}.`);
    }
    return await run.perform(declaring, event);
  } catch (error) {
    if (error instanceof DeclarationError) return failed(error.message);
    logFailure(declaring.logger, event, error);
    return failed(`The gateway failed; its log has the reason under the request id ${event.RequestId}.`);
  }
}

/** What CloudFormation knows the resource by; of one that failed to be created it deletes nothing. */
function formerId(event: StackEvent): string {
  return event.RequestType === 'Create' ? NOTHING_MADE : event.PhysicalResourceId;
}

function logFailure(logger: Logger, event: StackEvent, error: unknown): void {
  logger.error('a resource of a stack failed', { requestId: event.RequestId, cause: event.ResourceType }, error);
}
