/** What of the API will go, told to whoever still uses it: in the answer's headers and in the document (docs/versions.md). */
import * as z from 'zod';
import type { GatewayRequest, HeaderPairs } from '../gateway/core/http-message.ts';
import type { Deprecation, DescribedRoute } from '../gateway/openapi/operation.ts';
import { readJsonBody } from './request-body.ts';
import { readQuery } from './request-input.ts';

/** Name of a deprecation among what a schema says of itself; an extension of the document's (OpenAPI 3.1.0, "Specification Extensions"). */
const ABOUT = 'x-deprecated';
const deprecation = z.object({ since: z.string(), sunset: z.string().optional(), instead: z.string() });

/**
 * A member of a body, or a parameter of a query, that will go. Stands around everything else of the member's schema.
 *
 * @param about since when, and what to use instead
 */
export function deprecated<Schema extends z.ZodType>(schema: Schema, about: Deprecation): Schema {
  const description = `Deprecated since ${about.since}. ${about.instead}`;
  return schema.meta({ deprecated: true, description, [ABOUT]: about });
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
    const found = member instanceof z.ZodType ? deprecation.safeParse(member.meta()?.[ABOUT]) : undefined;
    return found?.success === true ? [{ name, about: found.data }] : [];
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
  return marked.flatMap(({ name, about }) => (Object.hasOwn(given, name) ? [about] : []));
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
