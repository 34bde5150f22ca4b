import { FEATURE_SEALED_FIELDS } from '../../features/index.ts';
import type { KeyPurpose } from './contract.ts';
import { APPROVAL_KEPT_SEC, APPROVAL_LIFETIME_SEC } from './limits.ts';

/** A kind of sealed value. */
interface SealedField {
  /** What its data keys are for. */
  readonly purpose: KeyPurpose;
  /**
   * Seconds that a value is kept outside the main table. `gateway data-keys retire` counts values in the main table and waits this long
   * for the rest.
   * @default 0
   */
  readonly keptElsewhereSec?: number;
}

const TOKENS = { purpose: 'tokens' } as const;
/** Positions: in lists, returned by a caller for the next page, and of feeds, with the keys of what they remember. */
const CURSORS = { purpose: 'cursors' } as const;
/** In the call log's table; what an approver was shown is kept longest. */
const WITH_APPROVALS = { purpose: 'approvals', keptElsewhereSec: APPROVAL_LIFETIME_SEC + APPROVAL_KEPT_SEC } as const;

/** Everything that is encrypted. The cipher accepts no other field, so this list is complete. */
export const SEALED_FIELDS = {
  refreshToken: TOKENS,
  accessToken: TOKENS,
  codeVerifier: { purpose: 'flows' },
  idempotentAnswer: { purpose: 'answers' },
  feedCursor: CURSORS,
  feedStatesKey: CURSORS,
  connectionListCursor: CURSORS,
  integrationListCursor: CURSORS,
  secretKeyListCursor: CURSORS,
  feedListCursor: CURSORS,
  providerForm: CURSORS,
  'approval.request': WITH_APPROVALS,
  'approval.body': WITH_APPROVALS,
  'approval.about': WITH_APPROVALS,
  'approval.result': WITH_APPROVALS,
  'approval.signIn': WITH_APPROVALS,
  ...FEATURE_SEALED_FIELDS,
} as const satisfies Readonly<Record<string, SealedField>>;

/** The name of an encrypted field; the body of a call that waits for approval is encrypted in numbered pieces. */
export type SealedFieldName = keyof typeof SEALED_FIELDS | `approval.body${number}`;

/** The fields whose data keys have a purpose; pieces of a body have the purpose of the body. */
export type FieldOf<Purpose extends KeyPurpose> =
  | ListedFor<Purpose>
  | ('approval.body' extends ListedFor<Purpose> ? `approval.body${number}` : never);

type Listed = typeof SEALED_FIELDS;
type ListedFor<Purpose extends KeyPurpose> = {
  [Name in keyof Listed]: Listed[Name]['purpose'] extends Purpose ? Name : never;
}[keyof Listed];

/**
 * Whether a sealed value is under a data key of tokens, as 0.2.0 sealed all values. Functions without the purpose `tokens` cannot open
 * it until a function that may has sealed it again.
 */
export function isUnderKeyOfTokens(sealed: string): boolean {
  return sealed.startsWith('v1.');
}
