/** What of the API will go, told to whoever still uses it: in the answer's headers and in the document (docs/versions.md). */
import * as z from 'zod';
import type { GatewayRequest, HeaderPairs } from '../gateway/core/http-message.ts';
import type { Deprecation, DescribedRoute } from '../gateway/openapi/operation.ts';
import { readJsonBody } from './request-body.ts';
import { readQuery } from './request-input.ts';

const members = z.registry<Deprecation>();

/**
 * A member of a body, or a parameter of a query, that will go. Stands around everything else of the member's schema.
 *
 * @param deprecation since when, and what to use instead
 */
export function deprecated<Schema extends z.ZodType>(schema: Schema, deprecation: Deprecation): Schema {
  const description = `Deprecated since ${deprecation.since}. ${deprecation.instead}`;
  const marked = schema.meta({ deprecated: true, description });
  members.add(marked, deprecation);
  return marked;
}

/** The deprecations that a request meets: of its route, and of the members and parameters that it names. */
export function deprecationsOf(
  route: Pick<DescribedRoute, 'deprecated' | 'query' | 'body'>,
  request: GatewayRequest,
): Deprecation[] {
  return [
    ...(route.deprecated === undefined ? [] : [route.deprecated]),
    ...namedIn(route.query, () => readQuery(request.query)),
    ...namedIn(route.body, () => readJsonBody(request)),
  ];
}

/** Reads what was sent only where something of it is deprecated. */
function namedIn(schema: z.ZodType | undefined, read: () => unknown): Deprecation[] {
  if (!(schema instanceof z.ZodObject)) return [];
  const marked = Object.entries(schema.shape).flatMap(([name, member]) => {
    const deprecation = members.get(member);
    return deprecation === undefined ? [] : [{ name, deprecation }];
  });
  if (marked.length === 0) return [];
  let sent: unknown;
  try {
    sent = read();
  } catch {
    // The answer says what is wrong with it.
    return [];
  }
  if (typeof sent !== 'object' || sent === null) return [];
  const given = sent;
  return marked.flatMap(({ name, deprecation }) => (Object.hasOwn(given, name) ? [deprecation] : []));
}

/** `Deprecation` (RFC 9745) and, where an end is set, `Sunset` (RFC 8594); of several, the earliest. */
export function deprecationHeaders(deprecations: readonly Deprecation[]): HeaderPairs {
  const since = earliest(deprecations.map((one) => one.since));
  const sunset = earliest(deprecations.flatMap((one) => one.sunset ?? []));
  return [
    ...(since === undefined ? [] : ([['deprecation', `@${since.getTime() / 1000}`]] as const)),
    ...(sunset === undefined ? [] : ([['sunset', sunset.toUTCString()]] as const)),
  ];
}

function earliest(days: readonly string[]): Date | undefined {
  const [first] = days.toSorted();
  return first === undefined ? undefined : new Date(`${first}T00:00:00Z`);
}
