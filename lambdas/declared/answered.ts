import { refusedBy } from './declaration-error.ts';
import type { ApiCall, Declaring } from './ports.ts';

/** The body of an answer. @param property that a refusal names where it names none itself @throws DeclarationError */
export async function answered({ api }: Pick<Declaring, 'api'>, call: ApiCall, property: string): Promise<unknown> {
  const { status, body } = await api(call);
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
