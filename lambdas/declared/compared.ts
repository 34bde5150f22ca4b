import type { Compared } from './ports.ts';

/** A member that has another value than its resource declares, by its name in the API. */
export interface DifferentMember {
  readonly name: string;
  readonly declared: unknown;
  readonly now: unknown;
}

/** What differs; a member that the gateway does not have is null. */
export function differentMembers({ declared, now }: Compared): readonly DifferentMember[] {
  return Object.entries(declared)
    .map(([name, value]) => ({ name, declared: value, now: now[name] ?? null }))
    .filter((one) => inOrder(one.declared) !== inOrder(one.now));
}

/** Whether the gateway has what a resource declares. */
export function isSame(compared: Compared): boolean {
  return differentMembers(compared).length === 0;
}

/** Text that is the same for equal values, whatever the order of their members. */
function inOrder(value: unknown): string {
  return JSON.stringify(value ?? null, (_name, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).toSorted(([a], [b]) => a.localeCompare(b)))
      : part,
  );
}
