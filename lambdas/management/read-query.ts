import { refusal } from '../gateway/core/errors.ts';
import type { GatewayRequest } from '../gateway/core/http-message.ts';

/**
 * Query pairs as one object: a repeated name becomes an array, `name[key]=value` becomes a member of the object `name`.
 *
 * @throws GatewayError `invalid_query_params` for names no route has
 */
export function readQuery(query: GatewayRequest['query']): Record<string, unknown> {
  const plain = new Map<string, string[]>();
  const nested = new Map<string, Map<string, string>>();
  for (const [name, value] of query) {
    const bracket = /^([A-Za-z_]+)\[([^[\]]{1,255})\]$/.exec(name);
    if (bracket?.[1] !== undefined && bracket[2] !== undefined) {
      const members = nested.get(bracket[1]) ?? new Map<string, string>();
      nested.set(bracket[1], members.set(bracket[2], value));
    } else if (/^[A-Za-z_]{1,64}$/.test(name)) {
      plain.set(name, [...(plain.get(name) ?? []), value]);
    } else {
      throw refusal('invalid_query_params', [{ path: 'query', message: 'there is a parameter that no route takes' }]);
    }
  }
  const values: Record<string, unknown> = Object.create(null);
  for (const [name, list] of plain) values[name] = list.length === 1 ? list[0] : list;
  for (const [name, members] of nested) {
    const object: Record<string, string> = Object.create(null);
    for (const [key, value] of members) object[key] = value;
    values[name] = object;
  }
  return { ...values };
}
