import type { SecretKeyRight } from '../gateway/library.ts';
import { isKeyRight } from '../model/key-rights.ts';

/** A form's values for a secret key before the operator left for a fresh sign-in. None of them is secret. */
export interface KeyDraft {
  readonly name: string;
  readonly right: SecretKeyRight;
  readonly canReadCredentials: boolean;
  /** Values for an IAM role that calls instead of a key. */
  readonly role?: RoleDraft | undefined;
}

/** An IAM role as it is typed. */
export interface RoleDraft {
  readonly arn: string;
  /** Empty for any role of this name. */
  readonly id: string;
}

/** Where a draft waits: this tab, and only until it was read. */
const STORED_AS = 'key-draft';

/** Keeps a draft, and of it nothing but these. */
export function keepKeyDraft(draft: KeyDraft, storage: Storage = sessionStorage): void {
  const { name, right, canReadCredentials, role } = draft;
  const kept = role === undefined ? {} : { role: { arn: role.arn, id: role.id } };
  storage.setItem(STORED_AS, JSON.stringify({ name, right, canReadCredentials, ...kept }));
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
  const role = 'role' in value ? parseRole(value.role) : {};
  return isKeyRight(right) && role !== undefined ? { name, right, canReadCredentials, ...role } : undefined;
}

function parseRole(role: unknown): Pick<KeyDraft, 'role'> | undefined {
  if (typeof role !== 'object' || role === null || !('arn' in role) || !('id' in role)) return undefined;
  const { arn, id } = role;
  return typeof arn === 'string' && typeof id === 'string' && arn.length + id.length < 4096
    ? { role: { arn, id } }
    : undefined;
}
