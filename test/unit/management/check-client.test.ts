import { describe, expect, it } from 'vitest';
import type { TokenCallResult } from '../../../lambdas/gateway/tokens/ports.ts';
import { answered, managementGateway, member } from './support/gateway.ts';

const CLIENT = { client_id: '123456789012-own.apps.googleusercontent.com', client_secret: 'a-secret' };

async function checked(answer: TokenCallResult, body: object = CLIENT, provider = 'google-drive') {
  const gateway = managementGateway();
  const asked: { readonly clientId: string; readonly clientSecret: string; readonly code: string }[] = [];
  Object.assign(gateway.services.tokenEndpoint, {
    exchangeCode: async (_endpoints: unknown, exchange: (typeof asked)[number]) => {
      asked.push(exchange);
      return answer;
    },
  });
  const reply = await gateway.call('POST', `/providers/${provider}/check-client`, { body });
  return { reply, asked };
}

const refused = (error: string, error_description?: string, status = 400) =>
  answered(status, { error, error_description });

describe('asking a provider about a client before it is stored', () => {
  it.each([
    ['accepted', refused('invalid_grant', 'Malformed auth code.')],
    ['unknown_client_id', refused('invalid_client', 'The OAuth client was not found.', 401)],
    ['wrong_secret', refused('invalid_client', 'The provided client secret is invalid.', 401)],
    ['wrong_secret', refused('invalid_client', 'Unauthorized', 401)],
    ['refused', refused('invalid_client', undefined, 401)],
    ['refused', refused('deleted_client', undefined, 401)],
    ['refused', refused('redirect_uri_mismatch')],
    ['unreachable', answered(503, {})],
    ['unreachable', { kind: 'failed', reason: 'timeout' } as TokenCallResult],
  ])('answers %s', async (verdict, answer) => {
    const { reply, asked } = await checked(answer);
    expect(reply).toMatchObject({ status: 200, body: { data: { verdict, message: expect.any(String) } } });
    expect(asked).toMatchObject([{ clientId: CLIENT.client_id, clientSecret: 'a-secret', code: 'client-check' }]);
    expect(JSON.stringify(reply.body)).not.toContain('a-secret');
  });

  it('names what is wrong, and where to copy it again', async () => {
    const { reply } = await checked(refused('invalid_client', 'The provided client secret is invalid.', 401));
    expect(member(reply.body, 'data', 'message')).toBe(
      'Google knows this client id but refuses the secret. Copy the secret again, or add a new one in the Google Cloud console.',
    );
  });

  it('asks nobody about values that no client of the provider has', async () => {
    const none = await checked(refused('invalid_grant'), { ...CLIENT, client_id: 'nonsense' });
    expect(none.reply).toMatchObject({ status: 400, paths: ['client_id'] });
    const elsewhere = await checked(refused('invalid_grant'), CLIENT, 'nowhere');
    expect(elsewhere.reply).toMatchObject({ status: 404 });
    expect([...none.asked, ...elsewhere.asked]).toEqual([]);
  });
});
