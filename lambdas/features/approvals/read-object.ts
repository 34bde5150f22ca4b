import type { Connection } from '../../gateway/connections/connection.rules.ts';
import { isGatewayError } from '../../gateway/core/errors.ts';
import type { Upstream } from '../../gateway/core/http-message.ts';
import type { Integration } from '../../gateway/integrations/integration.rules.ts';
import { sendAsUser } from '../../gateway/tokens/access-tokens.ts';
import { type RequestedTokensDependencies, requestedTokens } from '../../gateway/tokens/requested-tokens.ts';
import {
  exchangeSmall,
  type OwnRequest,
  refusesToken,
  type SmallAnswer,
  smallRead,
} from '../../gateway/tokens/whole-answer.ts';
import { jsonObject, type Reading } from './called-object.rules.ts';

export type ReadObjectDependencies = RequestedTokensDependencies & { readonly upstream: Upstream };

/** Whose object is read. */
export interface Owner {
  readonly connection: Connection;
  readonly integration: Integration;
}

/** One small reading as the connection's user; undefined where the provider gave no answer, or the grant has ended. */
export async function readObject(
  deps: ReadObjectDependencies,
  owner: Owner,
  origin: string,
  path: string,
  requestId: string,
): Promise<Reading | undefined> {
  const answer = await readAs(deps, owner, requestId, smallRead(origin, path));
  return answer && { status: answer.status, json: jsonObject(answer.text) ?? {} };
}

/**
 * What the provider answered to a request that reads; undefined where it gave no answer, or the grant has ended.
 */
export async function readAs(
  deps: ReadObjectDependencies,
  owner: Owner,
  requestId: string,
  request: OwnRequest,
): Promise<Extract<SmallAnswer, { readonly kind: 'answered' }> | undefined> {
  try {
    const sent = await sendAsUser(deps.upstream, requestedTokens(deps, owner, requestId), {
      exchange: (send) => exchangeSmall(send, request),
      isRefused: refusesToken,
    });
    return sent.kind === 'dead' || sent.answer.kind === 'failed' ? undefined : sent.answer;
  } catch (error) {
    if (isGatewayError(error)) return undefined;
    throw error;
  }
}
