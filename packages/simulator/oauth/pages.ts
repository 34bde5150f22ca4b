import { displayName, type SimAccount } from '../accounts.ts';
import type { PickRequest } from '../state/flows.ts';
import type { AuthorizationRefusal } from './authorization-request.ts';
import { escapeHtml, pageLayout } from './page-layout.ts';
import type { Pickable } from './picker.ts';
import { describeScope, scopesWithBox } from './scopes.ts';

/** Form targets of the pages, all on the accounts origin. */
export const PAGE_PATHS = {
  authorize: '/o/oauth2/v2/auth',
  chooseAccount: '/o/oauth2/v2/auth/account',
  switchAccount: '/o/oauth2/v2/auth/switch',
  consent: '/o/oauth2/v2/auth/consent',
  pick: '/o/oauth2/v2/auth/picker',
} as const;

/** Name people see for a client: the part of its id after the project number. */
export function appName(clientId: string): string {
  const local = clientId.split('.')[0] ?? clientId;
  return local.slice(local.indexOf('-') + 1);
}

function hidden(name: string, value: string): string {
  return `<input type="hidden" name="${name}" value="${escapeHtml(value)}">`;
}

/** The account chooser. */
export function chooserPage(sessionId: string, app: string, accounts: readonly SimAccount[]): string {
  const buttons = accounts.map(
    (account) =>
      `<li><button class="account" name="account" value="${escapeHtml(account.email)}">${escapeHtml(displayName(account))}` +
      `<span>${escapeHtml(account.email)}</span></button></li>`,
  );
  return pageLayout(
    'Choose an account',
    `<h1>Choose an account</h1>
<p class="soft">to continue to <strong>${escapeHtml(app)}</strong></p>
<form method="get" action="${PAGE_PATHS.chooseAccount}">
${hidden('session', sessionId)}
<ul>${buttons.join('\n')}</ul>
</form>`,
  );
}

function scopeItems(scopes: readonly string[]): string {
  const boxed = new Set(scopesWithBox(scopes));
  const items = scopes.map((scope, index) => {
    const sentence = escapeHtml(SIGN_IN_SENTENCES[scope] ?? describeScope(scope));
    if (!boxed.has(scope)) return `<li class="plain">${sentence}</li>`;
    const id = `scope-${index}`;
    return (
      `<li><label for="${id}"><input type="checkbox" id="${id}" name="scope" value="${escapeHtml(scope)}" checked>` +
      `<span>${sentence}</span></label></li>`
    );
  });
  return items.join('\n');
}

const SIGN_IN_SENTENCES: Record<string, string> = {
  openid: 'Associate you with your personal info on Google',
  'https://www.googleapis.com/auth/userinfo.email': 'See your primary Google Account email address',
  'https://www.googleapis.com/auth/userinfo.profile': 'See your personal info, including any you have made public',
};

/** The consent screen; `scopes` are expanded, those of {@link scopesWithBox} can be unticked. */
export function consentPage(
  sessionId: string,
  app: string,
  account: SimAccount,
  scopes: readonly string[],
  redirectHost: string,
): string {
  const hint = scopesWithBox(scopes).length > 0 ? '<p class="soft">Untick what the app may not do.</p>' : '';
  return pageLayout(
    `${app} wants access to your Google Account`,
    `<h1><strong>${escapeHtml(app)}</strong> wants access to your Google Account</h1>
<form method="get" action="${PAGE_PATHS.switchAccount}">
${hidden('session', sessionId)}
<p>${escapeHtml(account.email)} <button class="link">Use another account</button></p>
</form>
<form method="post" action="${PAGE_PATHS.consent}">
${hidden('session', sessionId)}
${hidden('account', account.email)}
<p>This allows <strong>${escapeHtml(app)}</strong> to:</p>
${hint}
<ul>${scopeItems(scopes)}</ul>
<p class="soft">You go back to ${escapeHtml(redirectHost)} afterwards.</p>
<div class="row">
<button name="decision" value="cancel">Cancel</button>
<button class="main" name="decision" value="allow">Allow</button>
</div>
</form>`,
  );
}

/** The file picker that follows the consent; boxes where several may be picked, else one choice. */
export function pickerPage(
  sessionId: string,
  app: string,
  account: SimAccount,
  pick: PickRequest,
  files: readonly Pickable[],
): string {
  const type = pick.multiple ? 'checkbox' : 'radio';
  const rows = files.map(
    (file, index) =>
      `<li><label for="file-${index}"><input type="${type}" id="file-${index}" name="file" value="${escapeHtml(file.id)}">` +
      `<span>${escapeHtml(file.name)}<br><span class="soft">${escapeHtml(file.mimeType)}</span></span></label></li>`,
  );
  return pageLayout(
    'Select files',
    `<h1>Select ${pick.multiple ? 'files' : 'a file'} for <strong>${escapeHtml(app)}</strong></h1>
<p class="soft">from the Drive of ${escapeHtml(account.email)}. The app sees what you select and nothing else.</p>
<form method="post" action="${PAGE_PATHS.pick}">
${hidden('session', sessionId)}
${hidden('account', account.email)}
<ul>${rows.length === 0 ? '<li class="plain">No file fits what the app asks for.</li>' : rows.join('\n')}</ul>
<div class="row bar">
<button name="decision" value="cancel">Cancel</button>
<button class="main" name="decision" value="pick">Select</button>
</div>
</form>`,
  );
}

/** Error page in Google's manner: nothing is sent back to the app. */
export function errorPage(refusal: AuthorizationRefusal): string {
  return pageLayout(
    `Error ${refusal.status}: ${refusal.error}`,
    `<h1>Access blocked: authorization error</h1>
<p>${escapeHtml(refusal.description)}</p>
<p class="soft"><code>Error ${refusal.status}: ${escapeHtml(refusal.error)}</code></p>`,
  );
}
