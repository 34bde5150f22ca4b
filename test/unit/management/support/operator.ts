import type { OperatorTokenJudgement } from '../../../../lambdas/gateway/keys/ports.ts';
import { serveRequest } from '../../../../lambdas/management/serve-request.ts';
import type { Services } from '../../../../lambdas/management/services.ts';
import { type ManagementGateway, managementGateway } from './gateway.ts';

export const DASHBOARD_ORIGIN = 'https://dashboard.example';
/** Looks like an access token; the fake verifier below knows it. */
export const OPERATOR_TOKEN = 'operator.access.token';
export const OPERATOR_SUBJECT = 'b4c1d2e3-0000-4000-8000-000000000001';

interface Sent {
  readonly body?: unknown;
  /** undefined: no Authorization at all. */
  readonly token?: string | undefined;
  readonly origin?: string;
  readonly headers?: readonly (readonly [string, string])[];
}

/** A management API with a dashboard, called as its operator unless told otherwise. */
export function operatorGateway(gateway: ManagementGateway = managementGateway()) {
  const state: { judgement: OperatorTokenJudgement | undefined; signedInSecAgo: number } = {
    judgement: undefined,
    signedInSecAgo: 60,
  };
  const services: Services = {
    ...gateway.services,
    dashboardOrigin: DASHBOARD_ORIGIN,
    operatorTokens: {
      emailIn: async () => undefined,
      async verify(token) {
        if (state.judgement !== undefined) return state.judgement;
        if (token !== OPERATOR_TOKEN) return { kind: 'invalid' };
        const authenticatedAtEpochSec = gateway.clock.nowEpochSec() - state.signedInSecAgo;
        return { kind: 'valid', operator: { subject: OPERATOR_SUBJECT, authenticatedAtEpochSec } };
      },
    },
  };
  return {
    gateway,
    state,
    services,
    async send(method: string, target: string, sent: Sent = {}) {
      const [rawPath = '', search = ''] = target.split('?');
      const token = 'token' in sent ? sent.token : OPERATOR_TOKEN;
      const response = await serveRequest(
        {
          method,
          rawPath,
          query: [...new URLSearchParams(search)],
          headers: [
            ...(token === undefined ? [] : [['Authorization', `Bearer ${token}`] as const]),
            ...(sent.origin === undefined ? [] : [['Origin', sent.origin] as const]),
            ...(sent.body === undefined ? [] : [['Content-Type', 'application/json'] as const]),
            ...(sent.headers ?? []),
          ],
          body: sent.body === undefined ? undefined : new TextEncoder().encode(JSON.stringify(sent.body)),
          requestId: 'request-1',
          sourceIp: '192.0.2.1',
        },
        services,
      );
      const text = response.body instanceof Uint8Array ? Buffer.from(response.body).toString('utf8') : '';
      const body: unknown = text === '' ? undefined : JSON.parse(text);
      return { status: response.status, headers: Object.fromEntries(response.headers), body };
    },
  };
}
