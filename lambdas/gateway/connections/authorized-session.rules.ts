/** How a session ended. */
export interface SessionOutcome {
  readonly integrationId: string | undefined;
  readonly connectionId: string | undefined;
  readonly errorType: string | undefined;
  readonly message: string | undefined;
  /** Which failure it was, and what its sentences name, for other languages. */
  readonly failure?: string | undefined;
  readonly failureWords?: Readonly<Record<string, string | undefined>> | undefined;
  /** Asked for and not granted. */
  readonly missingScopes?: readonly string[];
  /** The record of what was picked, under the connection. */
  readonly pickId?: string | undefined;
}

/** A file that a user picked. */
export interface PickedFile {
  readonly id: string;
  /** As the provider says; undefined where the file could not be opened. */
  readonly mimeType: string | undefined;
  /** Whether the connection could open it with its own token (PK-12). */
  readonly confirmed: boolean;
}

/** One pick: which files, for which connection, by whom, when. */
export interface PickRecord {
  /** ULID. */
  readonly pickId: string;
  readonly files: readonly PickedFile[];
  readonly account: PickingAccount;
  /** As in the audit trail: `session:<id>`. */
  readonly actor: string;
  readonly pickedAtEpochSec: number;
}

/** Whose files were picked, as the provider's API tells it: a pick brings no ID token (PK-5). */
export interface PickingAccount {
  /** Names the account among all of the provider's, under another number than the ID token's `sub`. */
  readonly permissionId: string;
  readonly email: string | null;
}
