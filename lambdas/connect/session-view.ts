import * as z from 'zod';
import {
  CONNECT_SESSION_STATUSES,
  type ConnectSession,
  reconnectTarget,
  type VisibleStatus,
} from '../gateway/authorization/connect-session.rules.ts';
import { narrowedScopes } from '../gateway/authorization/requested-access.rules.ts';
import type { PickedFile } from '../gateway/connections/authorized-session.rules.ts';
import type { Connection, EndUser } from '../gateway/connections/connection.rules.ts';
import { ownMember } from '../gateway/core/own-member.ts';
import { delegationForm } from '../gateway/integrations/delegation-form.ts';
import { type Integration, nameForEndUsers } from '../gateway/integrations/integration.rules.ts';
import { failureMessage, failureText, isFailureName } from '../gateway/languages/failure-text.rules.ts';
import { LANGUAGES, type Language, type Texts } from '../gateway/languages/language.rules.ts';
import { endUserInWords, scopeInWords } from '../gateway/languages/words.rules.ts';
import { anyObject, emptyObject, texts, time } from '../gateway/openapi/answer-parts.ts';
import { documented } from '../gateway/openapi/documented.ts';
import type { AnswerOf } from '../gateway/openapi/operation.ts';
import type { Provider, Providers } from '../gateway/providers/provider.rules.ts';
import { canonicalScope, IDENTITY_SCOPES } from '../gateway/providers/scopes.rules.ts';

const describedScope = documented(() => ({ scope: z.string(), meaning: z.string() }));

/** Answer of `GET /connect/session`: the peer's members first, then ours. */
export const sessionAnswer = documented(() =>
  z
    .object({
      data: z.object({
        endUser: anyObject().nullable(),
        connectUISettings: emptyObject(),
        allowed_integrations: texts(),
        integrations_config_defaults: anyObject(),
        isReconnecting: z.boolean(),
        status: z.enum([...CONNECT_SESSION_STATUSES, 'expired']),
        connection_id: z.string().nullable(),
        provider_config_key: z.string().nullable(),
        error: z.object({ type: z.string(), message: z.string() }).nullable(),
        // Asked for and not granted; may be asked for again by the browser that connected.
        missing_scopes: z.array(z.object(describedScope())),
        // What the session's user is to pick; null where it is for connecting alone.
        pick: z
          .object({
            // Of the connection that is to reach more files; null where the pick makes one.
            connection_id: z.string().nullable(),
            multiple: z.boolean(),
            mime_types: texts(),
            file_ids: texts(),
            folders: z.boolean(),
          })
          .nullable(),
        // What was picked, for the connection that is named; confirmed: the connection could open it.
        picked: z.array(z.object({ id: z.string(), mime_type: z.string().nullable(), confirmed: z.boolean() })),
        // What the administrator of a Workspace domain lists at Google; null in every other session.
        admin: z
          .object({
            organization: z.object({ id: z.string(), display_name: z.string().nullable() }),
            client_id: z.string(),
            scopes: texts(),
            // Fills the form of Google’s Admin console.
            admin_url: z.string(),
          })
          .nullable(),
        // Of the texts in this answer, as a tag.
        language: z.string(),
        expires_at: time(),
        return_url: z.string().nullable(),
        // For whom the access is, in words; null where only tags say it.
        for_whom: z.string().nullable(),
        // How the deployment names the app that asks for access.
        app_name: z.string().nullable(),
        // The account a reconnect is for, where no other is allowed.
        account_email: z.string().nullable(),
        integrations: z.array(
          z.object({
            provider_config_key: z.string(),
            display_name: z.string(),
            provider: z.string(),
            provider_name: z.string(),
            // Who asks for consent: providers of one maker share accounts and the server that asks.
            server: z.object({ id: z.string(), display_name: z.string() }),
            // False while the provider refuses the integration's OAuth client: it is not offered then.
            available: z.boolean(),
            // granted: the connection has it already.
            scopes: z.array(z.object({ ...describedScope(), granted: z.boolean() })),
          }),
        ),
      }),
    })
    .meta({ id: 'ConnectSession' }),
);

/** What a connect session says of itself, on the wire. */
export type SessionView = AnswerOf<typeof sessionAnswer>['data'];

/** One integration that the session allows. */
export type IntegrationView = SessionView['integrations'][number];

/** Everything a session's view is made of. */
export interface SessionFacts {
  readonly session: ConnectSession;
  readonly status: VisibleStatus;
  readonly integrations: readonly Integration[];
  /** The connection that is authorized again. */
  readonly existing: Connection | undefined;
  /** Whom the session is for; a reconnect is for the connection's end user, unless its session names another. */
  readonly endUser: EndUser | undefined;
  readonly picked: readonly PickedFile[];
  readonly providers: Providers;
  readonly appName: string | undefined;
  readonly language: Language;
  readonly texts: Texts;
}

