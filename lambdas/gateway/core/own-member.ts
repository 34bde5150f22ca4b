/**
 * A record's own member by a name from outside; undefined for inherited names, such as `constructor`, so that no name reads a function
 * where a value is expected (AK-16).
 */
export function ownMember<T>(record: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(record, name) ? record[name] : undefined;
}
