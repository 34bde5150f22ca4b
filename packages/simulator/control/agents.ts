import { ACCOUNTS } from '../accounts.ts';
import { pacificDay } from '../clock.ts';
import { MCP_SERVERS, SERVICES, toolsOf } from '../mcp/servers.ts';
import { count, listOf, object, oneOf, optional, parseJson, ShapeError, text } from '../parse.ts';
import type { Simulation } from '../simulation.ts';
import { APPROVAL_POLICIES, agentsSnapshot, type ToolChange, toolChange } from '../state/agents.ts';
import { projectOf } from '../state/store.ts';
import { requireAccount } from './grants.ts';

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

const mcpBody = object({
  requestsPerDay: optional(count),
  approvals: optional(object({ account: text, policy: oneOf(...APPROVAL_POLICIES) })),
  tools: optional(listOf(toolChange)),
});

/** Changes the day's quota, a user's approvals and the tools of Google's MCP servers. @throws {ShapeError} for a body of another form */
export function setMcp(sim: Simulation, body: string): unknown {
  const { requestsPerDay, approvals, tools = [] } = parseJson(body, mcpBody, 'body');
  const { agents } = sim.state;
  const stranger = tools.find(({ server }) => !MCP_SERVERS.some(({ host }) => host === server));
  if (stranger !== undefined) {
    throw new ShapeError(
      `body.tools: no server is "${stranger.server}". Use ${MCP_SERVERS.map(({ host }) => host).join(', ')}.`,
    );
  }
  if (approvals !== undefined) agents.policies.set(requireAccount(approvals.account).sub, approvals.policy);
  agents.requestsPerDay = requestsPerDay ?? agents.requestsPerDay;
  for (const change of tools) {
    const isOther = ({ server, name }: ToolChange) => server !== change.server || name !== change.name;
    const former = agents.toolChanges.find((one) => !isOther(one));
    const named = Object.entries(change).filter(([, value]) => value !== undefined);
    agents.toolChanges = [
      ...agents.toolChanges.filter(isOther),
      { ...change, ...former, ...Object.fromEntries(named) },
    ];
  }
  for (const look of agents.waiting) look();
  agents.waiting.clear();
  sim.state.markChanged();
  return showMcp(sim);
}

/** The state of Google's MCP servers. */
export function showMcp(sim: Simulation) {
  const { agents } = sim.state;
  const today = pacificDay(sim.clock.nowMs());
  return {
    requestsPerDay: agents.requestsPerDay,
    today,
    used: agentsSnapshot(agents).used.filter(({ day }) => day === today),
    approvals: ACCOUNTS.map(({ email, sub }) => ({ account: email, policy: agents.policies.get(sub) ?? 'none' })),
    servers: MCP_SERVERS.map((server) => ({
      server: server.host,
      tools: toolsOf(agents, server).map(({ name, requests, self }) => ({ name, requests, self })),
    })),
    agenticClients: [...agents.agenticClients],
    disabledServices: agentsSnapshot(agents).disabledServices,
  };
}
