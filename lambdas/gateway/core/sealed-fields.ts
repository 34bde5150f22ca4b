import { FEATURE_SEALED_FIELDS } from '../../features/index.ts';
import { APPROVAL_KEPT_SEC, APPROVAL_LIFETIME_SEC } from './limits.ts';

/** A kind of sealed value. */
interface SealedField {
  /**
   * Seconds that a value is kept outside the main table. `gateway data-keys retire` counts values in the main table and waits this long
   * for the rest.
   */
  readonly keptElsewhereSec: number;
}

const IN_TABLE: SealedField = { keptElsewhereSec: 0 };
/** Returned by a caller for the next page: without its data key it is refused, and the list begins again. */
const WITH_CALLER: SealedField = { keptElsewhereSec: 0 };
/** In the call log's table; what an approver was shown is kept longest. */
const WITH_APPROVALS: SealedField = { keptElsewhereSec: APPROVAL_LIFETIME_SEC + APPROVAL_KEPT_SEC };

/** Everything that is encrypted. The cipher accepts no other field, so this list is complete. */
export const SEALED_FIELDS = {
  refreshToken: IN_TABLE,
  accessToken: IN_TABLE,
  codeVerifier: IN_TABLE,
  webhookSecret: IN_TABLE,
  feedCursor: IN_TABLE,
  feedStatesKey: IN_TABLE,
  idempotentAnswer: IN_TABLE,
  connectionListCursor: WITH_CALLER,
  integrationListCursor: WITH_CALLER,
  secretKeyListCursor: WITH_CALLER,
  deliveryListCursor: WITH_CALLER,
  feedListCursor: WITH_CALLER,
  providerForm: WITH_CALLER,
  'approval.request': WITH_APPROVALS,
  'approval.body': WITH_APPROVALS,
  'approval.about': WITH_APPROVALS,
  'approval.result': WITH_APPROVALS,
  'approval.signIn': WITH_APPROVALS,
  ...FEATURE_SEALED_FIELDS,
} as const satisfies Readonly<Record<string, SealedField>>;

/** The name of an encrypted field; the body of a call that waits for approval is encrypted in numbered pieces. */
export type SealedFieldName = keyof typeof SEALED_FIELDS | `approval.body${number}`;
