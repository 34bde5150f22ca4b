import { handleSessionRequest, isSessionRequest } from '../drive/upload-session.ts';
import { plainBody } from '../http/compress.ts';
import {
  headerValue,
  htmlResponse,
  jsonResponse,
  mediaType,
  type SimRequest,
  type SimResponse,
} from '../http/exchange.ts';
import type { Simulation } from '../simulation.ts';
import { authenticate, requireScope, requireService } from './authenticate.ts';
import type { ApiCall } from './call.ts';
import { readFields } from './check-fields.ts';
import { checkParameters } from './check-parameters.ts';
import { defaultFields } from './default-fields.ts';
import { API_HEADERS, ApiError, apiErrorResponse, badRequest, invalidParameter, notImplemented } from './envelope.ts';
import { selectFields } from './field-selector.ts';
import { HANDLERS } from './handlers.ts';
import { matchMethod, parseApiPath } from './match-method.ts';
import type { MethodRule } from './method-table.ts';

/** Google's page for a path that is no method. */
function pathNotFound(path: string): SimResponse {
  const shown = path.replaceAll(/[<>&"']/g, '');
  return htmlResponse(
    404,
    `<!DOCTYPE html><html lang=en><title>Error 404 (Not Found)!!1</title><p>${shown} was not found.`,
  );
}

/**
 * The method a request means: `X-HTTP-Method-Override: GET` on a POST with a form body stands for that GET, the form
 * being its query, as Google's Python client sends long lists.
 */
function effectiveRequest(http: SimRequest): { verb: string; query: URLSearchParams } {
  const override = headerValue(http.headers, 'x-http-method-override')?.toUpperCase();
  if (http.method !== 'POST' || override === undefined) {
    return { verb: http.method === 'HEAD' ? 'GET' : http.method, query: http.query };
  }
  if (override !== 'GET') return { verb: override, query: http.query };
  if (mediaType(http.headers) !== 'application/x-www-form-urlencoded') {
    throw badRequest('A GET sent as POST needs its query as an application/x-www-form-urlencoded body.');
  }
  return {
    verb: 'GET',
    query: new URLSearchParams([...http.query, ...new URLSearchParams(http.body.toString('utf8'))]),
  };
}

function checkAlt(rule: MethodRule, query: URLSearchParams): void {
  const alt = query.get('alt') ?? 'json';
  const allowed = alt === 'json' || (alt === 'media' && (rule.allowsMedia || rule.id === 'drive.files.export'));
  if (!allowed) throw invalidParameter('alt', `Invalid value '${alt}'.`);
}

async function runCall(call: ApiCall): Promise<SimResponse> {
  const { id, api, response: schema } = call.rule;
  const entry = HANDLERS.get(id);
  if (entry === undefined || entry.depth === '501') {
    throw notImplemented(`the method ${id}${entry === undefined ? '' : ` (${entry.why})`}`);
  }
  const result = await entry.handler(call);
  if ('response' in result) return result.response;
  const fields = call.fields ?? defaultFields(call.rule.id) ?? true;
  const headers = [...API_HEADERS, ...(result.headers ?? [])];
  const shown = selectFields(result.resource, fields);
  call.sim.observer?.onResource?.({ methodId: id, api, schema, resource: shown });
  const response = jsonResponse(result.status ?? 200, shown, headers);
  if (call.query.get('prettyPrint') === 'false') response.body = Buffer.from(JSON.stringify(shown));
  return response;
}

/** The request as its method reads it: Google's Java client compresses request bodies unless it is configured not to. */
function decompressed(http: SimRequest): SimRequest {
  const body = plainBody(http);
  if (body === undefined) throw badRequest('Parse Error');
  return { ...http, body };
}

async function callMethod(sim: Simulation, received: SimRequest): Promise<SimResponse> {
  const http = decompressed(received);
  if (isSessionRequest(http)) return handleSessionRequest(sim, http);
  const path = parseApiPath(http.path);
  if (path === undefined) return pathNotFound(http.path);
  const { verb, query } = effectiveRequest(http);
  const matched = matchMethod(verb, path);
  if (matched === undefined) return pathNotFound(http.path);
  const { rule, pathParameters } = matched;
  const caller = authenticate(sim, { headers: http.headers, query });
  requireService(sim, rule.api, caller);
  requireScope(rule, caller);
  checkAlt(rule, query);
  checkParameters(rule, query);
  const fields = readFields(rule, query);
  return runCall({ sim, http, rule, path: pathParameters, query, caller, upload: path.upload, fields });
}

/** Answers one Drive or Calendar call; failures become Google's error envelope. */
export async function handleApiCall(sim: Simulation, http: SimRequest): Promise<SimResponse> {
  try {
    return await callMethod(sim, http);
  } catch (error) {
    if (error instanceof ApiError) return apiErrorResponse(error.failure, error.headers);
    throw error;
  }
}
