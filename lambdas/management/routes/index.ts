import type { Route } from '../route.ts';
import type { GrantServices } from '../services.ts';
import { GRANT_ROUTES } from './of-grants.ts';
import { MANAGEMENT_ROUTES } from './own.ts';

/** A route of either function. */
export type AnyRoute = Route<GrantServices>;

/** Every route of the management API: those of two functions, neither of which has this list. */
export const ROUTES: readonly AnyRoute[] = [...MANAGEMENT_ROUTES, ...GRANT_ROUTES];
