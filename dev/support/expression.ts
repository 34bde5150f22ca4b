import { isDeepStrictEqual } from 'node:util';

export type Item = Record<string, unknown>;

/** What the placeholders of a call's expressions stand for. */
export interface Placeholders {
  readonly ExpressionAttributeNames?: Readonly<Record<string, string>> | undefined;
  readonly ExpressionAttributeValues?: Item | undefined;
}

/** A refusal as the SDK throws it. */
export function named(name: string, message: string): Error {
  return Object.assign(new Error(message), { name, $fault: 'client' });
}

/** A refusal that stores expect: without a stack, which would be most of its time. */
export function expected(name: string, message: string): Error {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  const error = named(name, message);
  Error.stackTraceLimit = stackTraceLimit;
  return error;
}

const copies = new WeakSet<object>();

/** A copy as the document client stores it, which nobody changes: anyone who reads it gets it as it is. */
export function stored<T>(value: T): T;
export function stored(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value) || copies.has(value)) return value;
  if (Array.isArray(value)) return kept(value.map(stored));
  const copy: Item = {};
  for (const [name, member] of Object.entries(value)) if (member !== undefined) copy[name] = stored(member);
  return kept(copy);
}

/** A copy that is complete. */
function kept<T extends object>(copy: T): T {
  copies.add(copy);
  return Object.freeze(copy);
}

/** DynamoDB's answer to a request that is none. */
export function invalid(message: string): Error {
  return named('ValidationException', message);
}

/** Its answer to an update that an item does not allow: of a transaction, a reason of being cancelled. */
export class ItemRefusal extends Error {
  override readonly name = 'ValidationException';
  readonly $fault = 'client';
}

type Path = readonly string[];
type Operand = { readonly path: Path } | { readonly value: unknown };

