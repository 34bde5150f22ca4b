import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';

/** Converts a value sent to a service, or received from it. */
export type Shape = (value: unknown) => unknown;

type Fields = Readonly<Record<string, unknown>>;

/** Leaves a value as it is. */
export const asIs: Shape = (value) => value;

/** Bytes as text. */
export const toBase64: Shape = (value) =>
  value instanceof Uint8Array
    ? Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('base64')
    : value;

/** Text as bytes. @throws TypeError when it is not base64 */
export const fromBase64: Shape = (value) => {
  if (typeof value !== 'string') return value;
  if ((value.length * 3) % 4 !== 0) throw new TypeError('Incorrect padding on base64 string.');
  if (!/^[A-Za-z0-9+/]*={0,2}$/.test(value)) throw new TypeError('Invalid base64 string.');
  const bytes = Buffer.from(value, 'base64');
  return new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength);
};

/** Seconds since 1970 as a date. */
export const fromEpochSec: Shape = (value) => new Date(Math.round(Number(value) * 1000));

/** Only the named members, separated by spaces, in this order, which is that of the service's model. */
export function struct(names: string, shapes: Readonly<Record<string, Shape>> = {}): Shape {
  return (value) => {
    const fields = fieldsOf(value);
    const members = names.split(' ').filter((name) => fields[name] !== undefined && fields[name] !== null);
    return Object.fromEntries(members.map((name) => [name, (shapes[name] ?? asIs)(fields[name])]));
  };
}

/** The same for a request. @throws Error for a member that would not be sent */
export function exact(names: string, shapes: Readonly<Record<string, Shape>> = {}): Shape {
  const ordered = struct(names, shapes);
  const known = new Set(names.split(' '));
  return (value) => {
    const other = Object.entries(fieldsOf(value)).find(([name, one]) => one !== undefined && !known.has(name));
    if (other !== undefined) throw new Error(`The lean AWS client does not send ${other[0]}: add it to its command`);
    return ordered(value);
  };
}

export function list(shape: Shape): Shape {
  return (value) => (Array.isArray(value) ? value.map(shape) : value);
}

export function mapOf(shape: Shape): Shape {
  return (value) => Object.fromEntries(Object.entries(fieldsOf(value)).map(([key, one]) => [key, shape(one)]));
}

/** An item, a key or the values of an expression, as DynamoDB types them. @throws Error for values that DynamoDB cannot store */
export const toItem: Shape = (value) => {
  const entries = Object.entries(fieldsOf(value)).filter(([, one]) => one !== undefined && typeof one !== 'function');
  const options = { removeUndefinedValues: true, convertTopLevelContainer: true };
  return Object.fromEntries(entries.map(([key, one]) => [key, withBytes(toBase64)(marshall(one, options))]));
};

/** The reverse. @throws Error for a number that JavaScript cannot represent */
export const fromItem: Shape = mapOf((one) => {
  const typed = withBytes(fromBase64)(one);
  return isTyped(typed) ? unmarshall(typed, { convertWithoutMapWrapper: true }) : typed;
});

/** An item as DynamoDB types it, with decoded bytes, as contained in errors. */
export const typedItem: Shape = mapOf((one) => withBytes(fromBase64)(one));

/** Converts the bytes in a typed value. */
function withBytes(change: Shape): Shape {
  const walk: Shape = (value) => {
    return Object.fromEntries(
      Object.entries(fieldsOf(value)).map(([type, one]) => {
        if (type === 'B') return [type, change(one)];
        if (type === 'BS') return [type, list(change)(one)];
        if (type === 'L') return [type, list(walk)(one)];
        return [type, type === 'M' ? mapOf(walk)(one) : one];
      }),
    );
  };
  return walk;
}

function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}

function isTyped(value: unknown): value is AttributeValue {
  return typeof value === 'object' && value !== null;
}
