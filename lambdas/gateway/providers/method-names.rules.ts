import { MEDIA, type MethodMeaning } from './provider.rules.ts';

/** Whether a name covers a whole API, such as `drive.*`, or a group of its methods, such as `drive.files.*`. */
const GROUP = /^(.+\.)\*$/;

/**
 * Ids of the methods that a name covers: a method, `drive.files.*`, or a set such as `drive:read`, which includes `drive:metadata`.
 * Undefined for an unknown name.
 */
export function methodsNamed(name: string, all: readonly MethodMeaning[]): readonly string[] | undefined {
  const group = GROUP.exec(name)?.[1];
  const found = all.filter(({ id, set }) => {
    if (group !== undefined) return id.startsWith(group);
    return name === id || name === set || (name.endsWith(':read') && set === name.replace(/read$/, 'metadata'));
  });
  return found.length === 0 ? undefined : found.map(({ id }) => id);
}

/** Named methods, under the API's names of members. */
export interface NamedMethods {
  readonly allow?: readonly string[] | undefined;
  readonly deny?: readonly string[] | undefined;
  /** Classes of changes are among them. */
  readonly approve?: readonly string[] | undefined;
}

/** Ids of the methods that need approval, without classes; undefined without any. */
export function methodsToApprove(
  { approve }: NamedMethods,
  all: readonly MethodMeaning[],
): readonly string[] | undefined {
  return approve && [...new Set(approve.flatMap((name) => methodsNamed(name, all) ?? []))];
}

/**
 * Ids of the remaining methods: the allowed ones, or all where none is named, minus the denied ones. Denying a method also denies it
 * where it answers with bytes. Undefined where no methods are named, even for approval: otherwise a later version's methods could pass
 * without approval.
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
