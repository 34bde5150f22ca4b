import { createHash, timingSafeEqual } from 'node:crypto';
import { headerValue, jsonResponse, type SimRequest, type SimResponse } from '../http/exchange.ts';
import { ShapeError } from '../parse.ts';
import type { Simulation } from '../simulation.ts';
import { CONTROL_ACTIONS } from './actions.ts';

const PREFIX = '/__sim/';

/** True for the simulator's own control routes, which are not part of Google. */
export function isControlPath(path: string): boolean {
  return path.startsWith(PREFIX);
}

/** True for a name of this computer; any other is a page that rebound its own. */
export function isLoopbackHost(host: string): boolean {
  return LOOPBACK_HOST.test(host);
}

const LOOPBACK_HOST = /^(?:127\.0\.0\.1|localhost|\[::1\])(?::\d+)?$/;

/**
 * True for a request of a page in a browser. `Sec-Fetch-Mode` by itself does not count: Node's fetch sends it, while a browser
 * that sends it always sends `Sec-Fetch-Site` too. A foreign Host means DNS rebinding.
 */
function comesFromBrowser(http: SimRequest): boolean {
  const marks = ['origin', 'sec-fetch-site', 'sec-fetch-dest', 'sec-fetch-user'];
  return (
    marks.some((name) => headerValue(http.headers, name) !== undefined) ||
    !isLoopbackHost(headerValue(http.headers, 'host') ?? '')
  );
}

/** The path behind the key; undefined where the key is missing or wrong. */
function withoutKey(path: string, key: string | undefined): string | undefined {
  if (key === undefined) return path;
  const slash = path.indexOf('/');
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return slash >= 0 && timingSafeEqual(digest(path.slice(0, slash)), digest(key)) ? path.slice(slash + 1) : undefined;
}

/** Answers a control request; what is wrong with a bad one is said in `error`. */
export async function handleControl(sim: Simulation, http: SimRequest): Promise<SimResponse> {
  if (comesFromBrowser(http)) return jsonResponse(403, { error: 'Control routes refuse requests from a browser.' });
  const path = withoutKey(http.path.slice(PREFIX.length), sim.controlKey);
  if (path === undefined) {
    return jsonResponse(403, {
      error: 'The control routes of this simulator need its key. The person who started it has the key.',
    });
  }
  const named = CONTROL_ACTIONS.filter(
    (action) => path === action.path || (action.takesId && path.startsWith(`${action.path}/`)),
  );
  const action = named.find(({ method }) => method === http.method);
  if (action === undefined) {
    const known = CONTROL_ACTIONS.map(
      ({ method, path: name, takesId }) => `${method} ${PREFIX}${name}${takesId ? '[/id]' : ''}`,
    );
    return jsonResponse(named.length > 0 ? 405 : 404, { error: `Unknown control route. Known: ${known.join(', ')}.` });
  }
  try {
    const id = decodeURIComponent(path.slice(action.path.length + 1));
    return jsonResponse(200, await action.run(sim, http.body.toString('utf8'), id));
  } catch (error) {
    if (error instanceof ShapeError || error instanceof URIError) return jsonResponse(400, { error: error.message });
    throw error;
  }
}
