import { describe, expect, test } from 'vitest';
import {
  AUTHORIZATIONS_PER_MINUTE,
  CONNECT_SESSIONS_PER_MINUTE,
  RATE_WINDOW_SEC,
} from '../../../lambdas/gateway/core/limits.ts';
import { connectSession } from '../../support/connect.ts';
import { useTestGateway } from '../../support/use-gateway.ts';
import { setRate } from './rates.ts';

describe('DS-3: uses that leave rows behind', () => {
  const gateway = useTestGateway();

  const session = () => gateway.json('POST', '/connect/sessions', { end_user: { id: 'u' } });

  test('one below the limit of connect sessions is let through, one at it is refused', async () => {
    await setRate(gateway, 'connect_sessions', CONNECT_SESSIONS_PER_MINUTE - 1);
    const both = await Promise.all([session(), session()]);
    expect(both.map(({ status }) => status).sort()).toEqual([201, 429]);
    const refused = both.find(({ status }) => status === 429);
    expect(refused?.headers.get('x-gateway-error')).toBe('rate_limited');
    expect(Number(refused?.headers.get('retry-after'))).toBeLessThanOrEqual(RATE_WINDOW_SEC);
    await setRate(gateway, 'connect_sessions', 0);
    expect((await session()).status).toBe(201);
  });

  test('an authorization below the limit is let through and one at it is refused, whichever way it starts', async () => {
    const token = await connectSession(gateway, { allowed_integrations: ['google-drive'] });
    await setRate(gateway, 'authorizations', AUTHORIZATIONS_PER_MINUTE);
    const start = await fetch(`${gateway.gateway.gatewayUrl}/connect/authorizations`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}` },
    });
    expect([start.status, start.headers.get('x-gateway-error')]).toEqual([429, 'rate_limited']);
    expect(start.headers.get('set-cookie')).toBeNull();
    const direct = await fetch(
      `${gateway.gateway.gatewayUrl}/oauth/connect/google-drive?connect_session_token=${token}`,
      {
        headers: { 'sec-fetch-site': 'same-origin' },
        redirect: 'manual',
      },
    );
    expect(direct.status).toBe(429);
  });
});
