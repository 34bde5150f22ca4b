import type { ReviewedScope } from '../gateway/library.ts';

/** How strictly Google reviews a choice of scopes; the strictest class of its scopes. */
export type ReviewClass = 'non-sensitive' | 'sensitive' | 'restricted';

/** Something a choice of scopes leads to. */
export interface ScopeNotice {
  readonly severity: 'info' | 'warning';
  readonly text: string;
}

/** How the app stands at Google, as far as the operator says. */
export interface AppFacts {
  readonly audience: 'external' | 'internal';
  readonly publishingStatus: 'testing' | 'production';
  readonly usesTestCredentials: boolean;
}

const PREFIX = 'https://www.googleapis.com/auth/';
const CLASSES: readonly ReviewClass[] = ['non-sensitive', 'sensitive', 'restricted'];

/** Google's short spelling of a scope. */
export function shortScope(scope: string): string {
  return scope.startsWith(PREFIX) ? scope.slice(PREFIX.length) : scope;
}

/** The strictest class among the chosen scopes. Scopes that are not in the catalogue count as restricted: better too strict. */
export function strictestClass(chosen: readonly string[], catalogue: readonly ReviewedScope[]): ReviewClass {
  const levels = chosen.map((scope) => levelOf(catalogue.find((one) => one.scope === scope)?.reviewClass));
  return CLASSES[Math.max(0, ...levels)] ?? 'restricted';
}

/** Requirements of a choice of scopes (Google, "OAuth App Verification", "Restricted scope verification"), strictest first. */
export function scopeNotices(
  chosen: readonly string[],
  catalogue: readonly ReviewedScope[],
  app: AppFacts,
): readonly ScopeNotice[] {
  if (chosen.length === 0) return [{ severity: 'info', text: 'Choose at least one scope.' }];
  const strictest = strictestClass(chosen, catalogue);
  const notices: ScopeNotice[] = [];
  if (app.audience === 'internal') {
    notices.push({
      severity: 'info',
      text: 'Internal apps need no review, whatever their scopes; only accounts of your own Workspace can connect.',
    });
    return notices;
  }
  if (strictest === 'restricted') {
    notices.push({
      severity: 'warning',
      text: 'Restricted scopes: before more than 100 users can connect, Google verifies the app and requires a yearly security assessment (CASA) by a third party. Allow several weeks.',
    });
  } else if (strictest === 'sensitive') {
    notices.push({
      severity: 'warning',
      text: 'Sensitive scopes: before more than 100 users can connect, Google verifies the app (brand, privacy policy, a video). Allow days to weeks.',
    });
  } else {
    notices.push({ severity: 'info', text: 'Only non-sensitive scopes: Google verifies only the brand of the app.' });
  }
  if (chosen.some((scope) => shortScope(scope) === 'drive.file') && strictest === 'non-sensitive') {
    notices.push({
      severity: 'info',
      text: "drive.file gives access only to files that your app creates and files that its users select in Google's picker. To show the picker, create connect sessions with pick.",
    });
  }
  if (strictest === 'restricted' && catalogue.some(({ scope }) => shortScope(scope) === 'drive.file')) {
    notices.push({
      severity: 'info',
      text: "drive.file alone needs neither: users select the files in Google's picker. Is that enough for your app?",
    });
  }
  if (app.publishingStatus === 'testing' && !onlySignIn(chosen)) {
    notices.push({
      severity: 'warning',
      text: 'While the app is in Testing, Google ends every connection seven days after consent, and only listed test users can connect.',
    });
  }
  if (app.usesTestCredentials) {
    notices.push({
      severity: 'info',
      text: 'Test credentials share their quota and user limit with every integration that uses them.',
    });
  }
  return notices;
}

function levelOf(reviewClass: string | undefined): number {
  if (reviewClass === 'non-sensitive') return 0;
  return reviewClass === 'sensitive' ? 1 : 2;
}

function onlySignIn(chosen: readonly string[]): boolean {
  return chosen.every((scope) => ['openid', 'email', 'profile'].includes(scope));
}
