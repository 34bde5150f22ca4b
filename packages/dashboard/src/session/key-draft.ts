import type { SecretKeyRight } from '../gateway/library.ts';
import { isKeyRight } from '../model/key-rights.ts';

/** What was typed of a secret key before the operator left for a fresh sign-in. Nothing of it is secret. */
export interface KeyDraft {
  readonly name: string;
  readonly right: SecretKeyRight;
  readonly canReadCredentials: boolean;
}

/** Where a draft waits: this tab, and only until it was read. */
const STORED_AS = 'key-draft';

/** Keeps a draft, and of it nothing but these. */
export function keepKeyDraft({ name, right, canReadCredentials }: KeyDraft, storage: Storage = sessionStorage): void {
  storage.setItem(STORED_AS, JSON.stringify({ name, right, canReadCredentials }));
}

/** The draft that waits; undefined where there is none, or none that can be read. */
export function readKeyDraft(storage: Storage = sessionStorage): KeyDraft | undefined {
  const stored = storage.getItem(STORED_AS);
  return stored === null ? undefined : parseKeyDraft(stored);
}

/** Forgets the draft that waits. */
export function forgetKeyDraft(): void {
  sessionStorage.removeItem(STORED_AS);
}

/** Reads a draft from its text; undefined for anything else. */
export function parseKeyDraft(text: string): KeyDraft | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (typeof value !== 'object' || value === null || !('name' in value) || !('right' in value)) return undefined;
  const { name, right } = value;
  const canReadCredentials = 'canReadCredentials' in value && value.canReadCredentials === true;
  if (typeof name !== 'string' || name.length > 255) return undefined;
  return isKeyRight(right) ? { name, right, canReadCredentials } : undefined;
}
