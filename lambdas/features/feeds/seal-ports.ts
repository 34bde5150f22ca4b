import type { FeedRef } from './feed.rules.ts';

/** Attributes of a feed's rows that are sealed: positions, and the key of what the feed remembers. */
export type SealedAttribute = 'encryptedCursor' | 'listing' | 'encryptedKey';

/** A sealed value in a row. */
export interface SealedValue {
  readonly pk: string;
  readonly sk: string;
  readonly attribute: SealedAttribute;
  readonly sealed: string;
}

export interface FeedSeals {
  /** Values that 0.2.0 sealed; undefined for a feed that does not exist. */
  underKeysOfTokens(
    ref: FeedRef,
  ): Promise<{ readonly integrationId: string; readonly values: readonly SealedValue[] } | undefined>;
  /** Replaces a value; false where it has changed. */
  replace(value: SealedValue, resealed: string): Promise<boolean>;
}
