import type { StartOptions } from '../../dev/local/start.ts';
import { startTestGateway, type TestGateway } from './gateway.ts';
import { type RawAnswer, type RawRequest, rawRequest } from './raw-http.ts';
import { type ScriptedUpstream, startScriptedUpstream } from './scripted-upstream.ts';

/** A gateway whose API calls go to a scripted upstream, with real connections made at the simulator. */
export interface ProxyGateway extends AsyncDisposable {
  readonly test: TestGateway;
  readonly upstream: ScriptedUpstream;
  /** The headers every proxied call needs. */
  identity(integrationId?: string): [string, string][];
  /** A proxied call, byte for byte; `path` follows `/proxy`. */
  send(request: RawRequest, integrationId?: string): Promise<RawAnswer>;
}

export async function startProxyGateway(options: Partial<StartOptions> = {}): Promise<ProxyGateway> {
  const upstream = await startScriptedUpstream();
  const test = await startTestGateway({
    ...options,
    environmentOverrides: { GOOGLE_API_BASE_URL: upstream.origin, ...options.environmentOverrides },
  });
  const identity = (integrationId = 'google-drive'): [string, string][] => [
    ['Authorization', `Bearer ${test.gateway.secretKey}`],
    ['Provider-Config-Key', integrationId],
    ['Connection-Id', test.connectionId(integrationId)],
  ];
  return {
    test,
    upstream,
    identity,
    send: (request, integrationId) =>
      rawRequest(test.gateway.proxyUrl, {
        ...request,
        path: `/proxy${request.path}`,
        headers: [...identity(integrationId), ...(request.headers ?? [])],
      }),
    async [Symbol.asyncDispose]() {
      await test[Symbol.asyncDispose]();
      await upstream[Symbol.asyncDispose]();
    },
  };
}
