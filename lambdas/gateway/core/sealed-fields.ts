import { FEATURE_SEALED_FIELDS } from '../../features/index.ts';
import type { KeyPurpose } from './contract.ts';

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
  /** Large values: pieces with numbers are encrypted one by one. */
  readonly inPieces?: true;
}

const TOKENS = { purpose: 'tokens' } as const;
/** Positions in lists, returned by a caller for the next page; those of features, too. */
const CURSORS = { purpose: 'cursors' } as const;

/** Everything that is encrypted. The cipher accepts no other field, so this list is complete. */
export const SEALED_FIELDS = {
  refreshToken: TOKENS,
  accessToken: TOKENS,
  clientSecret: { purpose: 'clients' },
  codeVerifier: { purpose: 'flows' },
  idempotentAnswer: { purpose: 'answers' },
  connectionListCursor: CURSORS,
  integrationListCursor: CURSORS,
  secretKeyListCursor: CURSORS,
  providerForm: CURSORS,
  ...FEATURE_SEALED_FIELDS,
} as const satisfies Readonly<Record<string, SealedField>>;

/** The name of an encrypted field, or of a numbered piece of one. */
export type SealedFieldName = keyof Listed | PieceOf<keyof Listed>;

/** The fields whose data keys have a purpose; pieces have the purpose of the whole. */
export type FieldOf<Purpose extends KeyPurpose> = ListedFor<Purpose> | PieceOf<ListedFor<Purpose>>;

type PieceOf<Name extends keyof Listed> = Name extends keyof Listed
  ? Listed[Name] extends { readonly inPieces: true }
    ? `${Name}${number}`
    : never
  : never;

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
