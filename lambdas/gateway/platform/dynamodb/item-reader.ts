/**
 * Reads stored items without trusting their shape: a row of an unknown form is an error, never a half-read record (F66).
 */
export type Item = Readonly<Record<string, unknown>>;

/** A stored item does not have the form this code writes. */
export class UnreadableItemError extends Error {
  readonly attribute: string;
  constructor(attribute: string) {
    super(`A stored item has an unreadable attribute: ${attribute}`);
    this.name = 'UnreadableItemError';
    this.attribute = attribute;
  }
}

/** Told of a row that a list leaves out: its item, and what of it cannot be read. */
export type OnUnreadable = (item: Item, error: UnreadableItemError) => void;

/** Items as what they store. One that cannot be read is reported and left out, so that it hides no other (CR-10). */
export function readable<T>(items: readonly Item[], read: (item: Item) => T, onUnreadable: OnUnreadable): T[] {
  return items.flatMap((item) => {
    try {
      return [read(item)];
    } catch (error) {
      if (!(error instanceof UnreadableItemError)) throw error;
      onUnreadable(item, error);
      return [];
    }
  });
}

export function str(item: Item, attribute: string): string {
  const value = item[attribute];
  if (typeof value !== 'string') throw new UnreadableItemError(attribute);
  return value;
}

export function optionalStr(item: Item, attribute: string): string | undefined {
  return item[attribute] === undefined || item[attribute] === null ? undefined : str(item, attribute);
}

export function num(item: Item, attribute: string): number {
  const value = item[attribute];
  if (typeof value !== 'number') throw new UnreadableItemError(attribute);
  return value;
}

export function optionalNum(item: Item, attribute: string): number | undefined {
  return item[attribute] === undefined || item[attribute] === null ? undefined : num(item, attribute);
}

export function bool(item: Item, attribute: string): boolean {
  const value = item[attribute];
  if (typeof value !== 'boolean') throw new UnreadableItemError(attribute);
  return value;
}

export function strings(item: Item, attribute: string): string[] {
  const value = item[attribute];
  if (!Array.isArray(value)) throw new UnreadableItemError(attribute);
  return value.map((element: unknown) => {
    if (typeof element !== 'string') throw new UnreadableItemError(attribute);
    return element;
  });
}

export function numbers(item: Item, attribute: string): number[] {
  const value = item[attribute];
  if (!Array.isArray(value)) throw new UnreadableItemError(attribute);
  return value.map((element: unknown) => {
    if (typeof element !== 'number') throw new UnreadableItemError(attribute);
    return element;
  });
}

export function optionalMap(item: Item, attribute: string): Item | undefined {
  const value = item[attribute];
  if (value === undefined || value === null) return undefined;
  if (!isMap(value)) throw new UnreadableItemError(attribute);
  return value;
}

export function stringMap(item: Item, attribute: string): Record<string, string> {
  const map = optionalMap(item, attribute) ?? {};
  return Object.fromEntries(Object.keys(map).map((key) => [key, str(map, key)]));
}

export function oneOf<T extends string>(item: Item, attribute: string, allowed: readonly T[]): T {
  const value = str(item, attribute);
  const found = allowed.find((candidate) => candidate === value);
  if (found === undefined) throw new UnreadableItemError(attribute);
  return found;
}

function isMap(value: unknown): value is Item {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
