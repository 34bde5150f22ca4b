import type { Connection } from '../../gateway/connections/connection.rules.ts';
import type { Integration } from '../../gateway/integrations/integration.rules.ts';
import { expectedEnd, type KnownEnd } from '../../gateway/tokens/forecast.rules.ts';

/** A live connection whose end is known. */
export interface ComingEnd {
  readonly connection: Connection;
  readonly end: KnownEnd;
}

/** Live connections that end before a moment, the next one first; those that are overdue too. */
export function comingEnds(
  details: readonly Connection[],
  integrations: readonly Integration[],
  beforeEpochSec: number,
): readonly ComingEnd[] {
  const byId = new Map(integrations.map((integration) => [integration.integrationId, integration]));
  const known = details.flatMap((connection): ComingEnd[] => {
    const integration = byId.get(connection.integrationId);
    const end = integration === undefined ? undefined : expectedEnd(connection, integration);
    return end === undefined || end.atEpochSec > beforeEpochSec ? [] : [{ connection, end }];
  });
  return known.sort((a, b) => a.end.atEpochSec - b.end.atEpochSec);
}
