// @module-tag long
import { expect, test } from 'vitest';
import * as z from 'zod';
import { control } from '../../support/simulator.ts';
import { readConnection } from '../../support/table.ts';
import { useTestGateway } from '../../support/use-gateway.ts';

const DRIVE = 'google-drive';
const READ_METADATA = 'https://www.googleapis.com/auth/drive.metadata.readonly';

const gateway = useTestGateway();

const eventsSchema = z.object({
  events: z.array(z.object({ type: z.string(), sequence: z.number(), cause: z.string().nullable() })),
});

/** The connection's scope changes, oldest first. */
async function scopeChanges(): Promise<z.output<typeof eventsSchema>['events']> {
  const path = `/connections/${gateway.connectionId(DRIVE)}/events?provider_config_key=${DRIVE}`;
  const { events } = eventsSchema.parse((await gateway.json('GET', path)).body);
  return events.filter(({ type }) => type === 'ConnectionScopesChanged').toSorted((a, b) => a.sequence - b.sequence);
}

/** Asks Google for new tokens, whatever the age of those at hand. */
async function refresh(): Promise<void> {
  const path = `/connections/${gateway.connectionId(DRIVE)}?provider_config_key=${DRIVE}&force_refresh=true`;
  expect((await gateway.json('GET', path)).status).toBe(200);
}

test('LG-5: scopes that Google changes at a refresh are reported once each, with the row that has them', async () => {
  const before = await readConnection(gateway, DRIVE, gateway.connectionId(DRIVE));
  await refresh();
  expect(await scopeChanges()).toEqual([]);

  const match = { origin: 'token', tokenKind: 'refresh' };
  await control(gateway, 'POST', '/faults', { match, times: 1, action: { refreshScope: READ_METADATA } });
  await refresh();
  const [narrowed] = await scopeChanges();
  const sequence = Number(before.sequence) + 1;
  expect(narrowed).toMatchObject({ sequence, cause: expect.stringMatching(/^scopes_(gained_and_)?lost$/) });
  const narrow = await readConnection(gateway, DRIVE, gateway.connectionId(DRIVE));
  expect(narrow).toMatchObject({ status: 'active', sequence, grantedScopes: [READ_METADATA] });

  await refresh();
  expect(await scopeChanges()).toMatchObject([{ sequence }, { sequence: sequence + 1 }]);
  await refresh();
  expect(await scopeChanges()).toHaveLength(2);
  expect((await readConnection(gateway, DRIVE, gateway.connectionId(DRIVE))).grantedScopes).toEqual(
    before.grantedScopes,
  );
});
