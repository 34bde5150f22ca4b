/** Reads a CloudFormation template as CloudFormation does with given parameters, so that two templates can be compared. */
import * as z from 'zod';

const resourceSchema = z.looseObject({
  Type: z.string(),
  Condition: z.string().optional(),
  DependsOn: z.union([z.string().transform((id) => [id]), z.array(z.string())]).default([]),
  Metadata: z.looseObject({ WaitsFor: z.array(z.unknown()).default([]) }).default({ WaitsFor: [] }),
  Properties: z.record(z.string(), z.unknown()).default({}),
});
const templateSchema = z.looseObject({
  Parameters: z
    .record(z.string(), z.looseObject({ Default: z.union([z.string(), z.number()]).optional() }))
    .default({}),
  Conditions: z.record(z.string(), z.unknown()).default({}),
  Resources: z.record(z.string(), resourceSchema),
  Outputs: z.record(z.string(), z.looseObject({ Condition: z.string().optional(), Value: z.unknown() })).default({}),
});

/** Values of parameters by name; those left out have their defaults. */
export type ParameterValues = Readonly<Record<string, string | number>>;

/** What a stack would hold: resources and outputs, with every condition decided and every text put together. */
export interface Answered {
  readonly resources: Readonly<Record<string, unknown>>;
  readonly outputs: Readonly<Record<string, unknown>>;
}

const NOTHING = Symbol('AWS::NoValue');

/**
 * Decides a template.
 * @param pseudo values of `AWS::StackName` and the like; references to anything else stay as they are
 */
export function answered(
  template: unknown,
  parameters: ParameterValues,
  pseudo: Readonly<Record<string, string>>,
): Answered {
  const { Parameters, Conditions, Resources, Outputs } = templateSchema.parse(template);
  const values = new Map<string, unknown>(Object.entries(pseudo));
  for (const [name, { Default }] of Object.entries(Parameters))
    values.set(name, parameters[name] ?? Default ?? `<${name}>`);

  function holds(condition: unknown): boolean {
    if (typeof condition === 'string') return holds(Conditions[condition]);
    const [name, argument] = only(condition);
    if (name === 'Condition') return holds(argument);
    const list = z.array(z.unknown()).parse(argument);
    if (name === 'Fn::Not') return !holds(list[0]);
    if (name === 'Fn::And') return list.every(holds);
    if (name === 'Fn::Or') return list.some(holds);
    if (name === 'Fn::Equals') return JSON.stringify(read(list[0])) === JSON.stringify(read(list[1]));
    throw new Error(`${name} is no condition`);
  }

  function read(node: unknown): unknown {
    if (Array.isArray(node)) return node.map(read).filter((one) => one !== NOTHING);
    if (typeof node !== 'object' || node === null) return String(node);
    const [name, argument] = Object.keys(node).length === 1 ? only(node) : ['', undefined];
    if (name === 'Ref') return argument === 'AWS::NoValue' ? NOTHING : (text(values.get(String(argument))) ?? node);
    if (name === 'Fn::GetAtt') return node;
    if (name === 'Fn::If') {
      const [condition, then, otherwise] = z.tuple([z.string(), z.unknown(), z.unknown()]).parse(argument);
      return read(holds(condition) ? then : otherwise);
    }
    if (name === 'Fn::Select') {
      const [index, list] = z.tuple([z.number(), z.unknown()]).parse(argument);
      const [split, parts] = only(list);
      if (split !== 'Fn::Split') throw new Error('Fn::Select of something else than Fn::Split');
      const [separator, whole] = z.tuple([z.string(), z.unknown()]).parse(parts);
      return String(read(whole)).split(separator)[index];
    }
    if (name === 'Fn::Join') {
      const [separator, parts] = z.tuple([z.string(), z.array(z.unknown())]).parse(argument);
      return joined(parts.flatMap((part, index) => (index === 0 ? [read(part)] : [separator, read(part)])));
    }
    return Object.fromEntries(
      Object.entries(node)
        .map(([key, value]) => [key, read(value)] as const)
        // A missing value and an empty list are equivalent.
        .filter(([, value]) => value !== NOTHING && !(Array.isArray(value) && value.length === 0)),
    );
  }

  const made = Object.entries(Resources).filter(([, { Condition }]) => Condition === undefined || holds(Condition));
  const ids = new Set(made.map(([id]) => id));
  return {
    resources: Object.fromEntries(
      made.map(([id, { Condition: _decided, Metadata, DependsOn, Properties, ...rest }]) => {
        // What is waited for by a reference has the form `{Ref}` still; what is not made is an empty text.
        const referred = Metadata.WaitsFor.map(read).filter((one) => one !== '');
        const waitsFor = [...DependsOn, ...referred.map((one) => String(only(one)[1]))].toSorted();
        const unknown = waitsFor.find((one) => !ids.has(one));
        if (unknown !== undefined) throw new Error(`${id} waits for ${unknown}, which is not made`);
        return [id, { ...rest, waitsFor, properties: read(Properties) }];
      }),
    ),
    outputs: Object.fromEntries(
      Object.entries(Outputs)
        .filter(([, { Condition }]) => Condition === undefined || holds(Condition))
        .map(([id, { Value }]) => [id, read(Value)]),
    ),
  };
}

function text(value: unknown): string | undefined {
  return value === undefined ? undefined : String(value);
}

function only(node: unknown): [string, unknown] {
  const [entry] = Object.entries(z.record(z.string(), z.unknown()).parse(node));
  if (entry === undefined) throw new Error('An empty object is no intrinsic function.');
  return entry;
}

/** One text, or its parts where some are known only to a deployment. */
function joined(parts: readonly unknown[]): unknown {
  const flat: unknown[] = [];
  for (const part of parts.flatMap((one) => (isJoined(one) ? one.joined : [one]))) {
    const last = flat.at(-1);
    if (typeof part === 'string' && typeof last === 'string') flat[flat.length - 1] = last + part;
    else flat.push(part);
  }
  const filled = flat.filter((part) => part !== '');
  return filled.every((part) => typeof part === 'string') ? filled.join('') : { joined: filled };
}

function isJoined(node: unknown): node is { joined: unknown[] } {
  return typeof node === 'object' && node !== null && 'joined' in node && Array.isArray(node.joined);
}
