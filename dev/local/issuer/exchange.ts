/** A request to the issuer and its reply, apart from any server. */

export interface IssuerRequest {
  method: string;
  /** Below the issuer's own path, with a leading slash. */
  path: string;
  query: URLSearchParams;
  header(name: string): string | undefined;
  /** The form of a POST; empty for every other request. */
  form: URLSearchParams;
}

export interface IssuerReply {
  status: number;
  headers: Record<string, string>;
  body: string;
}

/** A JSON answer that any page may read, as Cognito's endpoints let it. */
export function jsonReply(status: number, value: object): IssuerReply {
  return {
    status,
    headers: {
      'content-type': 'application/json',
      'cache-control': 'no-store',
      'access-control-allow-origin': '*',
      'x-content-type-options': 'nosniff',
    },
    body: JSON.stringify(value),
  };
}

/** An error of the token endpoint (RFC 6749 section 5.2). */
export function tokenError(error: string, description: string): IssuerReply {
  return jsonReply(400, { error, error_description: description });
}

/** A redirect of the browser: 303, so that a form is never posted on (OA-13). */
export function redirectReply(location: string, headers: Record<string, string> = {}): IssuerReply {
  return {
    status: 303,
    headers: { location, 'cache-control': 'no-store', 'referrer-policy': 'no-referrer', ...headers },
    body: '',
  };
}
