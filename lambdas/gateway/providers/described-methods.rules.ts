/** What a value has to be, and with that how a person is shown it (AP-30). */
export const VALUE_KINDS = [
  /** Has no effect: the provider ignores it, or it only shapes the answer. */
  'none',
  'text',
  'flag',
  'number',
  /** Seconds of a day and zone of their own: RFC 3339 with an offset. */
  'time',
  'date',
  /** A name of the time zone database. */
  'zone',
  'address',
  'domain',
  /** An e-mail address or a domain, by another member. */
  'address_or_domain',
  'id',
  /** Ids of what has a name and readers of its own. */
  'file',
  'folder',
  'calendar',
  /** Members that callers name, each a text. */
  'texts',
  /** A time with or without a zone, or a whole day. */
  'moment',
  'guests',
  /** Has to be the id in the path. */
  'same_id',
  /** Has to be the rule in the path: `{type, value}`. */
  'same_scope',
] as const;

export type ValueKind = (typeof VALUE_KINDS)[number];

/** A value: of a kind, one of the words between bars, a list of one kind, or members. */
export type Shape = ValueKind | `${string}|${string}` | readonly [Shape] | Members;

export interface Members {
  readonly [member: string]: Shape;
}

/**
 * A method that a person can approve. What stands in none of its tables makes a call impossible to approve.
 *
 * Conditions name query parameters with a question mark, members of the body by their path, and `media` for content:
 * `scope.type=default` holds for this value, `scope.value~@` where it contains that text, `scope.value!~@` where it is there
 * without it, and a name alone where it is there.
 */
export interface DescribedMethod {
  /** HTTP method and path, ids by what they name. */
  readonly call: `${'POST' | 'PATCH' | 'PUT' | 'DELETE'} ${string}`;
  readonly query?: Members;
  /** Absent: the method takes no body. */
  readonly body?: Members;
  /** Where content goes in one request, if the method takes any. */
  readonly upload?: string;
  readonly needs?: readonly string[];
  /** Conditions of which the first is met only together with the second. */
  readonly implies?: readonly (readonly [string, string])[];
  /** Members that a body may have where a condition is met, and no others. */
  readonly only?: readonly (readonly [condition: string, members: readonly string[]])[];
  /** Conditions that contradict each other (AP-31). */
  readonly never?: readonly (readonly [string, string])[];
}

/** By the id of the method. */
export type DescribedMethods = ReadonlyMap<string, DescribedMethod>;

/** Query parameters of every method that change nothing but the answer. */
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
