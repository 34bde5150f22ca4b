import { FIRST_ACCOUNT_ID } from '../contract.ts';
import { GatewayError } from '../core/errors.ts';
import { RECENT_SIGN_IN_SEC } from '../core/limits.ts';
import type { Clock } from '../core/ports.ts';
import type { Operator } from './credentials.rules.ts';
import type { OperatorTokenVerifier } from './ports.ts';

/** The account every operator works for. */
export const OPERATOR_ACCOUNT_ID = FIRST_ACCOUNT_ID;

/**
 * The operator behind an access token.
 *
 * @throws GatewayError `invalid_operator_token`, the same for every wrong token; `service_unavailable` when the issuer's
 *   keys are out of reach
 */
export async function authenticateOperator(verifier: OperatorTokenVerifier, token: string): Promise<Operator> {
  const judged = await verifier.verify(token);
  switch (judged.kind) {
    case 'valid':
      return judged.operator;
    case 'invalid':
      throw new GatewayError('invalid_operator_token', 'This sign-in is not valid or has expired. Sign in again.');
    case 'unavailable':
      throw new GatewayError(
        'service_unavailable',
        'The gateway cannot fetch the keys with which it checks sign-ins. Secret keys still work; try again.',
        { retryAfterSec: 30 },
      );
  }
}

/**
 * Whether an operator proved who they are recently enough for what must not be done from a screen left open (UI-6).
 *
 * @throws GatewayError `recent_sign_in_required`
 */
export function requireRecentSignIn(operator: Operator, clock: Clock): void {
  if (Math.floor(clock.nowMs() / 1000) - operator.authenticatedAtEpochSec <= RECENT_SIGN_IN_SEC) return;
  throw new GatewayError(
    'recent_sign_in_required',
    `This needs a sign-in of the last ${RECENT_SIGN_IN_SEC / 60} minutes. Sign in again and repeat it.`,
  );
}

/** An operator's name in the audit trail: the issuer's id, never an e-mail address. */
export function operatorActor(operator: Operator): string {
  return `operator:${operator.subject}`;
}
