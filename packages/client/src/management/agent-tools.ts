import { fieldsOf, optionalFields, optionalText, recordList, text, type Unread } from '../http/fields.ts';
import type * as wire from './wire.ts';

/** A tool of a provider's own MCP server in one of its forms. */
export interface DescribedTool {
  /** SHA-256 of all that assistants read of it. */
  readonly hash: string;
  readonly description: string;
}

/** A tool of a provider's own MCP server. */
export interface AgentTool {
  readonly name: string;
  /** As assistants see it; undefined: it is never offered. */
  readonly offeredAs: string | undefined;
  /** `read`, `write`, `delete` or `share`; undefined for a tool that the gateway does not know and refuses. */
  readonly class: string | undefined;
  /** `offered`, `changed` or `new` (both hidden until they are accepted), `unknown` or `gone`. */
  readonly state: string;
  readonly accepted: DescribedTool | undefined;
  /** What the server says now, where it waits to be accepted. */
  readonly waiting: DescribedTool | undefined;
}

/** The tools of one endpoint of a provider's MCP server. */
export interface AgentToolList {
  readonly provider: string;
  /** `full`: for clients that can show Google's forms; `self`: for all others. */
  readonly endpoint: string;
  /** ISO 8601 UTC. */
  readonly fetchedAt: string;
  readonly tools: readonly AgentTool[];
}

/** A list of tools. @throws UnexpectedAnswerError */
export function readToolList(fields: Unread<wire.AgentToolList>): AgentToolList {
  return {
    provider: text(fields, 'provider'),
    endpoint: text(fields, 'endpoint'),
    fetchedAt: text(fields, 'fetched_at'),
    tools: recordList(fields, 'tools').map((tool) => ({
      name: text(tool, 'name'),
      offeredAs: optionalText(tool, 'offered_as'),
      class: optionalText(tool, 'class'),
      state: text(tool, 'state'),
      accepted: readDescribed(optionalFields(tool, 'accepted')),
      waiting: readDescribed(optionalFields(tool, 'waiting')),
    })),
  };
}

/** Lists of tools. @throws UnexpectedAnswerError */
export function readToolLists(answer: Unread<wire.AgentToolLists>): AgentToolList[] {
  return recordList(answer, 'data').map(readToolList);
}

/** One list as an answer has it. @throws UnexpectedAnswerError */
export function readAcceptedTools(answer: Unread<wire.AcceptedAgentTools>): AgentToolList {
  return readToolList(fieldsOf(answer.data, 'data'));
}

function readDescribed(fields: Unread<wire.AgentTool['accepted']> | undefined): DescribedTool | undefined {
  return fields === undefined || fields === null
    ? undefined
    : { hash: text(fields, 'hash'), description: text(fields, 'description') };
}
