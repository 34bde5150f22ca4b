import { ALL_CAUSES } from './event-words.ts';

export { ALL_CAUSES, type CauseText } from './event-words.ts';

const WHO_CAN_FIX: Readonly<Record<string, string>> = {
  end_user: 'The end user',
  developer: 'You, the developer',
  workspace_admin: "The user's Workspace administrator",
};

/** A cause in a few words; an unknown one unchanged. */
export function causeLabel(cause: string): string {
  return ALL_CAUSES.find((one) => one.cause === cause)?.label ?? cause;
}

/** Causes that are given only where Google or the records name them. */
const NEVER_GUESSED = new Set(['time_limited_access_over', 'session_length_over', 'credentials_changed', 'unknown']);

/** A cause in a few words where it is not known whether it is certain: what may be a guess is called one. */
export function probableCauseLabel(cause: string): string {
  return NEVER_GUESSED.has(cause) ? causeLabel(cause) : `Probably: ${causeLabel(cause)}`;
}

/** The party that can fix it, as the start of a sentence. */
export function whoCanFix(who: string): string {
  return WHO_CAN_FIX[who] ?? 'Not known';
}
