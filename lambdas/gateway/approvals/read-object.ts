import type { Connection } from '../connections/connection.rules.ts';
import { getAsUser } from '../connections/send-small-request.ts';
import { GatewayError } from '../core/errors.ts';
import type { Upstream } from '../core/http-message.ts';
import type { Integration } from '../integrations/integration.rules.ts';
import { type SendAsUserDependencies, sendAsUser } from '../tokens/send-as-user.ts';
import { jsonObject, type Reading } from './called-object.rules.ts';

export type ReadObjectDependencies = SendAsUserDependencies & { readonly upstream: Upstream };

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
  try {
    const sent = await sendAsUser(
      deps,
      owner,
      requestId,
      (accessToken) => getAsUser(deps.upstream, origin, path, accessToken),
      (answer) => answer.kind === 'answered' && answer.status === 401,
    );
    if (sent.kind === 'dead' || sent.answer.kind === 'failed') return undefined;
    return { status: sent.answer.status, json: jsonObject(sent.answer.text) ?? {} };
  } catch (error) {
    if (error instanceof GatewayError) return undefined;
    throw error;
  }
}
