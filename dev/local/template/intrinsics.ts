/** CloudFormation's intrinsic functions, as far as a synthesized service stack uses them. */
import { asArray, asString, isObject, type Json, type JsonObject } from '../../tools/json.ts';

/** Where references lead: the values of `Ref` and `Fn::GetAtt`, pseudo parameters included. */
export interface ReferenceScope {
  /** @throws Error for a name that is neither a resource nor a pseudo parameter. */
  ref(name: string): string;
  /** @throws Error for an unknown resource or attribute. */
  attribute(logicalId: string, name: string): string;
}

/**
 * Resolves `Ref`, `Fn::GetAtt`, `Fn::Join`, `Fn::Select`, `Fn::Split` and `Fn::Sub` everywhere inside a value.
 * @param where resource and path of the value, for messages.
 * @throws Error naming resource and path for any other intrinsic function.
 */
export function resolveIntrinsics(value: Json, scope: ReferenceScope, where: string): Json {
  if (Array.isArray(value)) return value.map((entry, index) => resolveIntrinsics(entry, scope, `${where}[${index}]`));
  if (!isObject(value)) return value;
  const intrinsic = intrinsicOf(value);
  if (intrinsic === undefined) {
    return Object.fromEntries(
      Object.entries(value).map(([name, member]) => [name, resolveIntrinsics(member, scope, `${where}.${name}`)]),
    );
  }
  try {
    return applyIntrinsic(intrinsic.name, intrinsic.argument, scope, where);
  } catch (cause) {
    if (cause instanceof IntrinsicError) throw cause;
    throw new IntrinsicError(`${where}: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
  }
}

/** An intrinsic function that cannot be resolved; the message names resource and path. */
export class IntrinsicError extends Error {}

function intrinsicOf(value: JsonObject): { name: string; argument: Json } | undefined {
  const [entry, ...rest] = Object.entries(value);
  if (entry === undefined || rest.length > 0) return undefined;
  const [name, argument] = entry;
  return name === 'Ref' || name.startsWith('Fn::') || name === 'Condition' ? { name, argument } : undefined;
}

function applyIntrinsic(name: string, argument: Json, scope: ReferenceScope, where: string): Json {
  switch (name) {
    case 'Ref':
      return scope.ref(asString(argument, 'Ref'));
    case 'Fn::GetAtt':
      return getAttribute(argument, scope);
    case 'Fn::Join':
      return join(argument, scope, where);
    case 'Fn::Sub':
      return substitute(argument, scope, where);
    case 'Fn::Select':
      return select(argument, scope, where);
    case 'Fn::Split':
      return split(argument, scope, where);
    case 'Fn::GetStackOutput':
      throw new Error('Fn::GetStackOutput refers to another stack; the local runtime runs one service stack.');
    default:
      throw new Error(`${name} is not known to the local runtime.`);
  }
}

function getAttribute(argument: Json, scope: ReferenceScope): string {
  const [logicalId, ...path] = typeof argument === 'string' ? argument.split('.') : asArray(argument, 'Fn::GetAtt');
  return scope.attribute(
    asString(logicalId, 'Fn::GetAtt'),
    path.map((part) => asString(part, 'Fn::GetAtt attribute')).join('.'),
  );
}

function join(argument: Json, scope: ReferenceScope, where: string): string {
  const [separator, parts] = asArray(argument, 'Fn::Join');
  return asArray(parts, 'Fn::Join parts')
    .map((part, index) => asScalar(resolveIntrinsics(part, scope, `${where}.Fn::Join[${index}]`)))
    .join(asString(separator, 'Fn::Join separator'));
}

function select(argument: Json, scope: ReferenceScope, where: string): Json {
  const [index, list] = asArray(argument, 'Fn::Select');
  const entry = asArray(resolveIntrinsics(list ?? null, scope, `${where}.Fn::Select`), 'Fn::Select list')[
    Number(index)
  ];
  if (entry === undefined) throw new Error(`Fn::Select has no entry ${String(index)}.`);
  return entry;
}

function split(argument: Json, scope: ReferenceScope, where: string): Json {
  const [separator, text] = asArray(argument, 'Fn::Split');
  const resolved = asScalar(resolveIntrinsics(text ?? null, scope, `${where}.Fn::Split`));
  return resolved.split(asString(separator, 'Fn::Split separator'));
}

function substitute(argument: Json, scope: ReferenceScope, where: string): string {
  const [template, variables] = typeof argument === 'string' ? [argument, {}] : asArray(argument, 'Fn::Sub');
  const own = isObject(variables) ? variables : {};
  return asString(template, 'Fn::Sub').replaceAll(/\$\{([^}]*)\}/g, (whole, name: string) => {
    if (name.startsWith('!')) return whole.replace('!', '');
    const variable = own[name];
    if (variable !== undefined) return asScalar(resolveIntrinsics(variable, scope, `${where}.Fn::Sub.${name}`));
    const dot = name.indexOf('.');
    return dot < 0 ? scope.ref(name) : scope.attribute(name.slice(0, dot), name.slice(dot + 1));
  });
}

function asScalar(value: Json): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  throw new Error(`A joined or substituted part must be a scalar, not ${JSON.stringify(value)}.`);
}
