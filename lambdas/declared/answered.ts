import { refusedBy } from './declaration-error.ts';
import type { ApiAnswer, ApiCall, Declaring } from './ports.ts';

/** Makes a call. @returns the body of its answer @throws DeclarationError as {@link bodyOf} */
export async function answered({ api }: Pick<Declaring, 'api'>, call: ApiCall, property: string): Promise<unknown> {
  return bodyOf(await api(call), property);
}

/** The body of an answer. @param property that a refusal names where it names none itself @throws DeclarationError */
export function bodyOf({ status, body }: ApiAnswer, property: string): unknown {
  if (status >= 300) throw refusedBy(status, body, property);
  return body;
}

/** Whether a record of the API belongs to the resource that asks. */
export function isOwn(
  { stack }: Pick<Declaring, 'stack'>,
  managedBy: { readonly stack_id: string; readonly resources: readonly string[] } | null,
): boolean {
  return managedBy?.stack_id === stack.stackId && managedBy.resources.includes(stack.resource);
}