const TOKEN = /\s*(<>|<=|>=|[=<>(),+-]|:\w+|[#A-Za-z_][\w.#]*)/g;
const COMPARISONS = ['=', '<>', '<', '<=', '>', '>='];

/**
 * The expressions of one call, read and worked out at once, as far as the stores write them. Refuses a text that is no
 * expression, and a placeholder that is missing or not used, as DynamoDB does.
 */
export class Expressions {
  readonly #names: Readonly<Record<string, string>>;
  readonly #values: Item;
  readonly #used = new Set<string>();
  #tokens: readonly string[] = [];
  #at = 0;
  #item: Item = {};

  constructor({ ExpressionAttributeNames = {}, ExpressionAttributeValues = {} }: Placeholders) {
    this.#names = ExpressionAttributeNames;
    this.#values = ExpressionAttributeValues;
  }

  /** True when an item is as a condition says; so it is without one. */
  holds(text: string | undefined, item: Item | undefined): boolean {
    if (text === undefined) return true;
    this.#begin(text, item ?? {});
    const result = this.#anyOf();
    this.#end(text);
    return result;
  }

  /** An item after an update of it. */
  updated(text: string, item: Item): Item {
    this.#begin(text, item);
    const next = { ...item };
    const changed = new Set<string>();
    const target = () => {
      const path = this.#path(this.#take());
      if (changed.has(path.join('.'))) throw invalid(`Two document paths overlap: ${text}`);
      changed.add(path.join('.'));
      return path;
    };
    while (this.#at < this.#tokens.length) {
      const clause = this.#take();
      do {
        const path = target();
        if (clause === 'SET') {
          this.#take('=');
          assign(next, path, this.#sum());
        } else if (clause === 'ADD') {
          assign(next, path, Number(valueAt(item, path) ?? 0) + Number(this.#resolve(this.#operand())));
        } else if (clause === 'REMOVE') {
          assign(next, path, undefined);
        } else {
          throw invalid(`${clause} in ${text}`);
        }
      } while (this.#isNext(','));
    }
    return kept(next);
  }

  /** The attributes of an item that a projection names; all of them without one. */
  projected(text: string | undefined, item: Item): Item {
    if (text === undefined) return item;
    const paths = text.split(',').map((name) => this.#path(name.trim()));
    return Object.fromEntries(paths.flatMap(([name = '']) => (name in item ? [[name, item[name]]] : [])));
  }

  /** @throws ValidationException for a placeholder that no expression had */
  refuseUnused(): void {
    for (const name of [...Object.keys(this.#names), ...Object.keys(this.#values)]) {
      if (!this.#used.has(name)) throw invalid(`${name} is not used in any expression`);
    }
  }

  #begin(text: string, item: Item): void {
    this.#tokens = tokensOf(text);
    this.#at = 0;
    this.#item = item;
  }

  #end(text: string): void {
    if (this.#at < this.#tokens.length) throw invalid(`${this.#tokens[this.#at]} is too much in ${text}`);
  }

  #take(expected?: string): string {
    const token = this.#tokens[this.#at++];
    if (token === undefined || (expected !== undefined && token !== expected)) {
      throw invalid(`${token} where ${expected ?? 'more'} was expected`);
    }
    return token;
  }

  #isNext(token: string): boolean {
    if (this.#tokens[this.#at] !== token) return false;
    this.#at += 1;
    return true;
  }

  #anyOf(): boolean {
    let result = this.#allOf();
    while (this.#isNext('OR')) result = this.#allOf() || result;
    return result;
  }

  #allOf(): boolean {
    let result = this.#one();
    while (this.#isNext('AND')) result = this.#one() && result;
    return result;
  }

  #one(): boolean {
    if (this.#isNext('NOT')) return !this.#one();
    if (this.#isNext('(')) {
      const result = this.#anyOf();
      this.#take(')');
      return result;
    }
    const isFunction = this.#tokens[this.#at + 1] === '(' && this.#tokens[this.#at] !== 'size';
    return isFunction ? this.#predicate(this.#take()) : this.#comparison();
  }

  #predicate(name: string): boolean {
    const [first, second] = this.#list().map((one) => this.#resolve(one));
    switch (name) {
      case 'attribute_exists':
        return first !== undefined;
      case 'attribute_not_exists':
        return first === undefined;
      case 'begins_with':
        return typeof first === 'string' && first.startsWith(String(second));
      case 'contains':
        return typeof first === 'string'
          ? first.includes(String(second))
          : Array.isArray(first) && first.includes(second);
      default:
        throw invalid(`${name} is no function`);
    }
  }

  #comparison(): boolean {
    const left = this.#resolve(this.#operand());
    if (this.#isNext('IN')) return this.#list().some((one) => isDeepStrictEqual(left, this.#resolve(one)));
    if (this.#isNext('BETWEEN')) {
      const low = this.#resolve(this.#operand());
      this.#take('AND');
      const high = this.#resolve(this.#operand());
      return (order(left, low) ?? -1) >= 0 && (order(left, high) ?? 1) <= 0;
    }
    const sign = this.#take();
    if (!COMPARISONS.includes(sign)) throw invalid(`${sign} compares nothing`);
    const right = this.#resolve(this.#operand());
    if (sign === '=' || sign === '<>') return isDeepStrictEqual(left, right) === (sign === '=') && right !== undefined;
    const difference = order(left, right);
    if (difference === undefined) return false;
    return difference === 0 ? sign.endsWith('=') : difference < 0 === sign.startsWith('<');
  }

  #list(): Operand[] {
    const operands: Operand[] = [];
    this.#take('(');
    do operands.push(this.#operand());
    while (this.#isNext(','));
    this.#take(')');
    return operands;
  }

  #sum(): unknown {
    const first = this.#resolve(this.#operand());
    const sign = this.#isNext('+') ? 1 : this.#isNext('-') ? -1 : 0;
    const result = sign === 0 ? first : Number(first) + sign * Number(this.#resolve(this.#operand()));
    if (result === undefined || Number.isNaN(result)) throw new ItemRefusal('An operand is no number, or not there');
    return result;
  }

  #operand(): Operand {
    const token = this.#take();
    if (token.startsWith(':')) {
      this.#used.add(token);
      if (this.#values[token] === undefined) throw invalid(`${token} stands for nothing`);
      return { value: this.#values[token] };
    }
    if (this.#tokens[this.#at] !== '(') return { path: this.#path(token) };
    const [first, second] = this.#list().map((one) => this.#resolve(one));
    if (token === 'if_not_exists') return { value: first ?? second };
    if (token === 'list_append' && Array.isArray(first) && Array.isArray(second))
      return { value: [...first, ...second] };
    if (token === 'size') {
      return {
        value: typeof first === 'string' ? Buffer.byteLength(first) : Array.isArray(first) ? first.length : undefined,
      };
    }
    throw invalid(`${token} does not work here`);
  }

  #resolve(operand: Operand): unknown {
    return 'path' in operand ? valueAt(this.#item, operand.path) : operand.value;
  }

  #path(text: string): Path {
    return text.split('.').map((name) => {
      if (!name.startsWith('#')) return name;
      this.#used.add(name);
      const attribute = this.#names[name];
      if (attribute === undefined) throw invalid(`${name} stands for nothing`);
      return attribute;
    });
  }
}

/** Expressions that were read before: there are few, and each is worked out for many items. */
const known = new Map<string, readonly string[]>();

function tokensOf(text: string): readonly string[] {
  const before = known.get(text);
  if (before !== undefined) return before;
  const tokens = [...text.matchAll(TOKEN)].map(([, token = '']) => token);
  if (tokens.join('').length !== text.replace(/\s/g, '').length) throw invalid(`No expression: ${text}`);
  known.set(text, tokens);
  return tokens;
}

/** How two values of one kind are ordered; undefined for others. */
export function order(a: unknown, b: unknown): number | undefined {
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  if (typeof a === 'string' && typeof b === 'string') return a < b ? -1 : Number(a > b);
  return undefined;
}

function valueAt(item: unknown, path: Path): unknown {
  return path.reduce<unknown>(
    (found, name) =>
      typeof found === 'object' && found !== null ? Object.getOwnPropertyDescriptor(found, name)?.value : undefined,
    item,
  );
}

/** Changes an item that is still being made; what lies deeper in it is shared with the one before, and copied. */
function assign(item: object, [name = '', ...rest]: Path, value: unknown): void {
  if (rest.length > 0) {
    const holder: unknown = Reflect.get(item, name);
    if (typeof holder !== 'object' || holder === null) throw new ItemRefusal(`${name} is no place for an update`);
    const copy = { ...holder };
    assign(copy, rest, value);
    Reflect.set(item, name, kept(copy));
  } else if (value === undefined) Reflect.deleteProperty(item, name);
  else Reflect.set(item, name, stored(value));
}
