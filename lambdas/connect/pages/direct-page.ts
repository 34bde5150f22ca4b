import type { ConnectSession } from '../../gateway/authorization/connect-session.rules.ts';
import type { EndUser } from '../../gateway/connections/connection.rules.ts';
import type { Brand } from '../../gateway/core/brand.ts';
import type { GatewayResponse } from '../../gateway/core/http-message.ts';
import { GOOGLE_MARK, html, htmlPage, joinedHtml } from '../../gateway/http/html-page.ts';
import { type Integration, nameForEndUsers } from '../../gateway/integrations/integration.rules.ts';
import { fill, fillParts, LANGUAGES } from '../../gateway/languages/language.rules.ts';
import { endUserInWords, scopeInWords } from '../../gateway/languages/words.rules.ts';
import type { Provider } from '../../gateway/providers/provider.rules.ts';
import { canonicalScope, IDENTITY_SCOPES } from '../../gateway/providers/scopes.rules.ts';
import type { Speech } from '../language.ts';

export interface DirectPageOptions extends Speech {
  readonly brand: Brand;
  readonly session: ConnectSession;
  /** The end user of the access; undefined where only tags identify one. */
  readonly endUser: EndUser | undefined;
  readonly integration: Integration;
  readonly provider: Provider;
  readonly scopes: readonly string[];
  /** Hidden fields of the form. */
  readonly fields: readonly (readonly [name: string, value: string])[];
  readonly action: string;
  readonly authorizationEndpoint: string;
  /** The page's built script, which removes the token from the address. */
  readonly script: string;
  readonly nonce: string;
  readonly requestId: string;
}

/** The page with the app, the integration and one button: the click has to be on our own page, which no other site can make (CS-4). */
export function directPage(options: DirectPageOptions): GatewayResponse {
  const { session, endUser, integration, provider, brand, language, texts, nonce, requestId } = options;
  const { common } = texts;
  const app = brand.name ?? URL.parse(session.returnUrl ?? '')?.host;
  const title = fill(common.connectService, { service: texts.services[provider.id] ?? provider.displayName });
  const meanings = options.scopes
    .map(canonicalScope)
    .filter((scope) => !IDENTITY_SCOPES.includes(scope))
    .map((scope) => scopeInWords(texts, provider, scope));
  const { id: serverId, displayName: server } = provider.server;
  const asks = fill(app === undefined ? common.asksForAccessUnnamed : common.asksForAccess, {
    app: app ?? '',
    provider: server,
  });
  const who = endUser === undefined ? undefined : html`<strong>${endUserInWords(texts, endUser)}</strong>`;
  const used = app === undefined ? common.usedForUnnamed : common.usedFor;
  return htmlPage({
    status: 200,
    title,
    lang: LANGUAGES[language].lang,
    brand,
    nonce,
    requestId,
    keepsOpener: true,
    // The form's redirect leads to the provider, and from there to any sign-in page of an organization.
    formAction: ["'self'", 'https:', new URL(options.authorizationEndpoint).origin],
    body: html`<h1>${title}</h1>
<p>${asks}</p>
<div class="note" id="for-whom">
${who === undefined ? html`` : html`<p>${joinedHtml(fillParts(used, { app: app ?? '', who }))}</p>`}
<p>${who === undefined ? common.notAsked : common.notYou}</p>
</div>
<section>
<h2 id="integration">${nameForEndUsers(integration, language)}</h2>
<p class="soft">${common.asksFor}</p>
<ul>${meanings.map((meaning) => html`<li>${meaning}</li>`)}</ul>
</section>
<form method="post" action="${options.action}">
${options.fields.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}
<div class="actions">${
      serverId === 'google'
        ? html`<button class="google" aria-describedby="integration">${GOOGLE_MARK}${common.continueWithGoogle}</button>`
        : html`<button aria-describedby="integration">${fill(common.continueWith, { provider: server })}</button>`
    }</div>
</form>`,
    script: options.script,
  });
}
