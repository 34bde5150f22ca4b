/** Policy documents -> statements that can be asked. AWS IAM guide, "IAM JSON policy element reference". */
import { asArray, asObject, asString, isObject, type Json, type JsonObject, optionalString } from '../../tools/json.ts';
import { type ConditionTest, readConditions } from './conditions.ts';
import { arnMatcher, globMatcher, type Matcher } from './patterns.ts';

/**
 * Principals of a resource policy's statement. `account` is the account itself, which delegates the decision to the identity policies
 * of its principals; `everyone` is `*`.
 */
export type PrincipalPattern =
  | { kind: 'everyone' }
  | { kind: 'account'; account: string }
  | { kind: 'arn'; arn: string }
  | { kind: 'service'; name: string };

export interface Statement {
  sid: string | undefined;
  effect: 'Allow' | 'Deny';
  /** Undefined in identity policies. */
  principals: readonly PrincipalPattern[] | undefined;
  matchesAction: Matcher;
  matchesResource: Matcher;
  conditionsHold: ConditionTest;
}

/** Where a document is attached: to a role, to a resource, or to a role as its trust policy. */
export type PolicyKind = 'identity' | 'resource' | 'trust';

const KNOWN_DOCUMENT = ['Id', 'Statement', 'Version'];
const KNOWN_STATEMENT = [
  'Action',
  'Condition',
  'Effect',
  'NotAction',
  'NotResource',
  'Principal',
  'Resource',
  'Sid',
] as const;
const ACTION = /^(?:\*|[a-z0-9-]+:[a-z0-9*?]+)$/i;

/**
 * Reads a document.
 * @param where what to call it in messages
 * @throws Error naming whatever cannot be judged: unknown elements, operators, condition keys, variables, `NotPrincipal`.
 */
export function readPolicy(document: Json | undefined, kind: PolicyKind, where: string): Statement[] {
  const policy = asObject(document, where);
  refuseUnknown(policy, KNOWN_DOCUMENT, where);
  if (policy.Version !== '2012-10-17') throw new Error(`${where}.Version must be 2012-10-17.`);
  const statements = isObject(policy.Statement) ? [policy.Statement] : asArray(policy.Statement, `${where}.Statement`);
  return statements.map((statement, index) =>
    readStatement(asObject(statement, `${where}.Statement[${index}]`), kind, `${where}.Statement[${index}]`),
  );
}

function readStatement(statement: JsonObject, kind: PolicyKind, where: string): Statement {
  refuseUnknown(statement, KNOWN_STATEMENT, where);
  const effect = asString(statement.Effect, `${where}.Effect`);
  if (effect !== 'Allow' && effect !== 'Deny') throw new Error(`${where}.Effect is ${effect}, not Allow or Deny.`);
  if ((kind === 'identity') !== (statement.Principal === undefined)) {
    throw new Error(`${where} must ${kind === 'identity' ? 'not ' : ''}name a Principal.`);
  }
  const hasResource = statement.Resource !== undefined || statement.NotResource !== undefined;
  if (kind === 'trust' && hasResource) throw new Error(`${where}: a trust policy names no Resource.`);
  return {
    sid: optionalString(statement.Sid, `${where}.Sid`),
    effect,
    principals: statement.Principal === undefined ? undefined : readPrincipals(statement.Principal, where),
    matchesAction: readActions(statement, where),
    matchesResource: kind === 'trust' ? () => true : readResources(statement, where),
    conditionsHold: readConditions(statement.Condition, `${where}.Condition`),
  };
}

function readActions(statement: JsonObject, where: string): Matcher {
  return readEither(statement, 'Action', where, (action) => {
    if (!ACTION.test(action)) throw new Error(`${where}: ${action} is not an action.`);
    // Names of services and actions know no case.
    const matches = globMatcher(action.toLowerCase());
    return (text) => matches(text.toLowerCase());
  });
}

function readResources(statement: JsonObject, where: string): Matcher {
  return readEither(statement, 'Resource', where, (resource) => {
    if (resource.includes('${')) throw new Error(`${where}: ${resource} has a variable, which cannot be judged here.`);
    return arnMatcher(resource, `${where}.Resource`);
  });
}

/** `Action` or `NotAction`, `Resource` or `NotResource`: exactly one of the two. */
function readEither(statement: JsonObject, name: string, where: string, read: (text: string) => Matcher): Matcher {
  const [listed, excepted] = [statement[name], statement[`Not${name}`]];
  if ((listed === undefined) === (excepted === undefined)) {
    throw new Error(`${where} must have either ${name} or Not${name}.`);
  }
  const matchers = texts(listed ?? excepted, `${where}.${name}`).map(read);
  const isListed: Matcher = (text) => matchers.some((matches) => matches(text));
  return listed === undefined ? (text) => !isListed(text) : isListed;
}

function readPrincipals(principal: Json, where: string): PrincipalPattern[] {
  if (principal === '*') return [{ kind: 'everyone' }];
  return Object.entries(asObject(principal, `${where}.Principal`)).flatMap(([type, value]) =>
    texts(value, `${where}.Principal.${type}`).map((text): PrincipalPattern => {
      if (type === 'Service') return { kind: 'service', name: text };
      if (type !== 'AWS') throw new Error(`${where}.Principal: ${type} cannot be judged here.`);
      return awsPrincipal(text, where);
    }),
  );
}

function awsPrincipal(text: string, where: string): PrincipalPattern {
  if (text === '*') return { kind: 'everyone' };
  const account = /^(?:arn:[^:]+:iam::)?(\d{12})(?::root)?$/.exec(text)?.[1];
  if (account !== undefined) return { kind: 'account', account };
  if (!/^arn:[^:]+:(?:iam|sts)::\d{12}:[^*?]+$/.test(text)) {
    throw new Error(`${where}.Principal: ${text} is neither "*", an account, nor the ARN of one principal.`);
  }
  return { kind: 'arn', arn: text };
}

function texts(value: Json | undefined, where: string): string[] {
  const values = Array.isArray(value) ? value : [value];
  if (values.length === 0) throw new Error(`${where} is empty.`);
  return values.map((one) => asString(one, where));
}

function refuseUnknown(object: JsonObject, known: readonly string[], where: string): void {
  const unknown = Object.keys(object).filter((name) => !known.includes(name));
  if (unknown.length > 0) throw new Error(`${where} has ${unknown.join(', ')}, which the local runtime cannot judge.`);
}
