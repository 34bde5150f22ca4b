import type { TestGateway } from './gateway.ts';

/** A request as the simulator received it. */
export interface RecordedRequest {
  readonly seq: number;
  readonly origin: 'accounts' | 'token' | 'api';
  readonly method: string;
  readonly target: string;
  readonly headers: readonly (readonly [string, string])[];
  readonly bodyLength: number;
  readonly bodySha256: string;
}

/** Calls one of the simulator's control routes. */
export async function control(test: TestGateway, method: string, path: string, body?: unknown): Promise<unknown> {
  const answer = await fetch(`${test.gateway.simulatorUrl}/__sim${path}`, {
    method,
    headers: body === undefined ? {} : { 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  if (!answer.ok) throw new Error(`Simulator control ${method} ${path}: ${answer.status} ${await answer.text()}`);
  const text = await answer.text();
  return text === '' ? undefined : JSON.parse(text);
}

/**
 * Google's API as an account's owner uses it, alongside the gateway.
 * @returns what sends a request and reads the JSON it is answered. @throws Error for a refused one
 */
export async function ownerOf(
  test: TestGateway,
  account = 'first.user@example.com',
): Promise<(method: string, path: string, body?: unknown) => Promise<{ readonly id: string }>> {
  const { access_token: token } = Object(await control(test, 'POST', '/tokens', { account }));
  return async (method, path, body) => {
    const answer = await fetch(`${test.gateway.simulatorUrl}${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
    return text === '' ? undefined : JSON.parse(text);
  };
}

/** Everything the simulator received since the last `forgetRequests`. */
export async function requests(test: TestGateway, origin?: RecordedRequest['origin']): Promise<RecordedRequest[]> {
  const answer = await control(test, 'GET', '/requests');
  const list: RecordedRequest[] =
    typeof answer === 'object' && answer !== null && 'requests' in answer && Array.isArray(answer.requests)
      ? answer.requests
      : [];
  return origin === undefined ? list : list.filter((request) => request.origin === origin);
}

export function forgetRequests(test: TestGateway): Promise<unknown> {
  return control(test, 'DELETE', '/requests');
}

/** Requests that reached the token endpoint. */
export async function tokenCalls(test: TestGateway): Promise<RecordedRequest[]> {
  return (await requests(test)).filter((request) => request.target.startsWith('/token'));
}
