import { apiHandler } from '../management/api-handler.ts';
import { GRANT_ROUTES } from '../management/routes/of-grants.ts';
import { openGrantServices } from './wiring.ts';

/** The routes of the management API that use a grant or the secret of a client: this function opens tokens, and makes no key. */
export const handler = apiHandler(openGrantServices(), { routes: GRANT_ROUTES });
