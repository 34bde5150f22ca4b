import { MEDIA, type MethodMeaning } from './provider.rules.ts';

/** Whether a name is a whole API's, such as `drive.*`, or a group of its methods, such as `drive.files.*`. */
const GROUP = /^(.+\.)\*$/;

/**
 * Ids that a name stands for: a method, `drive.files.*`, or a set such as `drive:read`, which brings `drive:metadata`. Undefined for a
 * name that stands for none.
 */
export function methodsNamed(name: string, all: readonly MethodMeaning[]): readonly string[] | undefined {
  const group = GROUP.exec(name)?.[1];
  const found = all.filter(({ id, set }) => {
    if (group !== undefined) return id.startsWith(group);
    return name === id || name === set || (name.endsWith(':read') && set === name.replace(/read$/, 'metadata'));
  });
  return found.length === 0 ? undefined : found.map(({ id }) => id);
}

/** What is named, by the API's names of members. */
export interface NamedMethods {
  readonly allow?: readonly string[] | undefined;
  readonly deny?: readonly string[] | undefined;
  /** Classes of changes are among them. */
  readonly approve?: readonly string[] | undefined;
}

/** Ids of the methods that are named for approval, classes left out; undefined where nothing is. */
export function methodsToApprove(
  { approve }: NamedMethods,
  all: readonly MethodMeaning[],
): readonly string[] | undefined {
  return approve && [...new Set(approve.flatMap((name) => methodsNamed(name, all) ?? []))];
}

/**
 * Ids that are left: those that are allowed, or all where none is named, less those that are denied. To deny a method denies it also
 * where it answers with bytes. Undefined where no methods are named, not for approval either: what a later version knows could else pass
 * unasked.
 */
export function methodsLeft(
  { allow, deny, approve }: NamedMethods,
  all: readonly MethodMeaning[],
): readonly string[] | undefined {
  if (allow === undefined && deny === undefined && approve === undefined) return undefined;
  const idsOf = (names: readonly string[]) => new Set(names.flatMap((name) => methodsNamed(name, all) ?? []));
  const allowed = allow === undefined ? new Set(all.map(({ id }) => id)) : idsOf(allow);
  const denied = idsOf(deny ?? []);
  return [...allowed].filter((id) => !denied.has(id) && !denied.has(id.replace(MEDIA, '')));
}
