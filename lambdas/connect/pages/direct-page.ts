import type { ConnectSession } from '../../gateway/authorization/connect-session.rules.ts';
import { type EndUser, endUserInWords } from '../../gateway/connections/connection.rules.ts';
import type { GatewayResponse } from '../../gateway/core/http-message.ts';
import { html, htmlPage } from '../../gateway/http/html-page.ts';
import type { Integration } from '../../gateway/integrations/integration.rules.ts';
import type { Provider } from '../../gateway/providers/provider.rules.ts';
import { canonicalScope, IDENTITY_SCOPES } from '../../gateway/providers/scopes.rules.ts';

export interface DirectPageOptions {
  readonly session: ConnectSession;
  /** For whom the access is; undefined where only tags say it. */
  readonly endUser: EndUser | undefined;
  readonly integration: Integration;
  readonly provider: Provider;
  readonly scopes: readonly string[];
  readonly appName: string | undefined;
  /** Hidden fields of the form. */
  readonly fields: readonly (readonly [name: string, value: string])[];
  readonly action: string;
  readonly authorizationEndpoint: string;
  /** The page's script, as built: it takes the token out of the address. */
  readonly script: string;
  readonly nonce: string;
  readonly requestId: string;
}

/** One button that says who connects what: a click on our own page, which no other site can make (CS-4). */
export function directPage(options: DirectPageOptions): GatewayResponse {
  const { session, endUser, integration, provider, nonce, requestId } = options;
  const app = options.appName ?? URL.parse(session.returnUrl ?? '')?.host;
  const meanings = options.scopes
    .map(canonicalScope)
    .filter((scope) => !IDENTITY_SCOPES.includes(scope))
    .map((scope) => provider.scopes.find((known) => canonicalScope(known.scope) === scope)?.meaning ?? scope);
  return htmlPage({
    status: 200,
    title: `Connect ${provider.displayName}`,
    nonce,
    requestId,
    keepsOpener: true,
    // The form's answer leads to the provider, and from there to wherever an organization signs its members in.
    formAction: ["'self'", 'https:', new URL(options.authorizationEndpoint).origin],
    body: html`<h1>Connect ${provider.displayName}</h1>
<p>${app ?? 'The app that sent you here'} asks for access to your Google account.</p>
<div class="note" id="for-whom">
${endUser === undefined ? html`` : html`<p>What you allow is used in ${app ?? 'the app that sent you here'} for <strong>${endUserInWords(endUser)}</strong>.</p>`}
<p>If ${endUser === undefined ? '' : 'that is not you, or '}you did not ask for this, close this page: somebody else would get access to your account.</p>
</div>
<section>
<h2>${integration.displayName}</h2>
<p class="soft">It asks to:</p>
<ul>${meanings.map((meaning) => html`<li>${meaning}</li>`)}</ul>
</section>
<form method="post" action="${options.action}">
${options.fields.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}
<div class="actions"><button>Continue with ${provider.displayName}</button></div>
</form>`,
    script: options.script,
  });
}
