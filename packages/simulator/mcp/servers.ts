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
