/**
 * Makes one template of several syntheses: the full one, and one for each thing that can be left out. What differs between the
 * two gets a condition.
 */
import { isDeepStrictEqual } from 'node:util';

const NO_VALUE = { Ref: 'AWS::NoValue' };

type Json = unknown;
type JsonObject = Readonly<Record<string, Json>>;

/** A template's resources and outputs. */
export interface Parts {
  readonly Resources: Readonly<Record<string, JsonObject>>;
  readonly Outputs: Readonly<Record<string, JsonObject>>;
}

/** What differs from the full template when a condition does not hold. */
export interface Variant {
  readonly condition: string;
  readonly parts: Parts;
}

/**
 * What makes `other` of `base`, made of `full` instead.
 * @throws Error when `base` and `full` are not alike where `other` differs from `base`
 */
export function moved(full: Parts, base: Parts, other: Parts): Parts {
  const section = (kind: keyof Parts): Record<string, JsonObject> => {
    const parts = new Map(Object.entries(full[kind]));
    for (const id of new Set([...Object.keys(base[kind]), ...Object.keys(other[kind])])) {
      const part = other[kind][id];
      if (isDeepStrictEqual(base[kind][id], part)) continue;
      if (!isDeepStrictEqual(base[kind][id], full[kind][id])) {
        throw new Error(`${kind}.${id} differs by what both sides are made with, too`);
      }
      if (part === undefined) parts.delete(id);
      else parts.set(id, part);
    }
    return Object.fromEntries(parts);
  };
  return { Resources: section('Resources'), Outputs: section('Outputs') };
}

/** A part of the full template with what each condition changes in it, until it is written. */
interface Place {
  readonly value: Json;
  /** Conditions under which it is there at all. */
  readonly needed: string[];
  /** What stands there when a condition does not hold. */
  instead: { readonly condition: string; readonly value: Json } | undefined;
  readonly members: Map<string | number, Place>;
  /** What is there only when a condition does not hold: of a list at its end. */
  readonly added: { readonly key: string | undefined; readonly condition: string; readonly value: Json }[];
}

/**
 * Writes the one template.
 * @returns its parts, and the conditions that combine or turn round those of the variants
 * @throws Error when two variants change the same place: the template could not say what holds with both
 */
export function combine(full: Parts, variants: readonly Variant[]): Parts & { Conditions: Record<string, JsonObject> } {
  const Conditions: Record<string, JsonObject> = {};
  const nameOf = (conditions: readonly string[]): string => {
    const name = conditions.join('And');
    if (conditions.length > 1) Conditions[name] = { 'Fn::And': conditions.map((Condition) => ({ Condition })) };
    return name;
  };
  const not = (condition: string): string => {
    const name = `Not${condition}`;
    Conditions[name] = { 'Fn::Not': [{ Condition: condition }] };
    return name;
  };
  const neededBy = (id: string): string[] =>
    variants.filter(({ parts }) => parts.Resources[id] === undefined).map(({ condition }) => condition);
  /** A dependency on a resource that may not be made cannot stand in DependsOn: a reference in Metadata has the same effect. */
  const waiting = (ids: readonly string[], own: readonly string[]): JsonObject => {
    const isSure = (id: string) => neededBy(id).every((condition) => own.includes(condition));
    const sure = ids.filter(isSure);
    const unsure = ids
      .filter((id) => !isSure(id))
      .map((Ref) => ({ 'Fn::If': [nameOf(neededBy(Ref).filter((one) => !own.includes(one))), { Ref }, ''] }));
    return {
      ...(sure.length === 0 ? {} : { DependsOn: sure }),
      ...(unsure.length === 0 ? {} : { Metadata: { WaitsFor: unsure } }),
    };
  };
  const section = (kind: keyof Parts): Readonly<Record<string, JsonObject>> => {
    const written: [string, JsonObject][] = Object.entries(full[kind]).map(([id, value]) => {
      const { DependsOn: dependsOn, ...content } = value;
      const place = placeOf(content);
      let waitsFor = listed(dependsOn);
      for (const { condition, parts } of variants) {
        const other = parts[kind][id];
        if (other === undefined) {
          place.needed.push(condition);
          continue;
        }
        const { DependsOn: otherDependsOn, ...otherContent } = other;
        compare(place, otherContent, condition, `${kind}.${id}`);
        waitsFor = [...new Set([...waitsFor, ...listed(otherDependsOn)])];
      }
      const { needed } = place;
      const merged = write(place);
      if (!isPlain(merged)) throw new Error(`${kind}.${id} is another thing under a condition`);
      return [
        id,
        {
          ...merged,
          ...waiting(waitsFor, needed),
          ...(needed.length === 0 ? {} : { Condition: nameOf(needed) }),
        },
      ];
    });
    for (const { condition, parts } of variants) {
      for (const [id, value] of Object.entries(parts[kind])) {
        if (full[kind][id] !== undefined) continue;
        if (written.some(([known]) => known === id)) throw new Error(`${kind}.${id} comes with two conditions`);
        written.push([id, { ...value, Condition: not(condition) }]);
      }
    }
    return Object.fromEntries(written);
  };
  return { Resources: section('Resources'), Outputs: section('Outputs'), Conditions };
}

