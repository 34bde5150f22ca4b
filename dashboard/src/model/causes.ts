/** Why a connection has to be authorized again, in words for a chart, a filter and a list. */
export interface CauseText {
  readonly cause: string;
  /** A few words. */
  readonly label: string;
}

const CAUSES: readonly CauseText[] = [
  { cause: 'user_revoked', label: 'User removed the app' },
  { cause: 'shared_grant_ended', label: 'Grant ended with another connection' },
  { cause: 'password_changed', label: 'Password changed' },
  { cause: 'refresh_token_limit', label: 'Too many consents for one account' },
  { cause: 'account_token_limit', label: 'Too many apps for one account' },
  { cause: 'time_limited_access_over', label: 'Access was granted for a limited time' },
  { cause: 'admin_restricted', label: 'Blocked by an administrator' },
  { cause: 'context_aware_access', label: 'Refused by context-aware access' },
  { cause: 'session_length_over', label: 'Workspace session ended' },
  { cause: 'testing_mode_expired', label: 'App is in Testing: seven days are over' },
  { cause: 'unused_six_months', label: 'Unused for six months' },
  { cause: 'account_unavailable', label: 'Google account deleted or suspended' },
  { cause: 'account_restricted', label: 'Google account temporarily restricted' },
  { cause: 'advanced_protection', label: 'Blocked by Advanced Protection' },
  { cause: 'rotation_lost', label: 'New token was lost' },
  { cause: 'credentials_changed', label: 'OAuth client was changed' },
  { cause: 'unknown', label: 'Google gave no reason' },
];

const MENDERS: Readonly<Record<string, string>> = {
  end_user: 'The end user',
  developer: 'You, the developer',
  workspace_admin: "The user's Workspace administrator",
};

/** Every cause the gateway names, for filters. */
export const ALL_CAUSES = CAUSES;

/** A cause in a few words; one that is not known here is shown as it is. */
export function causeLabel(cause: string): string {
  return CAUSES.find((one) => one.cause === cause)?.label ?? cause;
}

/** Causes that are given only where Google or the records name them. */
const NEVER_GUESSED = new Set(['time_limited_access_over', 'session_length_over', 'credentials_changed', 'unknown']);

/** A cause in a few words where it is not known whether it is certain: what may be a guess is called one. */
export function probableCauseLabel(cause: string): string {
  return NEVER_GUESSED.has(cause) ? causeLabel(cause) : `Probably: ${causeLabel(cause)}`;
}

/** Who can mend it, as the start of a sentence. */
export function menderLabel(who: string): string {
  return MENDERS[who] ?? 'Not known';
}
