import { GOOGLE_SCOPE_PREFIX } from '../../../gateway/providers/google/scope-aliases.rules.ts';
import { CALENDAR_TOOLS } from './calendar-tools.ts';
import { DRIVE_TOOLS } from './drive-tools.ts';
import type { Tool } from './tool.ts';

/** Every tool, in the one order in which lists have them. */
export const TOOLS: readonly Tool[] = [...DRIVE_TOOLS, ...CALENDAR_TOOLS];

/** What decides which tools a caller has. */
export interface ToolRights {
  /** Tools that were named; undefined: all. */
  readonly tools: readonly string[] | undefined;
  /** Methods of the provider that limits leave; undefined: all. */
  readonly methods: readonly string[] | undefined;
  /** Of the connection; undefined where there is none yet. */
  readonly grantedScopes: readonly string[] | undefined;
}

/** Whether a caller has a tool of a connection's provider (MC-21). */
export function hasTool({ tools, methods, grantedScopes }: ToolRights, tool: Tool): boolean {
  return (
    (tools === undefined || tools.includes(tool.definition.name)) &&
    (methods === undefined || tool.methods.every((method) => methods.includes(method))) &&
    (grantedScopes === undefined || tool.scopes.some((scope) => grantedScopes.includes(GOOGLE_SCOPE_PREFIX + scope)))
  );
}
