import { SERVICES } from '../mcp/servers.ts';
import { listOf, object, oneOf, optional, parseJson, ShapeError, text } from '../parse.ts';
import type { Simulation } from '../simulation.ts';
import { projectOf } from '../state/store.ts';

const servicesBody = object({
  project: optional(text),
  clientId: optional(text),
  enable: optional(listOf(oneOf(...SERVICES))),
  disable: optional(listOf(oneOf(...SERVICES))),
});

/** Enables and disables services of a Cloud project; all are enabled at first. @throws {ShapeError} for a body of another form */
export function setServices(sim: Simulation, body: string): unknown {
  const { project, clientId, enable = [], disable = [] } = parseJson(body, servicesBody, 'body');
  const named = project ?? (clientId === undefined ? undefined : projectOf(clientId));
  if (named === undefined || !/^\d+$/.test(named)) {
    throw new ShapeError('body needs "project", the number of a Cloud project, or "clientId".');
  }
  const { disabledServices } = sim.state.agents;
  const disabled = disabledServices.get(named) ?? new Set<string>();
  for (const service of disable) disabled.add(service);
  for (const service of enable) disabled.delete(service);
  disabledServices.set(named, disabled);
  sim.state.markChanged();
  return { project: named, enabled: SERVICES.filter((service) => !disabled.has(service)) };
}
