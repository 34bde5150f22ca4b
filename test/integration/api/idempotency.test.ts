import { describe, expect, test } from 'vitest';
import { useTestGateway } from '../../support/use-gateway.ts';

describe('a request that is repeated under its Idempotency-Key', () => {
  const gateway = useTestGateway({ maxChildrenPerFunction: 4 });

  const post = (path: string, body: unknown, idempotencyKey: string) =>
    gateway.call(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'idempotency-key': idempotencyKey },
      body: JSON.stringify(body),
    });
  const keysNamed = async (wanted: string) => {
    const { body } = await gateway.json('GET', '/account/keys');
    return body.data.filter(({ name }: { name: string }) => name === wanted);
  };

  test('makes one secret key, however many processes it reaches at once, and shows the key to each', async () => {
    const ask = () => post('/account/keys', { name: 'nightly', right: 'read' }, '"job-7"');
    const answers = await Promise.all(Array.from({ length: 12 }, ask));
    const made = answers.filter(({ status }) => status === 201);
    const waiting = answers.filter(({ status }) => status === 409);
    expect(made.length + waiting.length).toBe(12);
    expect(made.length).toBeGreaterThan(0);
    for (const { headers } of waiting) expect(headers.get('x-gateway-error')).toBe('request_in_progress');
    const again = await ask();
    expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([201, 'true']);
    const text = await again.text();
    expect(new Set(await Promise.all(made.map((one) => one.text())))).toEqual(new Set([text]));
    expect(await keysNamed('nightly')).toHaveLength(1);
    const { secret_key: secretKey } = JSON.parse(text).data;
    const works = await fetch(`${gateway.gateway.gatewayUrl}/integrations`, {
      headers: { authorization: `Bearer ${secretKey}` },
    });
    expect(works.status).toBe(200);
  });

  test('answers 422 to another body, and 400 to a key in two parts', async () => {
    const session = (id: string, key: string) => post('/connect/sessions', { end_user: { id } }, key);
    expect((await session('a', 'one')).status).toBe(201);
    const other = await session('b', 'one');
    expect([other.status, other.headers.get('x-gateway-error')]).toEqual([422, 'idempotency_key_reused']);
    expect((await session('a', 'one, two')).status).toBe(400);
  });

  test('a request that is repeated under its Idempotency-Key is answered from what was done to rows of every kind', async () => {
    const requests: readonly (readonly [string, unknown])[] = [
      ['/integrations/quickstart', { provider: 'google-drive', unique_key: 'once' }],
      ['/connect/sessions', { end_user: { id: 'once' } }],
    ];
    for (const [path, body] of requests) {
      const first = await post(path, body, `"kind ${path}"`);
      expect(first.status, path).toBeLessThan(300);
      const repeat = await post(path, body, `"kind ${path}"`);
      expect([repeat.status, await repeat.text()]).toEqual([first.status, await first.text()]);
      expect(repeat.headers.get('idempotent-replayed')).toBe('true');
    }
  });

  test('says with each answer what is left of the limit', async () => {
    const { headers } = await gateway.call('/integrations');
    expect(headers.get('ratelimit-policy')).toMatch(/^"key";q=\d+;w=60$/);
    expect(headers.get('ratelimit')).toMatch(/^"key";r=\d+;t=\d+$/);
  });
});
