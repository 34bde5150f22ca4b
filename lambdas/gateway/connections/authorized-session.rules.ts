/** How a session ended. */
export interface SessionOutcome {
  readonly integrationId: string | undefined;
  readonly connectionId: string | undefined;
  readonly errorType: string | undefined;
  readonly message: string | undefined;
  /** Id of the failure and the names in its text, for translation. */
  readonly failure?: string | undefined;
  readonly failureWords?: Readonly<Record<string, string | undefined>> | undefined;
  /** Asked for and not granted. */
  readonly missingScopes?: readonly string[];
  /** The record of the picked files, under the connection. */
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

/** One pick: the files, the connection, the account and the time. */
export interface PickRecord {
  /** ULID. */
  readonly pickId: string;
  readonly files: readonly PickedFile[];
  readonly account: PickingAccount;
  /** As in the audit trail: `session:<id>`. */
  readonly actor: string;
  readonly pickedAtEpochSec: number;
}

/** The account that picked, as the provider's API names it: a pick returns no ID token (PK-5). */
export interface PickingAccount {
  /** Unique id of the account at the provider, different from the ID token's `sub`. */
  readonly permissionId: string;
  readonly email: string | null;
}
