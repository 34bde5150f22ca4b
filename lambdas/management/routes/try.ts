import { reachedConnection } from '../authenticate.ts';
import { tryCall } from '../connections/try-call.ts';
import { bodyRoute, type Route } from '../route.ts';
import { ofIntegration } from '../schemas/connections.ts';
import { tryBody } from '../schemas/try.ts';
import { triedCallOnTheWire } from '../wire/tried-call.ts';

/** One read at the provider for somebody to look at. */
export const tryRoutes: readonly Route[] = [
  bodyRoute({
    method: 'POST',
    pattern: '/connections/{connectionId}/try',
    access: { right: 'full' },
    summary: 'One GET at the provider as the connection’s user, its answer as text; the proxy’s rules hold',
    query: ofIntegration,
    body: tryBody,
    async handle({ caller, params, query, body, requestId }, services) {
      const ref = reachedConnection(caller, params, query.provider_config_key);
      const tried = await tryCall(services, ref, body.path, { requestId, actor: caller.actor });
      return { status: 200, body: { data: triedCallOnTheWire(tried) } };
    },
  }),
];
