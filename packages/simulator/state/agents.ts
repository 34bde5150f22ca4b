import { anything, count, flag, listOf, number, object, oneOf, optional, recordOf, text } from '../parse.ts';

/** Requests a day that Google's Standard tier gives a Cloud project for each MCP server ("Quota overview", November 2026). */
export const MCP_REQUESTS_PER_DAY = 5_000;

/** Which calls of a user Google asks that user to approve. */
export const APPROVAL_POLICIES = ['none', 'changes', 'all'] as const;
export type ApprovalPolicy = (typeof APPROVAL_POLICIES)[number];

/** What a control request changed of a tool, or a tool that it added. */
export const toolChange = object({
  /** Host of the server. */
  server: text,
  name: text,
  offered: optional(flag),
  description: optional(text),
  /** Requests of the day's quota that a call counts as. */
  requests: optional(count),
  /** What an added tool answers. */
  answer: optional(recordOf(anything)),
  /** Steps that a call reports before its result, in a stream of events, to clients that ask for progress. */
  progress: optional(count),
  /** Whether such a call waits after its steps, until a control request says that it does not. */
  waits: optional(flag),
});
export type ToolChange = ReturnType<typeof toolChange>;

/** The part of the state file about Google's MCP servers. */
export const agentsRecord = object({
  /** Ids of OAuth clients that were marked as an agent's when they were made. */
  agenticClients: listOf(text),
  /** Services that a Cloud project has not enabled. */
  disabledServices: listOf(object({ project: text, service: text })),
  policies: listOf(object({ sub: text, policy: oneOf(...APPROVAL_POLICIES) })),
  requestsPerDay: number,
  /** Requests by Cloud project, service and Pacific day. */
  used: listOf(object({ project: text, service: text, day: text, requests: number })),
  toolChanges: optional(listOf(toolChange)),
});

/** See {@link agentsRecord}. */
export interface AgentsState {
  readonly agenticClients: Set<string>;
  /** Names of services by Cloud project. */
  readonly disabledServices: Map<string, Set<string>>;
  /** By account; an account without an entry is asked nothing. */
  readonly policies: Map<string, ApprovalPolicy>;
  requestsPerDay: number;
  /** By Cloud project and service: the Pacific day that was counted last, and its requests. */
  readonly used: Map<string, { day: string; requests: number }>;
  /** At most one for each tool of a server. */
  toolChanges: ToolChange[];
  /** Calls that wait; each looks again when it is called. */
  readonly waiting: Set<() => void>;
}

/** The part of a state about MCP servers, from its record or as a new simulator has it. */
export function createAgents(record: ReturnType<typeof agentsRecord> | undefined): AgentsState {
  const disabledServices = new Map<string, Set<string>>();
  for (const { project, service } of record?.disabledServices ?? []) {
    disabledServices.set(project, (disabledServices.get(project) ?? new Set()).add(service));
  }
  return {
    agenticClients: new Set(record?.agenticClients),
    disabledServices,
    policies: new Map(record?.policies.map(({ sub, policy }) => [sub, policy])),
    requestsPerDay: record?.requestsPerDay ?? MCP_REQUESTS_PER_DAY,
    used: new Map(
      record?.used.map(({ project, service, day, requests }) => [usageKey(project, service), { day, requests }]),
    ),
    toolChanges: record?.toolChanges ?? [],
    waiting: new Set(),
  };
}

/** What the state file keeps of it. */
export function agentsSnapshot(agents: AgentsState): ReturnType<typeof agentsRecord> {
  return {
    agenticClients: [...agents.agenticClients],
    disabledServices: [...agents.disabledServices].flatMap(([project, services]) =>
      [...services].map((service) => ({ project, service })),
    ),
    policies: [...agents.policies].map(([sub, policy]) => ({ sub, policy })),
    requestsPerDay: agents.requestsPerDay,
    used: [...agents.used].map(([key, { day, requests }]) => {
      const [project = '', service = ''] = key.split(' ');
      return { project, service, day, requests };
    }),
    toolChanges: agents.toolChanges,
  };
}

/** Key of a count of requests. */
export function usageKey(project: string, service: string): string {
  return `${project} ${service}`;
}
