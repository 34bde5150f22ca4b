import { type Upstream, UpstreamError, type UpstreamRequest } from '../../../../lambdas/gateway/core/http-message.ts';
import { endpointsAt } from '../../support/google.ts';

type Answer = { readonly status: number; readonly body: unknown } | 'unreachable';

/** A provider whose API answers what the test put in line; a call nobody prepared fails. */
export function scriptedProvider() {
  const endpoints = endpointsAt({
    issuer: 'https://accounts.provider.example',
    authorizationEndpoint: 'https://accounts.provider.example/auth',
    tokenEndpoint: 'https://token.provider.example/token',
    revocationEndpoint: 'https://token.provider.example/revoke',
    userinfoEndpoint: 'https://userinfo.provider.example/v1/userinfo',
    jwksUri: 'https://keys.provider.example/certs',
    apiOrigin: 'https://api.provider.example',
  });
  const answers: Answer[] = [];
  const requests: UpstreamRequest[] = [];
  const upstream: Upstream = {
    async send(request) {
      requests.push(request);
      const answer = answers.shift();
      if (answer === undefined) throw new Error(`Nobody prepared an answer to ${request.path}`);
      if (answer === 'unreachable') throw new UpstreamError('unreachable', false, false, undefined);
      return {
        status: answer.status,
        headers: [],
        body: chunks(JSON.stringify(answer.body)),
        abandon: () => undefined,
      };
    },
    close: () => undefined,
  };
  return { endpoints, answers, requests, upstream };
}

async function* chunks(text: string): AsyncGenerator<Uint8Array> {
  yield new TextEncoder().encode(text);
}
