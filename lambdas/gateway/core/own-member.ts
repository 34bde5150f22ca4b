/**
 * A member of a record that is looked up by a name from outside; undefined for what every object inherits, such as `constructor`, so that
 * no name reads a function where a value is expected (AK-16).
 */
export function ownMember<T>(record: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(record, name) ? record[name] : undefined;
}
