import { describe, expect, it, vi } from 'vitest';
import { type Integration, treatedAsTestingSince } from '../../../lambdas/gateway/integrations/integration.rules.ts';
import { consentLog } from '../../../lambdas/gateway/tokens/consent-log.store.ts';
import { type GivenGrant, noteGrant } from '../../../lambdas/gateway/tokens/note-grant.ts';
import { NOW_EPOCH_SEC } from '../support/connection.ts';
import { integratedGateway, managementGateway, member } from './support/gateway.ts';
import { integrationRow } from './support/rows.ts';

const SEVEN_DAYS_SEC = 604_799;
const clock = { nowMs: () => NOW_EPOCH_SEC * 1000 };
const random = { bytes: (count: number) => new Uint8Array(count), number: () => 0.5 };
const account = { subject: '42', email: null };
const plain: GivenGrant = {
  account,
  clientId: '123-abc',
  consentedAtEpochSec: NOW_EPOCH_SEC,
  grantedScopes: ['https://www.googleapis.com/auth/drive.file'],
  refreshTokenExpiresAtEpochSec: undefined,
};
const ofTesting = (atEpochSec = NOW_EPOCH_SEC): GivenGrant => ({
  ...plain,
  consentedAtEpochSec: atEpochSec,
  refreshTokenExpiresAtEpochSec: atEpochSec + SEVEN_DAYS_SEC,
});

/** Notes grants one after the other, on the record as it is by then; what was written of the integration. */
async function notes(...grants: readonly (readonly [grant: GivenGrant, isConsent: boolean])[]) {
  const gateway = integratedGateway({ integrationId: 'drive', publishingStatus: 'production' });
  const { integrations, logger } = gateway.services;
  const [testing, works] = [vi.spyOn(integrations, 'noteTesting'), vi.spyOn(integrations, 'noteClientWorks')];
  const stored = (): Integration => {
    const [one] = [...gateway.integrations.values()];
    if (one === undefined) throw new Error('The integration is gone');
    return one;
  };
  const deps = { consents: consentLog(gateway.memory.table), integrations, logger, clock, random };
  for (const [grant, isConsent] of grants) await noteGrant(deps, stored(), grant, isConsent, 'request-1');
  const { body } = await gateway.call('GET', '/integrations/drive');
  return {
    written: testing.mock.calls.map(([, what]) => what),
    worked: works.mock.calls.map(([, at]) => at),
    since: treatedAsTestingSince(stored()),
    consents: gateway.memory.ofType('consent_log').map((item) => item.consentTimes),
    shown: member(body, 'data', 'testing_seen_at'),
  };
}

describe('that Google treats an app as Testing', () => {
  it('Testing mode is seen by a grant of seven days, written once, and shown whatever was declared', async () => {
    const { written, since, shown } = await notes([ofTesting(), true], [ofTesting(), true], [ofTesting(), false]);
    expect(written).toEqual(['seen']);
    expect(since).toBe(NOW_EPOCH_SEC);
    expect(shown).toBe('2026-01-01T00:00:00.000Z');
  });

  it('Testing mode is over with a later consent without an end, and an older grant’s refresh brings it back no more', async () => {
    const later = { ...plain, consentedAtEpochSec: NOW_EPOCH_SEC + 60 };
    const { written, since, shown } = await notes([ofTesting(), true], [later, true], [ofTesting(), false]);
    expect(written).toEqual(['seen', 'over']);
    expect([since, shown]).toEqual([undefined, null]);
    const again = await notes([ofTesting(), true], [later, true], [ofTesting(NOW_EPOCH_SEC + 120), true]);
    expect(again.written).toEqual(['seen', 'over', 'seen']);
  });

  it.each([
    ['a refresh without an end', plain, false],
    ['sign-in alone', { ...plain, grantedScopes: ['openid', 'email'] }, true],
  ])('what was seen of Testing mode is not taken back by %s', async (_, grant, isConsent) => {
    expect((await notes([ofTesting(), true], [grant, isConsent])).written).toEqual(['seen']);
  });

  it('Testing mode is not concluded from a limit that the user chose', async () => {
    const chosen = { ...plain, refreshTokenExpiresAtEpochSec: NOW_EPOCH_SEC + 30 * 86_400 };
    expect((await notes([chosen, true])).written).toEqual([]);
  });
});

describe('consents', () => {
  it('consents are counted per account and client, each time, and not where nobody knows whose they are', async () => {
    const { consents } = await notes([plain, true], [plain, true], [{ ...plain, account: undefined }, true]);
    expect(consents).toEqual([[NOW_EPOCH_SEC, NOW_EPOCH_SEC]]);
  });

  it('shows that the provider takes the client, which is written once and not by an import', async () => {
    expect((await notes([plain, true], [ofTesting(), true])).worked).toEqual([NOW_EPOCH_SEC]);
    expect((await notes([plain, false])).worked).toEqual([]);
  });

  it('TK-4: ends what was said of a client that the provider refused before, with one event; an import does not', async () => {
    const { services } = managementGateway();
    const clientFault = { error: 'invalid_client', sinceEpochSec: NOW_EPOCH_SEC - 60, retryAtEpochSec: NOW_EPOCH_SEC };
    const refused = integrationRow({ sequence: 4, clientFault });
    const cleared = vi.spyOn(services.integrations, 'clearClientFault').mockResolvedValue();
    await noteGrant({ ...services, clock, random }, refused, plain, false, 'request-1');
    expect(cleared).not.toHaveBeenCalled();
    await noteGrant({ ...services, clock, random }, refused, plain, true, 'request-2');
    const event = { eventType: 'IntegrationRecovered', sequence: 5, cause: 'invalid_client', requestId: 'request-2' };
    expect(cleared.mock.calls).toMatchObject([[expect.anything(), event]]);
  });

  it('consents that cannot be noted fail nobody’s flow', async () => {
    const { services, logged } = managementGateway();
    const down = () => Promise.reject(new Error('throttled'));
    const integrations = { noteTesting: down, noteClientWorks: down, clearClientFault: down };
    const deps = { consents: { note: down }, integrations, logger: services.logger, clock, random };
    await noteGrant(deps, integrationRow(), ofTesting(), true, 'request-1');
    expect(logged).toEqual(['a grant could not be noted']);
  });
});
