import type { GatewayRequest } from '../core/http-message.ts';

/** What came back from the provider (RFC 6749 section 4.1.2, RFC 9207 section 2). Unknown parameters are ignored. */
export type CallbackQuery =
  | { readonly kind: 'malformed'; readonly message: string }
  | {
      readonly kind: 'answer';
      readonly state: string;
      readonly code: string | undefined;
      readonly issuer: string | undefined;
      readonly error: string | undefined;
      readonly errorDescription: string | undefined;
    };

const SINGLE = ['code', 'state', 'iss', 'error'] as const;

/** Reads the callback's query; a parameter that must be single and is repeated makes it malformed (OA-9). */
export function readCallbackQuery(query: GatewayRequest['query']): CallbackQuery {
  for (const name of SINGLE) {
    if (query.filter(([key]) => key === name).length > 1) {
      return { kind: 'malformed', message: `The parameter ${name} came twice.` };
    }
  }
  const value = (name: string): string | undefined => {
    const found = query.find(([key]) => key === name)?.[1];
    return found === '' ? undefined : found;
  };
  const state = value('state');
  if (state === undefined || state.length > 512)
    return { kind: 'malformed', message: 'The parameter state is missing.' };
  const code = value('code');
  const error = value('error');
  if (code === undefined && error === undefined) {
    return { kind: 'malformed', message: 'Neither a code nor an error came back.' };
  }
  return {
    kind: 'answer',
    state,
    code,
    issuer: value('iss'),
    error,
    errorDescription: value('error_description'),
  };
}
