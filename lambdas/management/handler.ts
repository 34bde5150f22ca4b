import { grantMethods } from '../gateway/core/contract.ts';
import { apiHandler } from './api-handler.ts';
import { MANAGEMENT_ROUTES } from './routes/own.ts';
import { openServices } from './wiring.ts';

/** The management API without the routes of `grants`, and the response for every path that no other function serves. */
export const handler = apiHandler(openServices(), { routes: MANAGEMENT_ROUTES, elsewhere: grantMethods });
