import { refusal } from '../api/refusals.ts';
import { randomText, sha256Hex } from '../random.ts';
import { FOLDER_TYPE } from '../state/drive.ts';

/** Digits at the end of an id that follow from the rest, so that ids from elsewhere are recognized without a list. */
const CHECK_DIGITS = 6;

/** Google's types that may be created with an id from `files.generateIds` (Google Drive API, "Create files"). */
const WITH_GENERATED_ID: readonly string[] = [FOLDER_TYPE, 'application/vnd.google-apps.drive-sdk'];

function check(base: string): string {
  return sha256Hex(`file id ${base}`).slice(0, CHECK_DIGITS);
}

/** A new file id of Google's form. */
export function newFileId(): string {
  const base = `1${randomText(24)}`.slice(0, 33 - CHECK_DIGITS);
  return base + check(base);
}

/**
 * The id that a body chose, checked to be one of `files.generateIds`.
 * @param type of what is created, after a conversion
 * @throws {ApiError} 400 for an id from elsewhere, 400 `generatedIdNotSupported` for a Google document
 */
export function checkChosenId(id: string, type: string): string {
  const base = id.slice(0, -CHECK_DIGITS);
  if (!/^[A-Za-z0-9_-]{15,}$/.test(id) || check(base) !== id.slice(-CHECK_DIGITS)) throw refusal('unusableId');
  const isDocument = type.startsWith('application/vnd.google-apps.') && !WITH_GENERATED_ID.includes(type);
  if (isDocument) throw refusal('generatedIdForDocument');
  return id;
}
