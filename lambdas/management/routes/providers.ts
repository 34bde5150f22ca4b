import * as z from 'zod';
import { GatewayError } from '../../gateway/core/errors.ts';
import { bareRoute, type Route } from '../route.ts';
import { noQuery } from '../schemas/common.ts';
import { providerOnTheWire } from '../wire/provider.ts';

/** The catalogue. */
export const providerRoutes: readonly Route[] = [
  bareRoute({
    method: 'GET',
    pattern: '/providers',
    access: { right: 'read', session: true },
    summary: 'Providers with their scopes, what each means and how strictly it is reviewed',
    query: z.strictObject({ search: z.string().max(255).optional() }),
    handle({ query }, { providers }) {
      const search = query.search?.toLowerCase() ?? '';
      const found = providers.filter(
        ({ id, displayName }) => id.includes(search) || displayName.toLowerCase().includes(search),
      );
      return { status: 200, body: { data: found.map(providerOnTheWire) } };
    },
  }),
  bareRoute({
    method: 'GET',
    pattern: '/providers/{provider}',
    access: { right: 'read', session: true },
    summary: 'One provider',
    query: noQuery,
    handle({ params }, { providers }) {
      const provider = providers.find(({ id }) => id === params.provider);
      if (provider === undefined)
        throw new GatewayError('not_found', 'There is no such provider. GET /providers lists them.');
      return { status: 200, body: { data: providerOnTheWire(provider) } };
    },
  }),
];