function listed(dependsOn: Json): string[] {
  return (Array.isArray(dependsOn) ? dependsOn : [dependsOn]).filter((one) => typeof one === 'string');
}

function placeOf(value: Json): Place {
  return { value, needed: [], instead: undefined, members: new Map(), added: [] };
}

function member(place: Place, key: string | number, value: Json): Place {
  const known = place.members.get(key) ?? placeOf(value);
  place.members.set(key, known);
  return known;
}

function compare(place: Place, other: Json, condition: string, where: string): void {
  const { value } = place;
  if (isDeepStrictEqual(value, other)) return;
  if (place.instead !== undefined) {
    throw new Error(`${where}: ${place.instead.condition} and ${condition} both change it`);
  }
  if (isPlain(value) && isPlain(other)) {
    for (const [key, one] of Object.entries(value)) {
      if (key in other) compare(member(place, key, one), other[key], condition, `${where}.${key}`);
      else member(place, key, one).needed.push(condition);
    }
    for (const [key, one] of Object.entries(other))
      if (!(key in value)) place.added.push({ key, condition, value: one });
    return;
  }
  if (Array.isArray(value) && Array.isArray(other) && compareLists(place, value, other, condition, where)) return;
  place.instead = { condition, value: other };
}

/** @returns whether the lists are alike enough to be distinguished by their members */
function compareLists(place: Place, value: Json[], other: Json[], condition: string, where: string): boolean {
  const missing = leftOut(value, other);
  if (missing !== undefined) {
    for (const index of missing) member(place, index, value[index]).needed.push(condition);
    return true;
  }
  const more = leftOut(other, value);
  if (more !== undefined) {
    for (const index of more) place.added.push({ key: undefined, condition, value: other[index] });
    return true;
  }
  if (value.length !== other.length) return false;
  for (const [index, one] of value.entries()) {
    compare(member(place, index, one), other[index], condition, `${where}[${index}]`);
  }
  return true;
}

/** Places in a list whose members another one leaves out; undefined when the other is not made of its members in their order. */
function leftOut(list: readonly Json[], other: readonly Json[]): number[] | undefined {
  const places: number[] = [];
  let next = 0;
  for (const [index, one] of list.entries()) {
    if (next < other.length && isDeepStrictEqual(one, other[next])) next += 1;
    else places.push(index);
  }
  return next === other.length ? places : undefined;
}

/** An object that is no intrinsic function, whose members are values of their own. */
function isPlain(value: Json): value is JsonObject {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  return !Object.keys(value).some((key) => key === 'Ref' || key.startsWith('Fn::'));
}

function write(place: Place): Json {
  const { value, members, added, instead } = place;
  if (instead !== undefined) {
    if (members.size > 0 || added.length > 0)
      throw new Error(`${instead.condition} changes what another condition divides`);
    return { 'Fn::If': [instead.condition, value, instead.value] };
  }
  const withCondition = (one: Place | undefined, plain: Json): Json =>
    one === undefined
      ? plain
      : one.needed.reduce((inner: Json, condition) => ({ 'Fn::If': [condition, inner, NO_VALUE] }), write(one));
  const additions = added.map(({ condition, value: one }) => ({ 'Fn::If': [condition, NO_VALUE, one] }));
  if (Array.isArray(value)) return [...value.map((one, index) => withCondition(members.get(index), one)), ...additions];
  if (!isPlain(value)) return value;
  return Object.fromEntries([
    ...Object.entries(value).map(([key, one]) => [key, withCondition(members.get(key), one)]),
    ...added.map(({ key }, index) => [key, additions[index]]),
  ]);
}
