import { upsertClient } from '../oauth/clients.ts';
import { flag, listOf, object, oneOf, optional, text } from '../parse.ts';
import type { Simulation } from '../simulation.ts';

/** An OAuth client as control requests and seeds have it. */
export const clientBody = object({
  clientId: text,
  clientSecret: text,
  redirectUris: listOf(text),
  publishingStatus: optional(oneOf('testing', 'production')),
  audience: optional(oneOf('external', 'internal')),
  agentic: optional(flag),
});

/** Adds or changes such a client. @throws {ShapeError} for what Google's console would not accept either */
export function putClient(
  sim: Simulation,
  { publishingStatus, audience, agentic, ...client }: ReturnType<typeof clientBody>,
): void {
  upsertClient(sim.state, {
    ...client,
    ...(publishingStatus === undefined ? {} : { publishingStatus }),
    ...(audience === undefined ? {} : { audience }),
    ...(agentic === undefined ? {} : { agentic }),
  });
}
