/** Compares what a template asks for with what a service says it holds. */
import { asArray, asObject, isObject, type Json, type JsonObject } from '../../tools/json.ts';

/** What stands for a resource that was made: its physical id, if it has one. */
export type PhysicalIds = Readonly<Record<string, string | null>>;

/**
 * Every place where the service holds something else than the template asks for, as `path: asked, held`. Names are compared
 * without regard to case, because the services' APIs and CloudFormation write them differently; what the service adds by
 * itself is passed over. An attribute of another resource is only asked to be there.
 */
export function differences(asked: Json, held: Json | undefined, ids: PhysicalIds, path = ''): string[] {
  const text = asText(asked, ids);
  if (text !== undefined) return text.test(scalar(held)) ? [] : [different(path, asked, held)];
  if (Array.isArray(asked)) {
    const list = isObject(held) && Array.isArray(held.Items) ? held.Items : held;
    if (!Array.isArray(list) || list.length !== asked.length) return [different(path, asked, held)];
    return asked.flatMap((one, index) => differences(one, list[index], ids, `${path}[${index}]`));
  }
  if (!isObject(asked)) return scalar(asked) === scalar(held) ? [] : [different(path, asked, held)];
  // Documents travel as text in some APIs.
  const object = typeof held === 'string' && held.startsWith('{') ? asObject(JSON.parse(held), path) : held;
  if (!isObject(object)) return [different(path, asked, held)];
  const members = new Map(Object.entries(object).map(([name, value]) => [name.toLowerCase(), value]));
  return Object.entries(asked).flatMap(([name, value]) =>
    differences(value, members.get(name.toLowerCase()), ids, path === '' ? name : `${path}.${name}`),
  );
}

function different(path: string, asked: Json, held: Json | undefined): string {
  return `${path}: ${JSON.stringify(asked)}, ${JSON.stringify(held)}`;
}

function scalar(value: Json | undefined): string {
  return typeof value === 'number' || typeof value === 'boolean'
    ? String(value)
    : typeof value === 'string'
      ? value
      : '';
}

/** What an intrinsic function may give, as a pattern; undefined when the value is none. */
function asText(value: Json, ids: PhysicalIds): RegExp | undefined {
  const source = sourceOf(value, ids);
  return source === undefined ? undefined : new RegExp(`^${source}$`, 's');
}

function sourceOf(value: Json, ids: PhysicalIds): string | undefined {
  if (!isObject(value) || Object.keys(value).length !== 1) return undefined;
  if (typeof value.Ref === 'string') {
    const id = ids[value.Ref];
    return id === undefined || id === null ? '.+' : escaped(id);
  }
  if (value['Fn::GetAtt'] !== undefined) return '.+';
  if (value['Fn::Join'] === undefined) return undefined;
  const [separator = '', parts] = asArray(value['Fn::Join'], 'Fn::Join');
  return asArray(parts, 'Fn::Join')
    .map((part) => sourceOf(part, ids) ?? escaped(scalar(part)))
    .join(escaped(scalar(separator)));
}

function escaped(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}

/** The resources of a template by logical id. */
export function resourcesOfTemplate(
  template: Json,
): Readonly<Record<string, { type: string; properties: JsonObject }>> {
  const resources = asObject(asObject(template, 'template').Resources, 'Resources');
  return Object.fromEntries(
    Object.entries(resources).map(([id, resource]) => {
      const { Type, Properties } = asObject(resource, id);
      return [id, { type: String(Type), properties: Properties === undefined ? {} : asObject(Properties, id) }];
    }),
  );
}
