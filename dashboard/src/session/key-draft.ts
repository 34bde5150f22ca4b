import type { SecretKeyRight } from '../gateway/library.ts';

/** What was typed of a secret key before the operator left for a fresh sign-in. Nothing of it is secret. */
export interface KeyDraft {
  readonly name: string;
  readonly right: SecretKeyRight;
}

/** Where a draft waits: this tab, and only until it was read. */
const STORED_AS = 'key-draft';

/** Keeps a draft, and of it nothing but the name and the right. */
export function keepKeyDraft({ name, right }: KeyDraft, storage: Storage = sessionStorage): void {
  storage.setItem(STORED_AS, JSON.stringify({ name, right }));
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
  if (typeof name !== 'string' || name.length > 255) return undefined;
  return right === 'proxy' || right === 'read' || right === 'full' ? { name, right } : undefined;
}
