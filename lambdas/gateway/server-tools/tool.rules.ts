/** Tools as agents list and call them, and what calls of them lead to. */

export type JsonObject = Readonly<Record<string, unknown>>;

/** Whether a value is a JSON object. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** What a tool takes: the part of JSON Schema that tools here use. */
export type ArgumentSchema =
  | {
      readonly type: 'string';
      readonly description?: string;
      readonly enum?: readonly string[];
      readonly pattern?: string;
      readonly maxLength?: number;
    }
  | { readonly type: 'integer'; readonly description?: string; readonly minimum: number; readonly maximum: number }
  | { readonly type: 'boolean'; readonly description?: string }
  | {
      readonly type: 'array';
      readonly description?: string;
      readonly maxItems: number;
      readonly items: ArgumentSchema;
    };

/** A tool as `tools/list` has it. */
export interface ToolDefinition {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: {
    readonly type: 'object';
    readonly properties: Readonly<Record<string, ArgumentSchema | JsonObject>>;
    readonly required?: readonly string[];
    readonly additionalProperties?: false;
  };
  /** Hints, which hold nobody to anything: what a key may do its limits say. */
  readonly annotations?: {
    readonly readOnlyHint: boolean;
    readonly destructiveHint?: boolean;
    readonly idempotentHint?: boolean;
    readonly openWorldHint: boolean;
  };
}

export interface TextContent {
  readonly type: 'text';
  readonly text: string;
  readonly _meta?: JsonObject;
}

/** What a tool answers. */
export interface ToolResult {
  readonly content: readonly TextContent[];
  readonly structuredContent?: JsonObject;
  readonly isError?: true;
  readonly _meta?: JsonObject;
}

/** Instead of an answer, a question to the person at a client that can ask it. */
export interface InputRequired {
  readonly inputRequests: JsonObject;
  readonly requestState: string;
}

export type ToolOutcome =
  | { readonly result: ToolResult }
  /** A result of the provider's own server, as it came. */
  | { readonly passed: JsonObject }
  | { readonly question: InputRequired };

/** A tool in a list; what its arguments are, another server may say in any JSON Schema. */
export interface ListedTool {
  readonly name: string;
  readonly title?: string;
  readonly description: string;
  readonly inputSchema: object;
  readonly annotations?: object;
}

/** A tool that is to be called. */
export interface ToolCall {
  readonly name: string;
  readonly args: JsonObject;
  /** What the client of this very request can do; empty for clients of versions with a handshake, which say it once elsewhere. */
  readonly clientCapabilities: JsonObject;
  /** What came with a repeat after a question; nothing in it is believed. */
  readonly requestState: string | undefined;
  /** Answers to the questions of that repeat, for the server that asked them; the gateway reads none. */
  readonly inputResponses?: JsonObject | undefined;
  /** The person did not go where the question asked them to. */
  readonly wasDeclined: boolean;
}

/** A place to wait at, for a call that a person has to decide on: the caller holds it, and gives it back. */
export interface HeldWait {
  readonly place: number;
  /** Until when the place is taken, whatever becomes of the wait. */
  readonly takenUntilMs: number;
  /** How long to wait at most. */
  readonly waitMs: number;
}

/** How far a call is ("Progress", 2026-07-28). */
export interface Progress {
  readonly progress: number;
  readonly total?: number;
  readonly message?: string;
}

/** Takes how far a call is, whenever that changes. */
export type ReportProgress = (progress: Progress) => void;

/** The tools of a server, for one caller. */
export interface ToolSet {
  /** @param clientCapabilities as a call has them */
  list(clientCapabilities: JsonObject): Promise<readonly ListedTool[]>;
  /** Undefined where the caller has no such tool. @param report absent where nobody wants to know how far the call is */
  call(call: ToolCall, report?: ReportProgress): Promise<ToolOutcome | undefined>;
}
