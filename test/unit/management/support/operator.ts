import type { OperatorMfa } from '../../../../lambdas/gateway/core/contract.ts';
import type { OperatorRole } from '../../../../lambdas/gateway/keys/credentials.rules.ts';
import type { OperatorTokenJudgement } from '../../../../lambdas/gateway/keys/ports.ts';
import { type CallOptions, managementGateway } from './gateway.ts';

export const DASHBOARD_ORIGIN = 'https://dashboard.example';
/** Looks like an access token; the fake verifier below knows it. */
export const OPERATOR_TOKEN = 'operator.access.token';
export const OPERATOR_SUBJECT = 'b4c1d2e3-0000-4000-8000-000000000001';

interface Sent extends Omit<CallOptions, 'key'> {
  /** undefined: no Authorization at all. @default the operator's */
  readonly token?: string | undefined;
  readonly origin?: string;
}

/** A management API with a dashboard, by default called as its operator. */
export function operatorGateway(operatorMfa: OperatorMfa = 'required') {
  const state: {
    judgement: OperatorTokenJudgement | undefined;
    signedInSecAgo: number;
    secondFactor: boolean | undefined;
    role: OperatorRole;
  } = {
    judgement: undefined,
    role: 'operator',
    secondFactor: undefined,
    signedInSecAgo: 60,
  };
  const gateway = managementGateway({
    dashboardOrigin: DASHBOARD_ORIGIN,
    operatorMfa,
    operatorTokens: {
      emailIn: async () => undefined,
      async verify(token) {
        if (state.judgement !== undefined) return state.judgement;
        if (token !== OPERATOR_TOKEN) return { kind: 'invalid' };
        const authenticatedAtEpochSec = gateway.clock.nowEpochSec() - state.signedInSecAgo;
        const { secondFactor, role } = state;
        const subject = OPERATOR_SUBJECT;
        return { kind: 'valid', operator: { subject, authenticatedAtEpochSec, secondFactor, role } };
      },
    },
  });
  const send = (method: string, target: string, { origin, headers = [], ...sent }: Sent = {}) => {
    const key = 'token' in sent ? sent.token : OPERATOR_TOKEN;
    const from = origin === undefined ? [] : [['Origin', origin] as const];
    return gateway.call(method, target, { ...sent, key, headers: [...from, ...headers] });
  };
  return { gateway, state, send };
}
