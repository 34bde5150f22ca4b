import { ACCOUNTS } from '../accounts.ts';
import { ApiError, type ApiFailure } from '../api/envelope.ts';
import { serviceFailure } from '../api/services.ts';
import { pacificDay } from '../clock.ts';
import type { SimRequest } from '../http/exchange.ts';
import { bearerToken } from '../oauth/identity-endpoints.ts';
import { scopeUrl } from '../oauth/scopes.ts';
import { findLiveAccessToken } from '../oauth/token-life.ts';
import type { Simulation } from '../simulation.ts';
import { usageKey } from '../state/agents.ts';
import type { AccessTokenRecord } from '../state/records.ts';
import { projectOf } from '../state/store.ts';
import { type McpServer, mcpEndpointPath } from './servers.ts';
import type { McpTool } from './tool.ts';

/** Scopes that include another one, by short name. */
const BROADER: Readonly<Record<string, readonly string[]>> = {
  'drive.readonly': ['drive'],
  'drive.file': ['drive'],
  'calendar.calendarlist.readonly': ['calendar.calendarlist', 'calendar.readonly', 'calendar'],
  'calendar.events.freebusy': ['calendar.freebusy', 'calendar.readonly', 'calendar'],
  'calendar.events.readonly': ['calendar.readonly', 'calendar'],
  'calendar.events': ['calendar'],
};

/** A caller who may use a tool. */
export interface McpCaller {
  readonly accessToken: string;
  readonly token: AccessTokenRecord;
  readonly email: string;
}

/** URL of the document that lists a tool's scopes (RFC 9728). */
function metadataUrl(sim: Simulation, { host }: McpServer, tool: McpTool): string {
  return `${sim.endpoints.api_base_url}/${host}${METADATA_PREFIX}${tool.name}`;
}

function unauthorized(challenge: string, message: string): ApiError {
  return new ApiError({ code: 401, reason: 'authError', message, location: 'Authorization', locationType: 'header' }, [
    ['WWW-Authenticate', challenge],
  ]);
}

/**
 * Judges who calls a tool: the token, the mark of its client, the services of the Cloud project, the scopes, the day's quota.
 * @throws {ApiError} for a caller who may not; a call that passes is counted
 */
export function admit(sim: Simulation, http: SimRequest, server: McpServer, tool: McpTool): McpCaller {
  const resource = `resource_metadata="${metadataUrl(sim, server, tool)}"`;
  const accessToken = bearerToken(http);
  if (accessToken === undefined) throw unauthorized(`Bearer ${resource}`, 'Request is missing required credentials.');
  const token = findLiveAccessToken(sim, accessToken);
  const account = ACCOUNTS.find(({ sub }) => sub === token?.sub);
  if (token === undefined || account === undefined) {
    throw unauthorized(`Bearer error="invalid_token", ${resource}`, 'Request had invalid authentication credentials.');
  }
  const project = projectOf(token.clientId);
  if (!sim.state.agents.agenticClients.has(token.clientId)) throw notAgentic(server, token.clientId);
  for (const service of [server.host, server.apiService]) {
    const failure = serviceFailure(sim.state, project, service);
    if (failure !== undefined) throw new ApiError(failure);
  }
  const scopes = tool.scopes.flatMap((name) => [name, ...(BROADER[name] ?? [])]).map(scopeUrl);
  if (!scopes.some((scope) => token.scopes.includes(scope))) {
    const named = tool.scopes.map(scopeUrl).join(' ');
    const challenge = `Bearer error="insufficient_scope", scope="${named}", ${resource}`;
    throw unauthorized(challenge, 'Request had insufficient authentication scopes.');
  }
  count(sim, project, server, tool);
  return { accessToken, token, email: account.email };
}

/** Google's words for it are not known. */
function notAgentic({ host }: McpServer, clientId: string): ApiError {
  const metadata = { service: host, consumer: `projects/${projectOf(clientId)}` };
  return new ApiError({
    code: 403,
    reason: 'forbidden',
    message: 'This OAuth client is not marked as the client of an AI-powered agent.',
    details: [errorInfo('CLIENT_NOT_AGENTIC', metadata)],
  });
}

function errorInfo(reason: string, metadata: Readonly<Record<string, string>>) {
  return { '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason, domain: 'googleapis.com', metadata };
}

/** Counts a call against the Cloud project's day. @throws {ApiError} 429 where the day has too few requests left */
function count(sim: Simulation, project: string, { host }: McpServer, tool: McpTool): void {
  const { agents } = sim.state;
  const day = pacificDay(sim.clock.nowMs());
  const key = usageKey(project, host);
  const former = agents.used.get(key);
  const used = former?.day === day ? former.requests : 0;
  if (used + tool.requests > agents.requestsPerDay)
    throw new ApiError(quotaFailure(project, host, agents.requestsPerDay));
  agents.used.set(key, { day, requests: used + tool.requests });
  sim.state.markChanged();
}

function quotaFailure(project: string, service: string, perDay: number): ApiFailure {
  const metadata = {
    service,
    consumer: `projects/${project}`,
    quota_metric: `${service}/requests`,
    quota_limit: 'RequestsPerDayPerProject',
    quota_limit_value: String(perDay),
    quota_unit: '1/d/{project}',
  };
  return {
    code: 429,
    reason: 'rateLimitExceeded',
    message: `Quota exceeded for quota metric 'Requests' and limit 'Requests per day' of service '${service}' for consumer 'project_number:${project}'.`,
    details: [errorInfo('RATE_LIMIT_EXCEEDED', metadata)],
  };
}

const METADATA_PREFIX = '/.well-known/oauth-protected-resource/';

/** The document of RFC 9728 for a tool, or nothing for another path of the server. */
export function resourceMetadata(
  sim: Simulation,
  { host }: McpServer,
  path: string,
  tools: readonly McpTool[],
): object | undefined {
  const tool = tools.find(({ name }) => path === METADATA_PREFIX + name);
  if (tool === undefined) return undefined;
  return {
    resource: sim.endpoints.api_base_url + mcpEndpointPath(host),
    authorization_servers: [`${sim.endpoints.issuer}/`],
    scopes_supported: tool.scopes.map(scopeUrl),
    bearer_methods_supported: ['header'],
  };
}
