import * as z from 'zod';
import type { EndUser } from '../../gateway/connections/connection.rules.ts';
import {
  CONNECTION_ID,
  CONNECTION_ID_RULE,
  INTEGRATION_ID,
  INTEGRATION_ID_RULE,
  isConnectionId,
  isIntegrationId,
} from '../../gateway/core/identifiers.ts';
import { clientIdProblemAnywhere, clientSecretProblem } from '../../gateway/integrations/integration.rules.ts';
import { allProviders } from '../../gateway/providers/index.ts';
import { judged } from '../request-input.ts';

/** Schemas of values that several routes share. Messages say what to send. */

export const integrationId = z
  .string()
  .refine(isIntegrationId, INTEGRATION_ID_RULE)
  .meta({ description: INTEGRATION_ID_RULE, pattern: INTEGRATION_ID.source });
export const connectionId = z
  .string()
  .refine(isConnectionId, CONNECTION_ID_RULE)
  .meta({ description: CONNECTION_ID_RULE, pattern: CONNECTION_ID.source });

/**
 * Texts that are shown or mailed hold no control characters (C0, C1) and nothing that turns the direction of writing around (Unicode
 * Standard Annex 9, "Explicit Directional Embeddings, Overrides and Isolates"): a name could end a header or read as another (PR-16).
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the set of them, as clients of the API's document in every language read it.
export const SHOWN_TEXT = /^[^\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]*$/;
export const SHOWN_TEXT_RULE = 'must not contain control characters or marks that turn the direction of writing';

/** A short text for people. */
export const label = z
  .string()
  .trim()
  .min(1, 'must not be empty')
  .max(255, 'has at most 255 characters')
  .regex(SHOWN_TEXT, SHOWN_TEXT_RULE);

/** A Workspace domain, converted to lower case; `*` = any. */
export const hostedDomain = z
  .string()
  .max(255, 'has at most 255 characters')
  .regex(
    /^(\*|[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)+)$/,
    'must be a domain such as example.com, or * for any Workspace account',
  )
  .transform((domain) => domain.toLowerCase());

/** A route without query parameters. */
export const noQuery = z.strictObject({});

const CURSOR_RULE = 'send next_cursor of the previous page';

/** Position in a list of rows with ULIDs. */
export const rowCursor = z
  .string({ error: CURSOR_RULE })
  .regex(/^[0-9A-Z]{26}$/, CURSOR_RULE)
  .optional();

/** Position in any other list. */
export const cursor = z
  .string({ error: CURSOR_RULE })
  .min(1, CURSOR_RULE)
  .max(2000, CURSOR_RULE)
  .regex(/^[A-Za-z0-9_.-]+$/, CURSOR_RULE)
  .optional()
  .meta({ description: '`next_cursor` of the previous page.' });

/** Query of a list that has pages and no filters. */
export const cursorQuery = z.strictObject({ cursor });

/** One text in a query. */
export const queryText = z
  .string({ error: 'send one value' })
  .min(1, 'must not be empty')
  .max(255, 'has at most 255 characters');

/** Integrations with commas between. */
export const integrationList = queryText.transform((list) => list.split(',').filter((id) => id !== ''));

/** Query that names the integration of a connection. */
export const ofIntegration = z.strictObject({ provider_config_key: integrationId });

/** A whole number in a query. */
export function integerParam(min: number, max: number) {
  return z
    .string({ error: `send one whole number from ${min} to ${max}` })
    .regex(/^\d{1,9}$/, `send a whole number from ${min} to ${max}`)
    .transform(Number)
    .pipe(
      z
        .number()
        .min(min, `send a whole number from ${min} to ${max}`)
        .max(max, `send a whole number from ${min} to ${max}`),
    )
    .meta({ type: 'integer', minimum: min, maximum: max });
}

/** `true` or `false` in a query. */
export const booleanParam = z
  .enum(['true', 'false'], { error: 'send true or false' })
  .transform((value) => value === 'true');

/** Members of the compatible client without a meaning here: any JSON object. */
export const ignoredObject = z.record(z.string(), z.unknown()).nullish();

const TAG_KEY = /^[A-Za-z][A-Za-z0-9_\-./]{0,63}$/;

/** At most 10 tags; keys become lower case. */
export const tags = z
  .record(
    z.string().regex(TAG_KEY, 'keys begin with a letter, then letters, digits, _ - . /, at most 64'),
    z.string().min(1, 'must not be empty').max(255, 'has at most 255 characters'),
  )
  .refine((value) => Object.keys(value).length <= 10, 'at most 10 tags')
  .transform((value) => Object.fromEntries(Object.entries(value).map(([key, text]) => [key.toLowerCase(), text])));

const personText = z.string().max(255, 'has at most 255 characters').regex(SHOWN_TEXT, SHOWN_TEXT_RULE);

/** Who a connection belongs to on the integrator's side. */
export const endUserId = z.string().min(1, 'must not be empty').max(255, 'has at most 255 characters');

export const endUser = z.strictObject({
  id: endUserId,
  email: z
    .email('must be an e-mail address')
    // RFC 5321 section 4.5.3.1.1.
    .refine((text) => text.indexOf('@') <= 64, 'has at most 64 characters before the @')
    .max(320)
    .nullish(),
  display_name: personText.nullish(),
  tags: tags.nullish(),
});

export const organization = z.strictObject({
  id: z.string().min(1, 'must not be empty').max(255, 'has at most 255 characters'),
  display_name: personText.nullish(),
});

/** An end user as sent, with the separately sent organization. */
export function toEndUser(
  sent: z.output<typeof endUser>,
  sentOrganization: z.output<typeof organization> | undefined,
): EndUser {
  return {
    id: sent.id,
    email: sent.email ?? null,
    displayName: sent.display_name ?? null,
    tags: sent.tags ?? null,
    organization:
      sentOrganization === undefined
        ? null
        : { id: sentOrganization.id, displayName: sentOrganization.display_name ?? null },
  };
}

/** A list of scopes in one text, separated by commas or spaces. */
export const scopeText = z
  .string()
  .max(5000, 'has at most 5000 characters')
  .transform((text) => text.split(/[ ,]+/).filter((scope) => scope !== ''));

/** Whether a deletion also ends the grant at the provider, in a query. */
export const revokeParam = z
  .enum(['true', 'false', 'if_last', 'force'], { error: 'must be true, false, if_last or force' })
  .transform((value) => (value === 'true' ? 'yes' : value === 'false' ? 'no' : value));

const visibleText = (max: number) =>
  z
    .string()
    .trim()
    .min(1, 'must not be empty')
    .max(max, `has at most ${max} characters`)
    .regex(/^[\x21-\x7e]*$/, 'must be printable ASCII without spaces');

const SERVERS = [...new Set(allProviders().map(({ server }) => server))];

/** Id and secret of an OAuth client. */
export const clientId = judged(visibleText(255), clientIdProblemAnywhere(SERVERS));
export const clientSecret = judged(visibleText(1000), clientSecretProblem);

/** Body of `PUT /test-credentials/{provider}` and of checks of a client. */
export const testCredentialsBody = z.strictObject({ client_id: clientId, client_secret: clientSecret });
