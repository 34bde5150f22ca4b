import { type HeaderPairs, headerValue } from '../../../gateway/core/http-message.ts';
import {
  TOOL_SERVER_CAUSES,
  type ToolServerRefusal,
} from '../../../gateway/providers/google/tool-server-causes.rules.ts';
import { HINT_HEADER } from '../../../gateway/proxying/headers.rules.ts';
import { isObject } from '../../../gateway/server-tools/tool.rules.ts';
import { providerFailure } from '../failures.ts';
import { cut, PROVIDER_MESSAGE_MAX_CHARACTERS } from '../tools/results.rules.ts';
import { ToolFailure } from '../tools/tool-failure.rules.ts';

/** The refusal of a call that Google asks its user about, for a client that cannot show the form. */
export function formNeeded(): ToolFailure {
  const message = 'Google asks the user to approve this in a form, which this client cannot show. Nothing was done.';
  return new ToolFailure('approval_needed', message, { who: 'end_user' });
}

/**
 * A failure of Google's server as an assistant can act on it.
 *
 * @param link makes a link by which the user grants more scopes
 */
export async function serverFailure(
  { status, headers, body }: { readonly status: number; readonly headers: HeaderPairs; readonly body: Uint8Array },
  link: () => Promise<string | undefined>,
): Promise<ToolFailure> {
  const [hint, ...scopes] = (headerValue(headers, HINT_HEADER) ?? '').split(' ');
  if (hint === 'missing_scopes') {
    const connectUrl = await link().catch(() => undefined);
    const message =
      'The user has not granted a scope that this tool needs. Ask the user to open connect_url, if there is one.';
    return new ToolFailure('missing_scope', message, {
      status,
      who: 'end_user',
      ...(scopes.length === 0 ? {} : { scopes }),
      ...(connectUrl === undefined ? {} : { connect_url: connectUrl }),
    });
  }
  const refused = readRefusal(status, body);
  const cause = TOOL_SERVER_CAUSES.find(({ is }) => is(refused));
  if (cause === undefined) return providerFailure(status, headers, body, 'POST');
  return new ToolFailure(cause.code, cause.message(refused), {
    status,
    who: cause.who,
    ...(refused.message === '' ? {} : { provider_message: cut(refused.message, PROVIDER_MESSAGE_MAX_CHARACTERS) }),
  });
}

function readRefusal(status: number, body: Uint8Array): ToolServerRefusal {
  const error = errorOf(body);
  const details = Array.isArray(error.details) ? error.details.filter(isObject) : [];
  const errors = Array.isArray(error.errors) ? error.errors.filter(isObject) : [];
  const named = [...details, ...errors].map(({ reason }) => reason).filter((one) => typeof one === 'string');
  const metadata = details.map((one) => one.metadata).find(isObject) ?? {};
  const { service, quota_limit: quotaLimit } = metadata;
  return {
    status,
    reasons: new Set(named),
    message: typeof error.message === 'string' ? error.message : '',
    service: typeof service === 'string' && /^[a-z-]+\.googleapis\.com$/.test(service) ? service : undefined,
    quotaLimit: typeof quotaLimit === 'string' ? quotaLimit : '',
  };
}

function errorOf(body: Uint8Array): Readonly<Record<string, unknown>> {
  try {
    const parsed: unknown = JSON.parse(Buffer.from(body).toString('utf8'));
    return isObject(parsed) && isObject(parsed.error) ? parsed.error : {};
  } catch {
    return {};
  }
}
