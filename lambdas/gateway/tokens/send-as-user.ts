import type { Connection } from '../connections/connection.rules.ts';
import { unknownConnection } from '../connections/find-connection.ts';
import { epochSecNow } from '../core/clock.ts';
import type { GrantDeath } from '../core/grant-death.ts';
import type { Clock, TokenCipher } from '../core/ports.ts';
import type { Integration } from '../integrations/integration.rules.ts';
import { sendRenewing } from './access-tokens.ts';
import { accessTokenContext } from './ciphertexts.rules.ts';
import { tokenFreshness } from './freshness.rules.ts';
import { type RefreshedConnection, type RefreshNowDependencies, refreshNow } from './refresh-now.ts';

export interface SendAsUserDependencies extends RefreshNowDependencies {
  readonly cipher: TokenCipher;
  readonly clock: Clock;
}

/** The provider's answer with the connection and token that it was for, or why the grant has ended. */
export type SentAsUser<Answer> =
  | { readonly kind: 'sent'; readonly answer: Answer; readonly connection: Connection; readonly accessToken: string }
  | { readonly kind: 'dead'; readonly death: GrantDeath };

/**
 * Makes a call of the gateway's own as a connection's user: refreshes an expired token first, renews one that the provider
 * refuses and sends the call again once, as for a proxied call (TK-6).
 *
 * @param isRefused whether an answer refuses the token, such as 401
 * @throws GatewayError `unknown_connection` for one that was deleted meanwhile, `integration_credentials_rejected`,
 * `token_refresh_unavailable`, and errors of `send`
 */
export async function sendAsUser<Answer>(
  deps: SendAsUserDependencies,
  { connection, integration }: { readonly connection: Connection; readonly integration: Integration },
  requestId: string,
  send: (accessToken: string) => Promise<Answer>,
  isRefused: (answer: Answer) => boolean,
): Promise<SentAsUser<Answer>> {
  const renew = (current: Connection, force: boolean) => refreshNow(deps, current, integration, force, requestId);
  const sendWith = async (current: Connection) => {
    if (current.encryptedAccessToken === undefined) throw unknownConnection();
    const accessToken = await deps.cipher.decrypt(accessTokenContext(current), current.encryptedAccessToken);
    return { kind: 'sent', answer: await send(accessToken), connection: current, accessToken } as const;
  };
  const isExpired = tokenFreshness(connection, epochSecNow(deps.clock)) === 'expired';
  const ready = isExpired ? await renew(connection, false) : { kind: 'fresh' as const, connection };
  if (ready.kind === 'dead') return ready;
  if (ready.connection.death !== undefined) return { kind: 'dead', death: ready.connection.death };
  const sent = await sendRenewing<RefreshedConnection, SentAsUser<Answer>>(
    ready,
    async (token) => (token.kind === 'dead' ? token : sendWith(token.connection)),
    (answer) => answer.kind === 'sent' && isRefused(answer.answer),
    (refused) => renew(refused.connection, true),
  );
  return sent.answer;
}
