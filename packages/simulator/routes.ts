import { ACTIVITY_PATH, handleActivity } from './activity/query-activity.ts';
import { batchApi, handleBatch } from './api/batch.ts';
import { handleApiCall } from './api/dispatch.ts';
import { compressForCaller } from './http/compress.ts';
import { htmlResponse, type Origin, type SimRequest, type SimResponse } from './http/exchange.ts';
import { handleMcp } from './mcp/handle-mcp.ts';
import { mcpPath } from './mcp/servers.ts';
import { handleAuthorization } from './oauth/authorize.ts';
import {
  handleServiceAccount,
  handleTokenExchange,
  SERVICE_ACCOUNTS_PATH,
  TOKEN_EXCHANGE_PATH,
} from './oauth/federation.ts';
import { discoveryDocument, handleCerts, handleTokeninfo, handleUserinfo } from './oauth/identity-endpoints.ts';
import { pageLayout } from './oauth/page-layout.ts';
import { handleRevoke } from './oauth/revoke.ts';
import { handleToken } from './oauth/token-endpoint.ts';
import { handleRisc, isRiscPath } from './risc/configuration-api.ts';
import { RISC_CONFIGURATION_PATH, riscConfiguration } from './risc/statements.ts';
import type { Simulation } from './simulation.ts';

const TOKEN_PATHS = new Set(['/token', '/revoke', '/tokeninfo', '/v1/userinfo', TOKEN_EXCHANGE_PATH]);
const API_PATH = /^\/(?:(?:drive|calendar|upload|download|resumable|batch|oauth2\/v3)(?:\/|$)|v2\/activity:)/;

/** The host group a path belongs to when one port serves all. */
export function originOf(path: string): Origin {
  if (TOKEN_PATHS.has(path) || path.startsWith(SERVICE_ACCOUNTS_PATH)) return 'token';
  return API_PATH.test(path) || isRiscPath(path) || mcpPath(path) !== undefined ? 'api' : 'accounts';
}

function notFoundPage(): SimResponse {
  return htmlResponse(404, pageLayout('Not found', '<h1>Not found</h1><p>The simulator has no page here.</p>'));
}

function isRead(http: SimRequest): boolean {
  return http.method === 'GET' || http.method === 'HEAD';
}

function routeAccounts(sim: Simulation, http: SimRequest): SimResponse {
  if (http.path === '/.well-known/openid-configuration' && isRead(http)) return discoveryDocument(sim);
  if (http.path === RISC_CONFIGURATION_PATH && isRead(http)) return riscConfiguration(sim);
  return handleAuthorization(sim, http) ?? notFoundPage();
}

async function routeToken(sim: Simulation, http: SimRequest): Promise<SimResponse> {
  const canPost = http.method === 'POST';
  if (http.path === '/token' && canPost) return handleToken(sim, http);
  if (http.path === TOKEN_EXCHANGE_PATH && canPost) return handleTokenExchange(sim, http);
  if (http.path.startsWith(SERVICE_ACCOUNTS_PATH) && canPost) return handleServiceAccount(sim, http);
  if (http.path === '/revoke' && canPost) return handleRevoke(sim, http);
  if (http.path === '/tokeninfo' && (canPost || isRead(http))) return handleTokeninfo(sim, http);
  if (http.path === '/v1/userinfo' && (canPost || isRead(http))) return handleUserinfo(sim, http);
  return notFoundPage();
}

async function routeApi(sim: Simulation, http: SimRequest): Promise<SimResponse> {
  if (http.path === '/oauth2/v3/certs' && isRead(http)) return handleCerts(sim);
  if (isRiscPath(http.path)) return handleRisc(sim, http);
  if (mcpPath(http.path) !== undefined) return handleMcp(sim, http);
  if (http.path === ACTIVITY_PATH && http.method === 'POST')
    return compressForCaller(http.headers, handleActivity(sim, http));
  const api = batchApi(http.path);
  const response = api === undefined ? await handleApiCall(sim, http) : await handleBatch(sim, http, api);
  return compressForCaller(http.headers, response);
}

/** Finds and runs the handler of a request on its origin. */
export async function route(sim: Simulation, http: SimRequest): Promise<SimResponse> {
  switch (http.origin) {
    case 'accounts':
      return routeAccounts(sim, http);
    case 'token':
      return routeToken(sim, http);
    case 'api':
      return routeApi(sim, http);
  }
}
