import { GatewayError, wrongMethod } from '../../../gateway/core/errors.ts';
import { type GatewayRequest, type GatewayResponse, headerValues } from '../../../gateway/core/http-message.ts';
import type { Logger } from '../../../gateway/core/ports.ts';
import { sentAuthorization } from '../../../gateway/keys/sent-credential.rules.ts';
import { TOKEN_SCOPES } from '../signed-in-agent.rules.ts';
import type { CallersTools } from './door-tools.ts';
import { answerMessage, type ServerIdentity } from './protocol/answer-message.ts';

export interface ServeDependencies {
  readonly identity: ServerIdentity;
  /** Origins whose pages may call. */
  readonly allowedOrigins: readonly string[];
  /** Where assistants sign in, and for what; undefined where they have keys alone. */
  readonly signIn?: SignIn | undefined;
  /** The tools of the caller, who is judged only by the request's headers. */
  readonly toolsOf: (request: GatewayRequest) => CallersTools;
  readonly logger: Logger;
}

/** An issuer whose access tokens are taken, and the address that they are for. */
export interface SignIn {
  readonly issuer: string;
  readonly resource: string;
}

/** Where clients look for the document of RFC 9728 section 3.1 after a bare 401: for this address, and for its host. */
const METADATA_PATHS = ['/.well-known/oauth-protected-resource/mcp', '/.well-known/oauth-protected-resource'];

/** What says where assistants sign in, to anyone who asks (MC-32). @throws GatewayError `not_found`, `method_not_allowed` */
export function describeSignIn({ signIn }: ServeDependencies, request: GatewayRequest): GatewayResponse {
  if (signIn === undefined || !METADATA_PATHS.includes(request.rawPath)) {
    throw new GatewayError('not_found', 'There is nothing at this address.');
  }
  if (request.method !== 'GET' && request.method !== 'HEAD')
    throw wrongMethod('This document can be read alone.', ['GET']);
  const document = {
    resource: signIn.resource,
    authorization_servers: [signIn.issuer],
    scopes_supported: Object.keys(TOKEN_SCOPES),
    bearer_methods_supported: ['header'],
    resource_name: 'Google Drive and Google Calendar',
  };
  return {
    status: 200,
    headers: [
      ['content-type', 'application/json; charset=utf-8'],
      ['cache-control', 'public, max-age=300'],
      // Clients in browsers read it, too.
      ['access-control-allow-origin', '*'],
      ['x-request-id', request.requestId],
    ],
    body: request.method === 'HEAD' ? undefined : Buffer.from(JSON.stringify(document)),
  };
}

/**
 * `POST /mcp`: one message in, one answer out. Who calls is judged before anything is answered, and asked before the body is read (MC-32).
 *
 * @throws GatewayError `method_not_allowed`, `forbidden` for pages of other origins, and what `toolsOf` throws
 */
export async function serveRequest(deps: ServeDependencies, request: GatewayRequest): Promise<GatewayResponse> {
  if (request.method !== 'POST') {
    throw wrongMethod(
      'This address takes messages of the Model Context Protocol by POST; it has no stream and no session.',
      ['POST'],
    );
  }
  // A page that another host's name was bent to would send its own (MC-4; "Streamable HTTP", section "Security").
  const foreign = headerValues(request.headers, 'origin').some((origin) => !deps.allowedOrigins.includes(origin));
  if (foreign) throw new GatewayError('forbidden', 'Pages of this origin may not call the gateway.');
  // Without a credential the body is not read.
  sentAuthorization(request.headers);
  const tools = deps.toolsOf(request);
  const answer = await answerMessage({ identity: deps.identity, tools, logger: deps.logger }, request);
  // Nobody gets the answer to a message that needs no tool, or that cannot be read, before they are judged.
  await tools.judged();
  return answer;
}
