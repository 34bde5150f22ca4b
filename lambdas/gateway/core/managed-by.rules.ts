/** Records that a CloudFormation stack declares: who may change them, and which of its resources they belong to. */
import { GatewayError } from './errors.ts';

/** The stack that declares a record. */
export interface ManagedBy {
  /** ARN of the stack, which a stack of the same name that is created later does not have. */
  readonly stackId: string;
  /** Logical ids of the resources that declare it: two while a template moves it from one to the other. */
  readonly resources: readonly string[];
}

/** A resource of a stack, as a caller. */
export interface StackResource {
  readonly stackId: string;
  readonly resource: string;
}

/** Who asks for a change of a record that a stack may declare. */
export interface Changing {
  /** Undefined: a key, a role or an operator. */
  readonly stack: StackResource | undefined;
  /** Whether they want it although a stack declares the record. */
  readonly force: boolean;
}

/** ARN of a stack: `arn:aws:cloudformation:<region>:<account>:stack/<name>/<id>` (CloudFormation, "AWS::StackId"). */
export const STACK_ID =
  /^arn:[a-z-]+:cloudformation:[a-z0-9-]+:\d{12}:stack\/([A-Za-z][A-Za-z0-9-]{0,127})\/[A-Za-z0-9-]{1,64}$/;

/** Logical id of a resource: letters and digits (CloudFormation, "Resources section structure"). */
export const LOGICAL_ID = /^[A-Za-z0-9]{1,255}$/;

/** Name in a stack's ARN. */
export function stackNameOf(stackId: string): string {
  return STACK_ID.exec(stackId)?.[1] ?? stackId;
}

/** A stack's name in the audit trail. */
export function stackActor({ stackId }: StackResource): string {
  return `stack:${stackNameOf(stackId)}`;
}

/** What a new record says of the stack that creates it. */
export function managedFrom({ stackId, resource }: StackResource): ManagedBy {
  return { stackId, resources: [resource] };
}

/**
 * What a record says of its stack after a change.
 *
 * @param what the record in a word, such as `integration`
 * @throws GatewayError `conflict` for a stack that does not declare it, and for everyone else without `force`
 */
export function managedAfter(
  current: ManagedBy | undefined,
  { stack, force }: Changing,
  what: string,
): ManagedBy | undefined {
  if (stack !== undefined) {
    const { resources } = declaredBySame(current, stack, what);
    return { stackId: stack.stackId, resources: [...new Set([...resources, stack.resource])] };
  }
  if (current !== undefined && !force) {
    throw new GatewayError(
      'conflict',
      `The stack ${stackNameOf(current.stackId)} declares this ${what} (resource ${current.resources.join(' and ')}). Change it there, or send force=true.`,
    );
  }
  return current;
}

/**
 * What is left when a stack's resource no longer declares a record; undefined: nothing does, and it may be deleted.
 *
 * @throws GatewayError `conflict` for a resource that does not declare it
 */
export function managedWithout(
  current: ManagedBy | undefined,
  stack: StackResource,
  what: string,
): ManagedBy | undefined {
  const { resources } = declaredBySame(current, stack, what);
  if (!resources.includes(stack.resource)) throw new GatewayError('conflict', notDeclaredHere(what));
  const left = resources.filter((one) => one !== stack.resource);
  return left.length === 0 ? undefined : { stackId: stack.stackId, resources: left };
}

function declaredBySame(current: ManagedBy | undefined, stack: StackResource, what: string): ManagedBy {
  if (current?.stackId === stack.stackId) return current;
  throw new GatewayError(
    'conflict',
    current === undefined
      ? notDeclaredHere(what)
      : `The stack ${stackNameOf(current.stackId)} declares this ${what}, so another stack cannot change it.`,
  );
}

function notDeclaredHere(what: string): string {
  return `This ${what} was not created by this resource of the stack, so the resource cannot change it.`;
}
