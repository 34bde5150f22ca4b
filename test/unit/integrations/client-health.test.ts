import { expect, it } from 'vitest';
import { clientHealthOf } from '../../../lambdas/gateway/integrations/integration.rules.ts';
import { integration } from '../refresh/support/connection.ts';
import { google } from '../support/google.ts';

const NOTHING = { reason: undefined, certain: undefined, who: undefined, remedy: undefined };

it.each([
  ['not_checked_yet', undefined],
  ['working', 1_800_000_000],
] as const)('the client of an integration without a fault is %s', (status, sinceEpochSec) => {
  const health = clientHealthOf(integration({ clientWorksSinceEpochSec: sinceEpochSec }), google);
  expect(health).toEqual({ ...NOTHING, status, sinceEpochSec });
});

it.each([
  ['invalid_client', true, 'own', 'developer'],
  ['credentials_missing', true, 'own', 'developer'],
  ['temporarily_odd', false, 'test', 'operator'],
] as const)(
  'a client refused with %s: certain %s, with %s credentials for the %s to fix',
  (error, certain, source, who) => {
    const clientFault = { ...{ error, sinceEpochSec: 1_800_000_000, retryAtEpochSec: 1_800_000_060, failureCount: 1 } };
    const health = clientHealthOf(
      integration({ clientFault, credentialsSource: source, clientWorksSinceEpochSec: 1 }),
      google,
    );
    expect(health).toEqual({
      ...{ status: 'refused', reason: error, certain, sinceEpochSec: 1_800_000_000, who },
      remedy: expect.stringContaining(' '),
    });
  },
);
