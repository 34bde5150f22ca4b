import { object, parseJson, ShapeError, text } from '../parse.ts';
import { randomText } from '../random.ts';
import type { Simulation } from '../simulation.ts';
import { createFlowStore } from '../state/flows.ts';
import { replaceState, snapshotState, stateFileRecord } from '../state/store.ts';

/** The snapshot that a simulator takes of itself when it has started, for {@link reset}. */
const START = 'start';

/** Snapshots kept at once, the first one not counted; taking more forgets the oldest. */
const SNAPSHOTS_MAX = 100;

function take(sim: Simulation, id: string): void {
  sim.snapshots.set(id, JSON.stringify(snapshotState(sim.state, sim.clock.nowMs())));
}

function putBack(sim: Simulation, json: string): void {
  replaceState(sim.state, parseJson(json, stateFileRecord, 'snapshot'));
  sim.flows = createFlowStore();
  sim.uploads.clear();
  sim.reopen();
}

/** Keeps the state as it is at the start. */
export function takeStartSnapshot(sim: Simulation): void {
  take(sim, START);
}

/** Keeps clients, grants, tokens, files, calendars and the clock as they are now. @returns the id to restore it by */
export function takeSnapshot(sim: Simulation): unknown {
  const id = randomText(9);
  take(sim, id);
  const ids = [...sim.snapshots.keys()].filter((one) => one !== START);
  for (const old of ids.slice(0, Math.max(0, ids.length - SNAPSHOTS_MAX))) sim.snapshots.delete(old);
  return { snapshot: id };
}

/**
 * Puts the state of a snapshot back; fault switches, push channels and recorded requests stay as they are.
 * @throws {ShapeError} for an id that is none
 */
export function restoreSnapshot(sim: Simulation, body: string): unknown {
  const { snapshot } = parseJson(body, object({ snapshot: text }), 'body');
  const json = sim.snapshots.get(snapshot);
  if (json === undefined) {
    throw new ShapeError(`No snapshot has the id "${snapshot}". Snapshots last as long as the simulator's process.`);
  }
  putBack(sim, json);
  return { snapshot };
}

/** Puts everything back to how the simulator started: state, clock, and no faults, channels or recorded requests. */
export function reset(sim: Simulation): unknown {
  const json = sim.snapshots.get(START);
  if (json !== undefined) putBack(sim, json);
  sim.faults.faults.clear();
  sim.channels.close();
  sim.streams.close();
  sim.cursors.expiredAtMs = Number.NEGATIVE_INFINITY;
  sim.recorder.clear();
  return { now: new Date(sim.clock.nowMs()).toISOString() };
}
