import type { ConnectSession } from '../gateway/authorization/connect-session.rules.ts';
import { GatewayError } from '../gateway/core/errors.ts';
import { type GatewayRequest, headerValue } from '../gateway/core/http-message.ts';
import {
  acceptedLanguage,
  type Language,
  languageOf,
  readTexts,
  type Texts,
} from '../gateway/languages/language.rules.ts';
import type { ConnectDependencies } from './dependencies.ts';

/** A language with its texts. */
export interface Speech {
  readonly language: Language;
  readonly texts: Texts;
}

/** The language of a response: the session's, else the address's, else the browser's preference. */
export function languageFor(request: GatewayRequest, session?: Pick<ConnectSession, 'language'>): Language {
  const named = request.query.find(([name]) => name === 'language')?.[1];
  return (
    session?.language ?? languageOf(named ?? '') ?? acceptedLanguage(headerValue(request.headers, 'accept-language'))
  );
}

/** The texts of that language. */
export async function speechFor(
  deps: Pick<ConnectDependencies, 'builtText'>,
  request: GatewayRequest,
  session?: Pick<ConnectSession, 'language'>,
): Promise<Speech> {
  const language = languageFor(request, session);
  return { language, texts: await readTexts(deps.builtText, language) };
}

/** A failure in words for end users; one that only a developer can fix says so, followed by the details. */
export function problemText(texts: Texts, error: GatewayError): string {
  if (error.forEndUser !== undefined) return texts.problems[error.forEndUser];
  if (error.code === 'rate_limited') return texts.problems.too_many;
  if (error.code === 'integration_credentials_rejected') return texts.problems.app_not_ready;
  return error.status >= 500 ? texts.problems.gateway_failed : texts.problems.bad_address;
}

/** The same failure with a message in the reader's language; failures for the app's developer keep their English one. */
export function inTheirWords({ language, texts }: Speech, error: unknown): unknown {
  if (!(error instanceof GatewayError) || language === 'en' || error.problems !== undefined) return error;
  const text = problemText(texts, error);
  if (text === texts.problems.bad_address) return error;
  const { code, retryAfterSec, forEndUser } = error;
  return new GatewayError(code, text, {
    cause: error,
    ...(retryAfterSec === undefined ? {} : { retryAfterSec }),
    ...(forEndUser === undefined ? {} : { forEndUser }),
  });
}
