import type { StartOptions } from '../../../dev/local/start.ts';
import { connectAccount } from '../../support/connect.ts';
import { jsonRequest, startTestGateway, type TestGateway } from '../../support/gateway.ts';
import { forgetRequests, requests } from '../../support/simulator.ts';

/** A gateway with a Drive and a Calendar connection that may write. */
export interface WriterGateway extends AsyncDisposable {
  readonly test: TestGateway;
  readonly baseUrl: string;
  readonly secretKey: string;
  readonly drive: Writer;
  readonly calendar: Writer;
}

/** A connection that may write. */
export interface Writer {
  readonly integrationId: string;
  readonly connectionId: string;
}

/** Everything the API side of the simulator received for one call. */
export interface SeenUpstream {
  readonly method: string;
  readonly target: string;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
}

/** Starts a gateway and connects an account to each provider with full scopes. */
export async function startWriterGateway(options: Partial<StartOptions> = {}): Promise<WriterGateway> {
  const test = await startTestGateway(options);
  try {
    const drive = await writer(test, 'google-drive', 'drive-writer', 'drive');
    const calendar = await writer(test, 'google-calendar', 'calendar-writer', 'calendar');
    return {
      test,
      baseUrl: test.gateway.gatewayUrl,
      secretKey: test.gateway.secretKey,
      drive,
      calendar,
      [Symbol.asyncDispose]: () => test[Symbol.asyncDispose](),
    };
  } catch (error) {
    await test[Symbol.asyncDispose]();
    throw error;
  }
}

async function writer(test: TestGateway, provider: string, integrationId: string, scope: string): Promise<Writer> {
  const answer = await test.call(
    '/integrations',
    jsonRequest('POST', { provider, unique_key: integrationId, credentials_source: 'test', scopes: [scope] }),
  );
  if (!answer.ok) throw new Error(`No integration ${integrationId}: ${answer.status} ${await answer.text()}`);
  return { integrationId, connectionId: await connectAccount(test, integrationId) };
}

/** What reached the API since the last look. */
export async function seenUpstream(test: TestGateway): Promise<SeenUpstream[]> {
  const seen = await requests(test, 'api');
  await forgetRequests(test);
  return seen.map(({ method, target, headers }) => ({
    method,
    target,
    headers: Object.fromEntries(headers.map(([name, value]) => [name.toLowerCase(), value])),
  }));
}

/** What of the gateway is in requests that reached the API: its key, its control headers, its path. Empty when all is well. */
export function gatewayTraces(seen: readonly SeenUpstream[], { secretKey, drive, calendar }: WriterGateway): string[] {
  const marks = [
    secretKey,
    drive.connectionId,
    calendar.connectionId,
    'replaced-by-the-integration-gateway',
    '/proxy/',
  ];
  return seen.flatMap(({ method, target, headers }) => {
    const text = JSON.stringify([target, headers]);
    const control = Object.keys(headers).filter((name) =>
      /^(provider-config-key|connection-id|retries|retry-on|base-url-override|decompress|nango-.*|cookie)$/.test(name),
    );
    const found = [...marks.filter((mark) => text.includes(mark)), ...control];
    return found.map((mark) => `${method} ${target}: ${mark}`);
  });
}
