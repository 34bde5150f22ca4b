import type { AgentsState, ToolChange } from '../state/agents.ts';
import { CALENDAR_TOOLS } from './calendar-tools.ts';
import { DRIVE_TOOLS, LATER_DRIVE_TOOLS } from './drive-tools.ts';
import type { McpTool } from './tool.ts';

/** One of Google's MCP servers. */
export interface McpServer {
  /** Its host at Google, which is the first part of its path here and the name of its service. */
  readonly host: string;
  readonly title: string;
  /** The service of the REST API, which the Cloud project needs as well. */
  readonly apiService: string;
  readonly tools: readonly McpTool[];
  /** Tools that it does not offer until a control request says so. */
  readonly later: readonly McpTool[];
}

/** Google's MCP servers that the simulator stands for. */
export const MCP_SERVERS: readonly McpServer[] = [
  {
    host: 'drivemcp.googleapis.com',
    title: 'Google Drive MCP server',
    apiService: 'drive.googleapis.com',
    tools: DRIVE_TOOLS,
    later: LATER_DRIVE_TOOLS,
  },
  {
    host: 'calendarmcp.googleapis.com',
    title: 'Google Calendar MCP server',
    apiService: 'calendar-json.googleapis.com',
    tools: CALENDAR_TOOLS,
    later: [],
  },
];

/** Services that a Cloud project may enable. */
export const SERVICES: readonly string[] = MCP_SERVERS.flatMap(({ host, apiService }) => [apiService, host]);

/** What a path below a server's host means. */
export interface McpPath {
  readonly server: McpServer;
  /** Path at Google. */
  readonly path: string;
}

/** The MCP server of a path; `undefined` for a path of anything else. */
export function mcpPath(path: string): McpPath | undefined {
  const server = MCP_SERVERS.find(({ host }) => path.startsWith(`/${host}/`));
  return server === undefined ? undefined : { server, path: path.slice(server.host.length + 1) };
}

/** Path of a server's endpoint here. */
export function mcpEndpointPath(host: string): string {
  return `/${host}/mcp/v1`;
}

/** The tools that a server offers now: its own, as control requests have changed them, and those that were added. */
export function toolsOf({ toolChanges }: AgentsState, server: McpServer): readonly McpTool[] {
  const changes = new Map(toolChanges.filter((one) => one.server === server.host).map((one) => [one.name, one]));
  const known = [...server.tools, ...server.later];
  const offered = known.filter(
    ({ name }) => changes.get(name)?.offered ?? server.tools.some((one) => one.name === name),
  );
  const names = new Set(known.map(({ name }) => name));
  const added = [...changes.values()].filter(({ name, offered: isOffered }) => !names.has(name) && isOffered !== false);
  return [
    ...offered.map((tool) => changedTool(tool, changes.get(tool.name))),
    ...added.map((one) => addedTool(server, one)),
  ];
}

function changedTool(tool: McpTool, change: ToolChange | undefined): McpTool {
  const { description = tool.description, requests = tool.requests } = change ?? {};
  return { ...tool, description, requests };
}

/** A tool of which nothing is known but what the control request says: it reads, and answers that. */
function addedTool({ tools }: McpServer, { name, description, requests, answer }: ToolChange): McpTool {
  return {
    name,
    title: name,
    description: description ?? 'Added by a control request.',
    effect: 'read',
    scopes: tools[0]?.scopes ?? [],
    requests: requests ?? 1,
    self: false,
    inputSchema: { type: 'object', properties: {} },
    run: async () => answer ?? {},
  };
}