/** A connect session for its own browser. Never holds a token. */
export function sessionView(facts: SessionFacts): SessionView {
  const { session, status, integrations, existing, endUser, texts } = facts;
  const { outcome } = session;
  const views = integrations.map((integration) => integrationView(facts, integration));
  return {
    endUser: endUser === undefined ? null : endUserView(endUser),
    connectUISettings: {},
    allowed_integrations: integrations.map(({ integrationId }) => integrationId),
    integrations_config_defaults: Object.fromEntries(
      Object.entries(session.defaults).map(([id, { scopes, authorizationParams }]) => [
        id,
        { authorization_params: authorizationParams, connection_config: { oauth_scopes_override: scopes?.join(',') } },
      ]),
    ),
    isReconnecting: session.reconnect !== undefined && session.pick === undefined,
    status: shownStatus(session, status),
    connection_id: outcome?.connectionId ?? null,
    provider_config_key: outcome?.integrationId ?? null,
    error: errorView(facts),
    missing_scopes: (outcome?.missingScopes ?? []).map((scope) => ({ scope, meaning: meaningOf(facts, scope) })),
    pick: pickView(session),
    picked: facts.picked.map(({ id, mimeType, confirmed }) => ({ id, mime_type: mimeType ?? null, confirmed })),
    admin: adminView(facts),
    language: LANGUAGES[facts.language].lang,
    expires_at: new Date(session.expiresAtEpochSec * 1000).toISOString(),
    return_url: session.returnUrl ?? null,
    for_whom: endUser === undefined ? null : endUserInWords(texts, endUser),
    app_name: facts.appName ?? null,
    account_email: session.allowAccountChange ? null : (existing?.providerAccount?.email ?? null),
    integrations: views,
  };
}

function errorView(facts: SessionFacts): SessionView['error'] {
  const { session, status, texts, language } = facts;
  if (shownStatus(session, status) === 'cancelled') return null;
  if (status === 'timed_out') {
    // Only Google has errors that never come back, which the page explains.
    const asksGoogle = facts.integrations.some((one) => facts.providers[one.provider].server.id === 'google');
    return { type: 'timed_out', message: asksGoogle ? texts.session.timedOut : texts.session.timedOutElsewhere };
  }
  if (status === 'not_confirmed') return { type: 'not_confirmed', message: texts.session.notConfirmed };
  const { errorType, message, failure = '', failureWords } = session.outcome ?? {};
  if (errorType === undefined) return null;
  const server = providerOfOutcome(facts)?.server;
  // English is stored as it was told, and is all there is where the integration is gone.
  const isTold = language === 'en' || server === undefined || !isFailureName(texts, failure);
  const said = isTold ? message : failureMessage(failureText(texts, failure, server, failureWords));
  return { type: errorType, message: said ?? '' };
}

/** Anyone who opened a picker and never came back has picked nothing (PK-14). */
function shownStatus({ pick }: ConnectSession, status: VisibleStatus): SessionView['status'] {
  if (status === 'timed_out') return pick === undefined ? 'failed' : 'cancelled';
  return status === 'not_confirmed' ? 'failed' : status;
}

function pickView({ pick, reconnect }: ConnectSession): SessionView['pick'] {
  if (pick === undefined) return null;
  return {
    connection_id: reconnect?.connectionId ?? null,
    multiple: pick.multiple,
    mime_types: pick.mimeTypes,
    file_ids: pick.fileIds,
    folders: pick.folders,
  };
}

function adminView({ session, integrations, providers }: SessionFacts): SessionView['admin'] {
  const [integration] = integrations;
  const form = integration === undefined ? undefined : delegationForm(integration, providers[integration.provider]);
  if (session.admin === undefined || form === undefined) return null;
  const { id, displayName } = session.admin.organization;
  return {
    organization: { id, display_name: displayName ?? null },
    client_id: form.clientId,
    scopes: [...form.scopes],
    admin_url: form.adminUrl,
  };
}

function integrationView(facts: SessionFacts, integration: Integration): IntegrationView {
  const { session, existing } = facts;
  const provider = facts.providers[integration.provider];
  const isTarget = reconnectTarget(session)?.integrationId === integration.integrationId;
  // A pick asks for consent once more, whatever was granted.
  const granted = new Set(
    isTarget && session.pick === undefined && existing?.status === 'active' ? existing.grantedScopes : [],
  );
  const scopes = narrowedScopes(
    integration.scopes,
    ownMember(session.defaults, integration.integrationId)?.scopes,
    undefined,
  );
  return {
    provider_config_key: integration.integrationId,
    display_name: nameForEndUsers(integration, facts.language),
    provider: provider.id,
    provider_name: facts.texts.services[provider.id] ?? provider.displayName,
    server: { id: provider.server.id, display_name: provider.server.displayName },
    available: integration.clientFault === undefined,
    scopes: scopes
      .map(canonicalScope)
      .filter((scope) => !IDENTITY_SCOPES.includes(scope))
      .map((scope) => ({ scope, meaning: scopeInWords(facts.texts, provider, scope), granted: granted.has(scope) })),
  };
}

function meaningOf(facts: SessionFacts, scope: string): string {
  const provider = providerOfOutcome(facts);
  return provider === undefined ? scope : scopeInWords(facts.texts, provider, scope);
}

/** The provider of the integration that the session's last flow was for. */
function providerOfOutcome({ session, integrations, providers }: SessionFacts): Provider | undefined {
  const found = integrations.find(({ integrationId }) => integrationId === session.outcome?.integrationId);
  return found === undefined ? undefined : providers[found.provider];
}

function endUserView(endUser: EndUser) {
  const { organization } = endUser;
  return {
    id: endUser.id,
    display_name: endUser.displayName,
    email: endUser.email,
    tags: endUser.tags,
    organization: organization === null ? null : { id: organization.id, display_name: organization.displayName },
  };
}
