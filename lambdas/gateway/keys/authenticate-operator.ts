import { epochSecNow } from '../core/clock.ts';
import { FIRST_ACCOUNT_ID, type OperatorMfa } from '../core/contract.ts';
import { GatewayError } from '../core/errors.ts';
import { CREDENTIAL_KEY_SIGN_IN_SEC, RECENT_SIGN_IN_SEC } from '../core/limits.ts';
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
 * Requires that a person who signed in may do what is asked: viewers only look.
 *
 * @param isRead whether it changes nothing, here and at the provider
 * @throws GatewayError `forbidden`
 */
export function requireRole({ role }: Operator, isRead: boolean): void {
  if (role === 'operator' || (role === 'viewer' && isRead)) return;
  throw new GatewayError(
    'forbidden',
    role === 'viewer'
      ? 'You signed in as a viewer, who sees everything and changes nothing. This needs an operator.'
      : 'Your account is in no group that may use this gateway. The deployment maps groups to operator and viewer.',
  );
}

/**
 * Requires that an operator signed in recently, for actions that an unattended screen must not allow (UI-6).
 *
 * @param withinSec greatest age of the sign-in
 * @throws GatewayError `recent_sign_in_required`
 */
export function requireRecentSignIn(operator: Operator, clock: Clock, withinSec = RECENT_SIGN_IN_SEC): void {
  if (epochSecNow(clock) - operator.authenticatedAtEpochSec <= withinSec) return;
  throw new GatewayError(
    'recent_sign_in_required',
    `This needs a sign-in of the last ${withinSec / 60} minutes. Sign in again and repeat it.`,
  );
}

/**
 * Requires a second factor and a sign-in of the last five minutes before an operator grants the right to read tokens
 * (AK-17). The token's statement about its factors counts; without one, the issuer's rule for everyone.
 *
 * @param mfa the issuer's rule for every operator
 * @throws GatewayError `second_factor_required`, `recent_sign_in_required`
 */
export function requireSignInForCredentials(operator: Operator, mfa: OperatorMfa, clock: Clock): void {
  if (!(operator.secondFactor ?? mfa === 'required')) {
    throw new GatewayError(
      'second_factor_required',
      'A key that reads tokens can be created only where operators sign in with a second factor. Deploy with gateway:operatorMfa=required, or create the key with AWS rights: gateway secret-keys create --can-read-credentials.',
    );
  }
  requireRecentSignIn(operator, clock, CREDENTIAL_KEY_SIGN_IN_SEC);
}

/** An operator's name in the audit trail: the issuer's id, never an e-mail address. */
export function operatorActor(operator: Operator): string {
  return `operator:${operator.subject}`;
}
