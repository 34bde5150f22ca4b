import * as z from 'zod';
import type { GatewayErrorCode } from '../../../gateway/core/errors.ts';
import { anyObject, emptyObject, texts, time } from '../answer-parts.ts';
import { documented } from '../documented.ts';
import { errorAnswers } from '../error-answers.ts';
import type { Components, Json } from '../json-schema.ts';

const describedScope = documented(() => ({ scope: z.string(), meaning: z.string() }));

/** Answer of `GET /connect/session`. */
export const sessionView = documented(() =>
  z
    .object({
      data: z.object({
        endUser: anyObject().nullable(),
        connectUISettings: emptyObject(),
        allowed_integrations: texts(),
        integrations_config_defaults: anyObject(),
        isReconnecting: z.boolean(),
        status: z.enum([
          'pending',
          'authorizing',
          'pending_confirmation',
          'connected',
          'cancelled',
          'refused',
          'failed',
          'expired',
        ]),
        connection_id: z.string().nullable(),
        provider_config_key: z.string().nullable(),
        error: z.object({ type: z.string(), message: z.string() }).nullable(),
        missing_scopes: z.array(z.object(describedScope())),
        pick: z
          .object({
            connection_id: z.string().nullable(),
            multiple: z.boolean(),
            mime_types: texts(),
            file_ids: texts(),
            folders: z.boolean(),
          })
          .nullable(),
        picked: z.array(z.object({ id: z.string(), mime_type: z.string().nullable(), confirmed: z.boolean() })),
        language: z.string(),
        expires_at: time(),
        return_url: z.string().nullable(),
        for_whom: z.string().nullable(),
        app_name: z.string().nullable(),
        account_email: z.string().nullable(),
        integrations: z.array(
          z.object({
            provider_config_key: z.string(),
            display_name: z.string(),
            provider: z.string(),
            provider_name: z.string(),
            available: z.boolean(),
            scopes: z.array(z.object({ ...describedScope(), granted: z.boolean() })),
          }),
        ),
      }),
    })
    .meta({ id: 'ConnectSession' }),
);

/** Answer of `POST /connect/authorizations`. */
const startedAuthorization = documented(() =>
  z
    .object({ data: z.object({ authorization_url: z.string(), provider_config_key: z.string() }) })
    .meta({ id: 'StartedAuthorization' }),
);

const html = (description: string): Json => ({
  description,
  content: { 'text/html': { schema: { type: 'string' } } },
});

const parameter = (name: string, where: 'path' | 'query', required: boolean, description: string): Json => ({
  name,
  in: where,
  required,
  description,
  schema: { type: 'string' },
});

/** `/connect` and `/oauth`, which the connect and the callback function serve. */
export function connectPaths(components: Components): Record<string, Json> {
  return {
    '/connect': {
      get: page('connectPage', 'The hosted connect page', {
        description:
          'Takes the session’s token from the fragment, as connect_link has it: #session_token=... It speaks the language of Accept-Language.',
        parameters: [
          parameter('language', 'query', false, 'In place of Accept-Language: en, de, fr, es, pt or ja.'),
          parameter('theme', 'query', false, 'light or dark, in place of what the browser prefers.'),
          parameter('preview', 'query', false, 'With any value: shows a session of nobody, whose buttons do nothing.'),
        ],
        responses: { '200': html('The page.'), ...failures(components) },
      }),
    },
    '/connect/session': {
      get: session('getConnectSession', 'What a connect session allows and how far it is', {
        '200': json('The session.', components.inline(sessionView(), 'output')),
        ...failures(components, 'invalid_session_token'),
      }),
      delete: session('endConnectSession', 'End a connect session', {
        '204': { description: 'Ended.' },
        ...failures(components, 'invalid_session_token'),
      }),
    },
    '/connect/authorizations': {
      post: session(
        'startAuthorization',
        'Start an authorization in this browser',
        {
          '200': json(
            'Send the browser to authorization_url; the answer sets the cookie that the callback asks for.',
            components.inline(startedAuthorization(), 'output'),
          ),
          ...failures(
            components,
            'invalid_body',
            'invalid_session_token',
            'forbidden',
            'conflict',
            'integration_credentials_rejected',
            'rate_limited',
          ),
        },
        START_BODY,
      ),
    },
    '/oauth/connect/{integrationId}': {
      get: page('directStart', 'Start an authorization by a link of an existing front end', {
        description:
          'Same-origin requests are redirected to the provider; others get a page with one button that says who connects what. authorization_params[name] and params[oauth_scopes_override] are read too.',
        parameters: [
          parameter('integrationId', 'path', true, 'The integration’s unique_key.'),
          parameter('connect_session_token', 'query', true, 'Token of a connect session.'),
        ],
        responses: {
          '200': html('The page with one button.'),
          '303': { description: 'To the provider.' },
          '400': html('The link holds something that must not be in a link.'),
          '401': html('The token is not valid, or the session has expired.'),
          '409': html('The session has been used, or another browser has started it.'),
        },
      }),
    },
    '/oauth/callback': {
      get: page('callback', 'Where the provider sends the browser back to', {
        description:
          'Register it as a redirect URI of your OAuth client. It tells the window that opened it how it went.',
        parameters: [
          parameter('state', 'query', true, 'Names the authorization; counts once.'),
          parameter('code', 'query', false, 'From the provider, when the user agreed.'),
          parameter(
            'picked_file_ids',
            'query',
            false,
            'From the provider’s file picker; read where the session asked for it.',
          ),
          parameter('error', 'query', false, 'From the provider, when not.'),
        ],
        responses: { '200': html('Connected.'), '400': html('Not connected: the page says why and what to do.') },
      }),
    },
  };
}

const START_BODY: Json = {
  required: false,
  content: {
    'application/json': {
      schema: {
        type: 'object',
        additionalProperties: false,
        properties: {
          provider_config_key: { type: 'string', description: 'May be left out when the session allows just one.' },
          opener_origin: { type: 'string', description: 'Listed origin of the window that waits for the result.' },
        },
      },
      example: { provider_config_key: 'google-drive' },
    },
  },
};

function page(operationId: string, summary: string, rest: Json): Json {
  return { operationId, tags: ['Browser'], summary, security: [], ...rest };
}

function session(operationId: string, summary: string, responses: Json, requestBody?: Json): Json {
  return {
    operationId,
    tags: ['Connect sessions'],
    summary,
    security: [{ connectSession: [] }],
    ...(requestBody === undefined ? {} : { requestBody }),
    responses,
  };
}

function json(description: string, schema: Json): Json {
  return { description, content: { 'application/json': { schema } } };
}

function failures(components: Components, ...codes: GatewayErrorCode[]): Json {
  return errorAnswers([...codes, 'method_not_allowed', 'internal_error'], components);
}
