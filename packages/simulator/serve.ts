import type { IncomingMessage, ServerResponse } from 'node:http';
import { faultReply, overrideHeaders } from './control/fault-reply.ts';
import { readFacts } from './control/request-facts.ts';
import { handleControl, isControlPath } from './control/routes.ts';
import {
  emptyResponse,
  jsonResponse,
  type Origin,
  type SimRequest,
  type SimResponse,
  splitTarget,
} from './http/exchange.ts';
import { pairHeaders, readBody } from './http/read-request.ts';
import { type Delivery, writeResponse } from './http/write-response.ts';
import { handlePage, isPagePath } from './page/routes.ts';
import { originOf, route } from './routes.ts';
import type { Simulation } from './simulation.ts';
import { type FaultAction, handlerEffects, takeFaultAction } from './state/faults.ts';

function deliveryOf(action: FaultAction | undefined): Delivery {
  const { delayMs, hang, dripBytesPerSec, resetAfterBytes, truncateAfterBytes } = action ?? {};
  return {
    ...(delayMs === undefined ? {} : { delayMs }),
    ...(hang === undefined ? {} : { hang }),
    ...(dripBytesPerSec === undefined ? {} : { dripBytesPerSec }),
    ...(resetAfterBytes === undefined ? {} : { resetAfterBytes }),
    ...(truncateAfterBytes === undefined ? {} : { truncateAfterBytes }),
  };
}

/** Switches that keep the client from getting a whole answer. */
const CUTS = ['hang', 'closeAfterApply', 'resetAfterBytes', 'truncateAfterBytes'] as const;

async function runGuarded(run: () => Promise<SimResponse>): Promise<SimResponse> {
  try {
    return await run();
  } catch (error) {
    // A defect of the simulator itself must be loud on both ends, never look like a fault of Google.
    const detail = error instanceof Error ? (error.stack ?? error.message) : String(error);
    process.stderr.write(`simulator defect: ${detail}\n`);
    return jsonResponse(500, { error: { code: 500, message: `Simulator defect: ${detail.split('\n')[0]}` } });
  }
}

/** The answer to a request: a switch's, or the real one. A hanging request is not applied. */
async function produce(sim: Simulation, http: SimRequest, action: FaultAction | undefined): Promise<SimResponse> {
  const real = () => runGuarded(() => route(sim, http));
  if (action === undefined) return real();
  if (action.hang === true) return emptyResponse(200);
  return faultReply(action) ?? overrideHeaders(await real(), action);
}

async function answer(
  sim: Simulation,
  http: SimRequest,
  response: ServerResponse,
  action?: FaultAction,
): Promise<void> {
  if (action?.closeBeforeApply === true) {
    sim.observer?.onAnswer(http.seq, undefined);
    response.socket?.resetAndDestroy();
    return;
  }
  const result = await produce(sim, http, action);
  sim.save();
  const isWhole = CUTS.every((cut) => action?.[cut] === undefined);
  sim.observer?.onAnswer(http.seq, isWhole ? result.status : undefined);
  if (action?.closeAfterApply === true) {
    response.socket?.resetAndDestroy();
    return;
  }
  await writeResponse(response, result, http.method === 'HEAD', deliveryOf(action));
}

/**
 * Serves one request: read, record, apply fault switches, handle, save, answer.
 * @param fixedOrigin the host group of the port, or `undefined` when one port serves all three
 */
export async function serveRequest(
  sim: Simulation,
  fixedOrigin: Origin | undefined,
  message: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  response.on('error', () => response.destroy());
  if (sim.datesByClock) response.setHeader('Date', new Date(sim.clock.nowMs()).toUTCString());
  const body = await readBody(message);
  if (body === undefined) {
    if (!response.destroyed) await writeResponse(response, emptyResponse(413, [['Connection', 'close']]), false, {});
    return;
  }
  const target = message.url ?? '/';
  const { path, query } = splitTarget(target);
  const arrived = {
    origin: fixedOrigin ?? originOf(path),
    method: message.method ?? 'GET',
    target,
    path,
    query,
    headers: pairHeaders(message.rawHeaders),
    body,
    seq: 0,
    effects: {},
  };
  if (isControlPath(path) || isPagePath(path)) {
    const result = await runGuarded(() => (isControlPath(path) ? handleControl : handlePage)(sim, arrived));
    sim.save();
    await writeResponse(response, result, arrived.method === 'HEAD', {});
    return;
  }
  const facts = readFacts(sim, arrived);
  const record = sim.recorder.add(arrived, facts.account);
  const action = takeFaultAction(sim.faults, facts);
  sim.observer?.onRequest({ ...record, facts, fault: action });
  await answer(sim, { ...arrived, seq: record.seq, effects: handlerEffects(action) }, response, action);
}
