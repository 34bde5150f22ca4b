/** Kinds of values, which determine how a person is shown them (AP-30). */
export const VALUE_KINDS = [
  /** Has no effect: the provider ignores it, or it only shapes the answer. */
  'none',
  'text',
  'flag',
  'number',
  /** Has its own seconds and zone: RFC 3339 with an offset. */
  'time',
  'date',
  /** A name of the time zone database. */
  'zone',
  'address',
  'domain',
  /** An e-mail address or a domain, depending on another member. */
  'address_or_domain',
  'id',
  /** Ids of things that have a name and readers of their own. */
  'file',
  'folder',
  'calendar',
  /** Members that callers name, each a text. */
  'texts',
  /** A time with or without a zone, or a whole day. */
  'moment',
  'guests',
  /** Must be the id in the path. */
  'same_id',
  /** Must be the rule in the path: `{type, value}`. */
  'same_scope',
] as const;

export type ValueKind = (typeof VALUE_KINDS)[number];

/** A value: of a kind, one of the words between bars, a list of one kind, or members. */
export type Shape = ValueKind | `${string}|${string}` | readonly [Shape] | Members;

export interface Members {
  readonly [member: string]: Shape;
}

/**
 * A method that a person can approve. Anything that is in none of its tables makes a call impossible to approve.
 *
 * Conditions name query parameters with a question mark, members of the body by their path, and `media` for content:
 * `scope.type=default` is true for this value, `scope.value~@` where it contains that text, `scope.value!~@` where it is present
 * without it, and a name alone where it is present.
 */
export interface DescribedMethod {
  /** HTTP method and path, ids by what they name. */
  readonly call: `${'POST' | 'PATCH' | 'PUT' | 'DELETE'} ${string}`;
  readonly query?: Members;
  /** Absent: the method takes no body. */
  readonly body?: Members;
  /** Upload path of content in one request, if the method accepts any. */
  readonly upload?: string;
  readonly needs?: readonly string[];
  /** Pairs of conditions, of which the first is met only together with the second. */
  readonly implies?: readonly (readonly [string, string])[];
  /** Members that a body may have only where a condition is met. */
  readonly only?: readonly (readonly [condition: string, members: readonly string[]])[];
  /** Conditions that contradict each other (AP-31). */
  readonly never?: readonly (readonly [string, string])[];
}

/** By the id of the method. */
export type DescribedMethods = ReadonlyMap<string, DescribedMethod>;

/** Query parameters of every method that affect only the answer. */
export const ANSWER_PARAMETERS: Members = {
  $alt: '|json',
  alt: '|json',
  fields: 'none',
  $fields: 'none',
  key: 'none',
  prettyPrint: 'none',
  $prettyPrint: 'none',
  quotaUser: 'none',
};
