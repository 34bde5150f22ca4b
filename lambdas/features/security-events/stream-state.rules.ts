import { SECURITY_EVENTS_QUIET_SEC } from './limits.rules.ts';

/** How well a Cloud project's security events reach the gateway. */
export const STREAM_STATES = ['not_registered', 'not_verified', 'verified'] as const;
export type StreamState = (typeof STREAM_STATES)[number];

/** When a registered project was proven, and when its last statement arrived; epoch seconds. */
export interface HeardOf {
  readonly verifiedAtEpochSec: number | undefined;
  readonly lastStatementAtEpochSec: number | undefined;
}

/** @param project undefined for one that is not registered */
export function streamState(project: HeardOf | undefined): StreamState {
  if (project === undefined) return 'not_registered';
  return project.verifiedAtEpochSec === undefined ? 'not_verified' : 'verified';
}

/** Whether a proven stream has been silent for so long that it may be off: Google does not announce when it stops. */
export function isQuiet({ verifiedAtEpochSec, lastStatementAtEpochSec }: HeardOf, nowEpochSec: number): boolean {
  const heardAt = Math.max(verifiedAtEpochSec ?? 0, lastStatementAtEpochSec ?? 0);
  return verifiedAtEpochSec !== undefined && nowEpochSec - heardAt > SECURITY_EVENTS_QUIET_SEC;
}

/**
 * The state of security events in words, and what is missing.
 *
 * @param isOwnDomain whether Google may deliver to the gateway's host
 */
export function explainStream(
  cloudProject: string,
  project: HeardOf | undefined,
  isOwnDomain: boolean,
  nowEpochSec: number,
): string {
  const { verifiedAtEpochSec, lastStatementAtEpochSec } = project ?? {};
  if (project === undefined) {
    const gain = 'With them, the gateway learns within seconds that a grant has ended, and why.';
    return isOwnDomain
      ? `Google’s security events of the Cloud project ${cloudProject} are not registered. ${gain} Register them: ${command('register', cloudProject)}`
      : `Google’s security events need a domain of your own: Google delivers only to hosts below an authorized domain of the Cloud project. ${gain}`;
  }
  if (verifiedAtEpochSec === undefined) {
    return `Google’s security events of the Cloud project ${cloudProject} are registered, but the verification that was asked for has not come. Ask again: ${command('verify', cloudProject)}`;
  }
  const verified = `Verified ${ago(nowEpochSec - verifiedAtEpochSec)}`;
  if (isQuiet(project, nowEpochSec)) {
    return `${verified}, and nothing has come for ${days(nowEpochSec - (lastStatementAtEpochSec ?? verifiedAtEpochSec))}. See whether the stream still works: ${command('verify', cloudProject)}`;
  }
  return `${verified}; the last security event came ${ago(nowEpochSec - (lastStatementAtEpochSec ?? verifiedAtEpochSec))}.`;
}

/** The command that fixes it; the operator has the key file. */
export function command(what: 'register' | 'verify', cloudProject: string): string {
  return `gateway security-events ${what} ${cloudProject} --key-file key.json`;
}

function ago(sec: number): string {
  if (sec < 60) return 'less than a minute ago';
  return `${span(sec)} ago`;
}

function span(sec: number): string {
  if (sec < 3600) return counted(Math.floor(sec / 60), 'minute');
  return sec < 2 * 86_400 ? counted(Math.floor(sec / 3600), 'hour') : days(sec);
}

function days(sec: number): string {
  return counted(Math.floor(sec / 86_400), 'day');
}

function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`;
}
