import { count, object, optional, parseJson } from '../parse.ts';

/** Limits of Google Drive that a test may lower, so that it need not make half a million files. */
export interface DriveLimits {
  /** Bytes of an export (Google Drive API, "Download and export files"). */
  exportBytes: number;
  /** Levels of folders in My Drive and in a shared drive ("Folder-depth limit"). */
  folderDepth: number;
  /** Items directly in a folder other than the root. */
  folderChildren: number;
  /** Items in a shared drive. */
  sharedDriveItems: number;
  /** Items that an account has created. */
  accountItems: number;
  /** Bytes of all uploads that the simulator keeps, which stand for a user's storage. */
  storedBytes: number;
}

/** The limits that Google documents; of uploads the simulator keeps less than Google would. */
export const GOOGLE_LIMITS: DriveLimits = {
  exportBytes: 10 * 1024 * 1024,
  folderDepth: 100,
  folderChildren: 500_000,
  sharedDriveItems: 500_000,
  accountItems: 500_000_000,
  storedBytes: 256 * 1024 * 1024,
};

const limitsBody = object({
  exportBytes: optional(count),
  folderDepth: optional(count),
  folderChildren: optional(count),
  sharedDriveItems: optional(count),
  accountItems: optional(count),
  storedBytes: optional(count),
});

/**
 * Limits as a control request changes them: those it names, the others as they are.
 * @throws {ShapeError} for a body of another form
 */
export function changedLimits(limits: DriveLimits, body: string): DriveLimits {
  const named = Object.entries(parseJson(body, limitsBody, 'body')).filter(([, value]) => value !== undefined);
  return { ...limits, ...Object.fromEntries(named) };
}
