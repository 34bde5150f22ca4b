import type { ResponsibleParty } from '../../core/grant-death.ts';

/** What Google's error envelope says, as far as a cause is judged by it. */
export interface ToolServerRefusal {
  readonly status: number;
  readonly reasons: ReadonlySet<string>;
  readonly message: string;
  /** Service that an error is about, such as `drivemcp.googleapis.com`. */
  readonly service: string | undefined;
  /** Of a quota. */
  readonly quotaLimit: string;
}

/** A cause of its own, with who can fix it (GA-23). */
interface ToolServerCause {
  readonly code: string;
  readonly who: ResponsibleParty;
  readonly message: (refused: ToolServerRefusal) => string;
  readonly is: (refused: ToolServerRefusal) => boolean;
}

/** Whether an answer refuses a request because the day is used up, for which the gateway stops all keys until the next one. */
export function isToolDayUsedUp(status: number, body: Uint8Array): boolean {
  return status === 429 && /"quota_limit"\s*:\s*"[^"]*PerDay/i.test(Buffer.from(body).toString('utf8'));
}

/**
 * The first that fits counts. Google has documented the form of these errors and not their words, so each is judged by what Google's APIs
 * say elsewhere (`google.rpc.ErrorInfo`); what fits none is passed on in Google's words.
 */
export const TOOL_SERVER_CAUSES: readonly ToolServerCause[] = [
  {
    code: 'client_not_agentic',
    who: 'developer',
    is: ({ status, reasons, message }) =>
      status === 403 && (reasons.has('CLIENT_NOT_AGENTIC') || /agentic|AI-powered agent/i.test(message)),
    message: () =>
      'Google says that the OAuth client is not marked for AI agents. The mark cannot be set later: the developer creates a marked client and another integration, and the user connects there.',
  },
  {
    code: 'service_not_enabled',
    who: 'developer',
    is: ({ status, reasons }) =>
      status === 403 && (reasons.has('SERVICE_DISABLED') || reasons.has('accessNotConfigured')),
    message: ({ service }) =>
      `The Cloud project of the OAuth client has not enabled ${service ?? 'the API or its MCP server'}. The developer enables it in the Google Cloud console.`,
  },
  {
    code: 'not_rolled_out',
    who: 'developer',
    is: ({ status }) => status === 404 || status === 501,
    message: () =>
      'Google’s MCP server is not there for this project. Google rolls it out over some days: try again later.',
  },
  {
    code: 'blocked_by_admin',
    who: 'workspace_admin',
    is: ({ status, reasons, message }) =>
      status === 403 &&
      (['domainPolicy', 'ADMIN_POLICY_ENFORCED', 'SECURITY_POLICY_VIOLATED'].some((one) => reasons.has(one)) ||
        /administrator|admin policy/i.test(message)),
    message: () => 'A policy of the user’s Workspace administrator forbids this. Only the administrator can change it.',
  },
  {
    code: 'daily_quota_used',
    who: 'developer',
    is: ({ status, quotaLimit }) => status === 429 && /perday/i.test(quotaLimit),
    message: () =>
      'The Cloud project has used its requests to this MCP server for today. Google’s day ends at midnight Pacific Time.',
  },
];
