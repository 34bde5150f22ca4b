import { GatewayError, wrongMethod } from '../gateway/core/errors.ts';
import { type GatewayRequest, type GatewayResponse, headerValues } from '../gateway/core/http-message.ts';
import type { Logger } from '../gateway/core/ports.ts';
import { answerMessage, type ServerIdentity } from './protocol/answer-message.ts';
import type { ToolSet } from './protocol/tool.rules.ts';

export interface ServeDependencies {
  readonly identity: ServerIdentity;
  /** Origins whose pages may call. */
  readonly allowedOrigins: readonly string[];
  /** The tools of whoever calls, by the request's head alone. @throws GatewayError for those who may not */
  readonly toolsOf: (request: GatewayRequest) => Promise<ToolSet>;
  readonly logger: Logger;
}

/**
 * `POST /mcp`: one message in, one answer out. Who calls is judged before the body is read (MC-32).
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
  const tools = await deps.toolsOf(request);
  return answerMessage({ identity: deps.identity, tools, logger: deps.logger }, request);
}
