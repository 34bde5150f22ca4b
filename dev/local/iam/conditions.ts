/**
 * Conditions of policy statements: parsed once, refusing anything unknown, then evaluated for each request. AWS IAM guide, "IAM JSON
 * policy elements: Condition operators" and "Conditions with multiple context keys or values".
 */
import { asObject, type Json } from '../../tools/json.ts';
import { arnMatcher, globMatcher, type Matcher } from './patterns.ts';

/** A request's condition keys, in lower case. Missing keys are absent. */
export type RequestContext = Readonly<Record<string, string | readonly string[]>>;

/** Whether the conditions of a statement hold for a request. */
export type ConditionTest = (context: RequestContext) => boolean;

/** Keys that the local runtime computes wherever AWS does; a policy may use no others here. */
const SINGLE_VALUED = new Set([
  'aws:principalaccount',
  'aws:principalarn',
  'aws:requestedregion',
  'aws:securetransport',
  'aws:sourceaccount',
  'aws:sourcearn',
  'kms:calleraccount',
  'kms:viaservice',
  'lambda:functionurlauthtype',
  'lambda:invokedviafunctionurl',
]);
const MULTI_VALUED = new Set(['dynamodb:leadingkeys', 'kms:encryptioncontextkeys']);
const ENCRYPTION_CONTEXT = 'kms:encryptioncontext:';

type Qualifier = 'ForAllValues' | 'ForAnyValue';

/** Makes the test of one value against the values that the policy lists. */
type Comparison = (wanted: readonly string[], where: string) => Matcher;

const COMPARISONS: Readonly<Record<string, Comparison>> = {
  StringEquals: anyOf((wanted) => (text) => text === wanted),
  StringEqualsIgnoreCase: anyOf((wanted) => (text) => text.toLowerCase() === wanted.toLowerCase()),
  StringLike: anyOf(globMatcher),
  ArnEquals: anyOf(arnMatcher),
  ArnLike: anyOf(arnMatcher),
  Bool: anyOf((wanted) => (text) => text.toLowerCase() === wanted.toLowerCase()),
  NumericEquals: numeric((value, wanted) => value === wanted),
  NumericLessThan: numeric((value, wanted) => value < wanted),
  NumericLessThanEquals: numeric((value, wanted) => value <= wanted),
  NumericGreaterThan: numeric((value, wanted) => value > wanted),
  NumericGreaterThanEquals: numeric((value, wanted) => value >= wanted),
};

/** Operators that hold where the one named does not; without the key in the request they hold. */
const NEGATED: Readonly<Record<string, string>> = {
  StringNotEquals: 'StringEquals',
  StringNotEqualsIgnoreCase: 'StringEqualsIgnoreCase',
  StringNotLike: 'StringLike',
  ArnNotEquals: 'ArnEquals',
  ArnNotLike: 'ArnLike',
  NumericNotEquals: 'NumericEquals',
};

/**
 * Reads a condition block: every operator and every key must hold.
 * @throws Error naming an operator or key that cannot be judged here, a set operator where none belongs, or a variable.
 */
export function readConditions(block: Json | undefined, where: string): ConditionTest {
  if (block === undefined) return () => true;
  const tests = Object.entries(asObject(block, where)).flatMap(([operator, keys]) =>
    Object.entries(asObject(keys, `${where}.${operator}`)).map(([key, wanted]) =>
      readTest(operator, key, valuesOf(wanted, `${where}.${operator}.${key}`), `${where}.${operator}.${key}`),
    ),
  );
  return (context) => tests.every((holds) => holds(context));
}

function readTest(operator: string, key: string, wanted: readonly string[], where: string): ConditionTest {
  const name = key.toLowerCase();
  const isMultiValued = MULTI_VALUED.has(name);
  if (!isMultiValued && !SINGLE_VALUED.has(name) && !isContextMember(name)) {
    throw new Error(`${where}: the local runtime cannot judge the condition key ${key}.`);
  }
  const [, qualifier, plain = '', ifExists] =
    /^(?:(ForAllValues|ForAnyValue):)?([A-Za-z]+?)(IfExists)?$/.exec(operator) ?? [];
  if (plain === 'Null') return readNullTest(name, wanted, qualifier !== undefined || ifExists !== undefined, where);
  const positive = COMPARISONS[plain] ?? COMPARISONS[NEGATED[plain] ?? ''];
  if (positive === undefined) throw new Error(`${where}: the local runtime cannot judge the operator ${operator}.`);
  if (isMultiValued !== (qualifier !== undefined)) {
    const rule = isMultiValued ? 'needs ForAllValues or ForAnyValue' : 'has one value and takes no set operator';
    throw new Error(`${where}: ${key} ${rule}.`);
  }
  const isNegated = plain in NEGATED;
  const matches = positive(wanted, where);
  const passes: Matcher = isNegated ? (value) => !matches(value) : matches;
  // "IfExists": an absent key passes. Negated operators pass without it too, and so does every test of all of no values.
  const whenAbsent = ifExists !== undefined || (isNegated && qualifier === undefined) || qualifier === 'ForAllValues';
  return (context) => {
    const values = presentValues(context, name);
    if (values.length === 0) return whenAbsent;
    return quantified(qualifier, values, passes);
  };
}

/** `Null`: "true" means that the key must be absent. */
function readNullTest(name: string, wanted: readonly string[], isQualified: boolean, where: string): ConditionTest {
  const [value, ...more] = wanted;
  if (isQualified || more.length > 0 || (value !== 'true' && value !== 'false')) {
    throw new Error(`${where} must be "true" or "false", without set operator and IfExists.`);
  }
  return (context) => (presentValues(context, name).length === 0) === (value === 'true');
}

function quantified(qualifier: string | undefined, values: readonly string[], passes: Matcher): boolean {
  const known: Qualifier = qualifier === 'ForAnyValue' ? 'ForAnyValue' : 'ForAllValues';
  return known === 'ForAnyValue' ? values.some(passes) : values.every(passes);
}

function presentValues(context: RequestContext, name: string): readonly string[] {
  const value = context[name];
  if (value === undefined) return [];
  return typeof value === 'string' ? [value] : value;
}

function isContextMember(name: string): boolean {
  return name.startsWith(ENCRYPTION_CONTEXT) && name.length > ENCRYPTION_CONTEXT.length;
}

function valuesOf(value: Json, where: string): string[] {
  return (Array.isArray(value) ? value : [value]).map((one) => {
    if (typeof one !== 'string' && typeof one !== 'number' && typeof one !== 'boolean') {
      throw new Error(`${where} must hold texts, numbers or booleans.`);
    }
    const text = String(one);
    if (text.includes('${')) throw new Error(`${where} has a policy variable, which the local runtime cannot judge.`);
    return text;
  });
}

function anyOf(matcherOf: (wanted: string, where: string) => Matcher): Comparison {
  return (wanted, where) => {
    const matchers = wanted.map((one) => matcherOf(one, where));
    return (text) => matchers.some((matches) => matches(text));
  };
}

function numeric(compare: (value: number, wanted: number) => boolean): Comparison {
  return anyOf((wanted, where) => {
    const number = Number(wanted);
    if (wanted.trim() === '' || Number.isNaN(number)) throw new Error(`${where} is ${wanted}, not a number.`);
    return (text) => text.trim() !== '' && compare(Number(text), number);
  });
}
