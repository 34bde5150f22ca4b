import { importSPKI, jwtVerify } from 'jose';
import { API_HEADERS, ApiError, type ApiFailure, apiErrorResponse } from '../api/envelope.ts';
import { headerValue, jsonResponse, type SimRequest, type SimResponse } from '../http/exchange.ts';
import { bearerToken } from '../oauth/identity-endpoints.ts';
import { listOf, object, oneOf, parseJson, ShapeError, text } from '../parse.ts';
import type { Simulation } from '../simulation.ts';
import { isLoopbackAddress } from '../state/channels.ts';
import type { ServiceAccountRecord, StreamRecord } from '../state/records.ts';
import { projectOf } from '../state/store.ts';
import { STATEMENT_TYPES, signStatement, statementTypeUri } from './statements.ts';

/** What a service account signs its tokens for. */
export const RISC_AUDIENCE = 'https://risc.googleapis.com/google.identity.risc.v1beta.RiscManagementService';
/** The only way of delivery there is. */
const PUSH = 'https://schemas.openid.net/secevent/risc/delivery-method/push';
/** The most a service account's token may live. */
const TOKEN_LIFE_MAX = '1h';
const KNOWN_TYPES = STATEMENT_TYPES.map(statementTypeUri);

const streamBody = object({
  delivery: object({ delivery_method: oneOf(PUSH), url: text }),
  events_requested: listOf(text),
});
const statusBody = object({ status: oneOf('enabled', 'disabled') });
const verifyBody = object({ state: text });

type Handler = (sim: Simulation, account: ServiceAccountRecord, body: string) => SimResponse | Promise<SimResponse>;

const ROUTES: Readonly<Record<string, Handler>> = {
  'GET /v1beta/stream': (sim, account) => {
    const { url, events } = streamOf(sim, account);
    return ok({ iss: `${sim.endpoints.issuer}/`, delivery: { delivery_method: PUSH, url }, events_requested: events });
  },
  'POST /v1beta/stream:update': (sim, account, body) => {
    const { delivery, events_requested: events } = parseJson(body, streamBody, 'body');
    if (clientOf(sim, account.project) === undefined) throw invalid('The project has no OAuth client.');
    // Google takes https on the project's authorized domains alone; here those are this computer's addresses.
    if (!URL.canParse(delivery.url) || !isLoopbackAddress(delivery.url))
      throw invalid(`${delivery.url} is not below an authorized domain of the project.`);
    const unknown = events.find((one) => !KNOWN_TYPES.includes(one));
    if (unknown !== undefined) throw invalid(`Unknown event type ${unknown}.`);
    const status = sim.state.streams.get(account.project)?.status ?? 'enabled';
    keep(sim, { project: account.project, url: delivery.url, events, status });
    return ok({});
  },
  'GET /v1beta/stream/status': (sim, account) => ok({ status: streamOf(sim, account).status }),
  'POST /v1beta/stream/status:update': (sim, account, body) => {
    const { status } = parseJson(body, statusBody, 'body');
    keep(sim, { ...streamOf(sim, account), status });
    return ok({});
  },
  'POST /v1beta/stream:verify': async (sim, account, body) => {
    const { state } = parseJson(body, verifyBody, 'body');
    const { project } = streamOf(sim, account);
    const clientId = clientOf(sim, project);
    if (clientId === undefined) throw invalid('The project has no OAuth client.');
    const token = await signStatement(sim, { type: 'verification', clientId, state });
    sim.streams.deliver(project, statementTypeUri('verification'), token);
    return ok({});
  },
};

/** Whether a path is one of the RISC API. */
export function isRiscPath(path: string): boolean {
  return Object.keys(ROUTES).some((route) => route.endsWith(` ${path}`));
}

/** The RISC API, by which a project's owner sets its receiver ("Protect user accounts with Cross-Account Protection"). */
export async function handleRisc(sim: Simulation, http: SimRequest): Promise<SimResponse> {
  try {
    const account = await serviceAccountOf(sim, http);
    const handler = ROUTES[`${http.method} ${http.path}`];
    if (handler === undefined) throw new ApiError({ code: 404, reason: 'notFound', message: 'Not Found' });
    return await handler(sim, account, http.body.toString('utf8'));
  } catch (error) {
    if (error instanceof ShapeError) return apiErrorResponse(invalid(error.message).failure);
    if (error instanceof ApiError) return apiErrorResponse(error.failure, error.headers);
    throw error;
  }
}

/** Who signed the request's token: a key that was made here, for this API, and for an hour at most. */
async function serviceAccountOf(sim: Simulation, http: SimRequest): Promise<ServiceAccountRecord> {
  const token = bearerToken(http);
  if (token === undefined) throw unauthenticated(headerValue(http.headers, 'authorization') ?? 'No credentials');
  try {
    const { payload } = await jwtVerify(
      token,
      async ({ kid }) => {
        const known = [...sim.state.serviceAccounts.values()].find(({ keyId }) => keyId === kid);
        if (known === undefined) throw new Error('Unknown key');
        return importSPKI(known.publicKey, 'RS256');
      },
      {
        algorithms: ['RS256'],
        audience: RISC_AUDIENCE,
        maxTokenAge: TOKEN_LIFE_MAX,
        currentDate: new Date(sim.clock.nowMs()),
      },
    );
    const account = sim.state.serviceAccounts.get(payload.iss ?? '');
    if (account === undefined || payload.sub !== payload.iss)
      throw new Error('iss and sub are not the service account');
    return account;
  } catch (error) {
    throw unauthenticated(error instanceof Error ? error.message : String(error));
  }
}

function streamOf(sim: Simulation, { project }: ServiceAccountRecord): StreamRecord {
  const stream = sim.state.streams.get(project);
  if (stream !== undefined) return stream;
  throw new ApiError({ code: 404, reason: 'notFound', message: 'The project has no stream.' });
}

function clientOf(sim: Simulation, project: string): string | undefined {
  return [...sim.state.clients.keys()].find((clientId) => projectOf(clientId) === project);
}

function keep(sim: Simulation, stream: StreamRecord): void {
  sim.state.streams.set(stream.project, stream);
  sim.state.markChanged();
}

function ok(value: unknown): SimResponse {
  return jsonResponse(200, value, API_HEADERS);
}

function invalid(message: string): ApiError {
  return new ApiError({ code: 400, reason: 'invalidArgument', message });
}

function unauthenticated(why: string): ApiError {
  const failure: ApiFailure = {
    code: 401,
    reason: 'authError',
    message: `Request had invalid authentication credentials. (${why})`,
    location: 'Authorization',
    locationType: 'header',
  };
  return new ApiError(failure);
}
