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
        // Requested but not granted; may be requested again by the browser that connected.
        missing_scopes: z.array(z.object(describedScope())),
        // What the session's user has to pick; null in a session without a pick.
        pick: z
          .object({
            // The connection that gets access to more files; null where the pick creates one.
            connection_id: z.string().nullable(),
            multiple: z.boolean(),
            mime_types: texts(),
            file_ids: texts(),
            folders: z.boolean(),
          })
          .nullable(),
        // The picked files for the named connection; confirmed: the connection could open it.
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
        // Language tag of the texts in this response.
        language: z.string(),
        expires_at: time(),
        return_url: z.string().nullable(),
        // The end user, in words; null where only tags identify one.
        for_whom: z.string().nullable(),
        // The deployment's name of the app that requests access.
        app_name: z.string().nullable(),
        // The account that a reconnect requires, where no other is allowed.
        account_email: z.string().nullable(),
        integrations: z.array(
          z.object({
            provider_config_key: z.string(),
            display_name: z.string(),
            provider: z.string(),
            provider_name: z.string(),
            // The server that asks for consent: providers of one company share accounts and the server.
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

/** The response about a connect session. */
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
  /** The session's end user; for a reconnect the connection's, unless the session names another. */
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
    // The page explains only Google's errors, which never come back to the gateway.
    const asksGoogle = facts.integrations.some((one) => facts.providers[one.provider].server.id === 'google');
    return { type: 'timed_out', message: asksGoogle ? texts.session.timedOut : texts.session.timedOutElsewhere };
  }
  if (status === 'not_confirmed') return { type: 'not_confirmed', message: texts.session.notConfirmed };
  const { errorType, message, failure = '', failureWords } = session.outcome ?? {};
  if (errorType === undefined) return null;
  const server = providerOfOutcome(facts)?.server;
  // English texts are stored, and are the only ones where the integration is deleted.
  const isStored = language === 'en' || server === undefined || !isFailureName(texts, failure);
  const said = isStored ? message : failureMessage(failureText(texts, failure, server, failureWords));
  return { type: errorType, message: said ?? '' };
}

/** A picker that was opened and abandoned has picked nothing (PK-14). */
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
  // A pick asks for consent again, whatever was granted.
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
