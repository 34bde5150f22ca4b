import type { InsideAnswer, InsideCall } from '../api/call-inside.ts';

/** What one argument of a tool may be: the part of JSON Schema that the tools here use. */
export type ArgumentSchema =
  | { readonly type: 'string'; readonly description: string; readonly enum?: readonly string[] }
  | { readonly type: 'integer' | 'boolean'; readonly description: string }
  | { readonly type: 'array'; readonly description: string; readonly items: { readonly type: 'string' } };

/** What a tool takes. */
export interface InputSchema {
  readonly type: 'object';
  readonly properties: Readonly<Record<string, ArgumentSchema>>;
  readonly required?: readonly string[];
}

/** A call of a tool that may run. */
export interface ToolRun {
  readonly args: Readonly<Record<string, unknown>>;
  readonly nowMs: number;
  /** Calls Drive or Calendar as the caller. @throws {ToolError} with what the API says against it */
  api(call: Omit<InsideCall, 'accessToken'>): Promise<InsideAnswer>;
}

/** A tool of one of Google's MCP servers. */
export interface McpTool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** What it does to data; hints for hosts and the user's approval go by it. */
  readonly effect: 'read' | 'create' | 'change' | 'delete';
  /** Short names of scopes, any one of which suffices. */
  readonly scopes: readonly string[];
  /** Requests of the day's quota that a call counts as. */
  readonly requests: number;
  /** True when `/mcp/v1self` offers it as well. */
  readonly self: boolean;
  readonly inputSchema: InputSchema;
  run(call: ToolRun): Promise<Readonly<Record<string, unknown>>>;
}

/** Why a tool could not do its work; the model reads the message. */
export class ToolError extends Error {}

/** The result that says why a tool did not do its work. */
export function errorResult(message: string): Readonly<Record<string, unknown>> {
  return { content: [{ type: 'text', text: message }], isError: true };
}

/** Text argument; `undefined` when it was left out. */
export function textArgument({ args }: ToolRun, name: string): string | undefined {
  const value = args[name];
  return typeof value === 'string' ? value : undefined;
}

/** Text argument that the schema requires. */
export function requiredText(call: ToolRun, name: string): string {
  const value = textArgument(call, name);
  if (value === undefined || value === '') throw new ToolError(`Argument ${name} must not be empty.`);
  return value;
}

/** Whole number that an argument holds, or `fallback`. */
export function numberArgument({ args }: ToolRun, name: string, fallback: number): number {
  const value = args[name];
  return typeof value === 'number' ? value : fallback;
}

/** Texts of a list argument; `undefined` when it was left out. */
export function textsArgument({ args }: ToolRun, name: string): string[] | undefined {
  const value = args[name];
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : undefined;
}

/** Query of a target from the members that have a value. */
export function queryOf(members: Readonly<Record<string, string | number | boolean | undefined>>): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(members)) if (value !== undefined) query.set(name, String(value));
  return query.size === 0 ? '' : `?${query}`;
}

/** The members of a resource that a tool shows, those that are absent left out. */
export function pickMembers(
  resource: Readonly<Record<string, unknown>>,
  names: readonly string[],
): Record<string, unknown> {
  return Object.fromEntries(names.flatMap((name) => (resource[name] === undefined ? [] : [[name, resource[name]]])));
}

/** What is wrong with the arguments of a call, or nothing. */
export function argumentProblem(
  { properties, required = [] }: InputSchema,
  args: Readonly<Record<string, unknown>>,
): string | undefined {
  const missing = required.find((name) => args[name] === undefined);
  if (missing !== undefined) return `Argument ${missing} is missing.`;
  for (const [name, value] of Object.entries(args)) {
    const schema = Object.hasOwn(properties, name) ? properties[name] : undefined;
    if (schema === undefined) return `There is no argument ${name}.`;
    if (!fits(schema, value)) return `Argument ${name} must be ${wanted(schema)}.`;
  }
  return undefined;
}

function fits(schema: ArgumentSchema, value: unknown): boolean {
  switch (schema.type) {
    case 'string':
      return typeof value === 'string' && (schema.enum === undefined || schema.enum.includes(value));
    case 'integer':
      return Number.isSafeInteger(value);
    case 'boolean':
      return typeof value === 'boolean';
    case 'array':
      return Array.isArray(value) && value.every((one) => typeof one === 'string');
  }
}

function wanted(schema: ArgumentSchema): string {
  if (schema.type === 'string' && schema.enum !== undefined) return `one of ${schema.enum.join(', ')}`;
  return { string: 'text', integer: 'a whole number', boolean: 'true or false', array: 'a list of texts' }[schema.type];
}

/** An argument that is text. */
export function string(description: string, values?: readonly string[]): ArgumentSchema {
  return { type: 'string', description, ...(values === undefined ? {} : { enum: values }) };
}

/** An argument that is a whole number. */
export function integer(description: string): ArgumentSchema {
  return { type: 'integer', description };
}

/** An argument that is true or false. */
export function boolean(description: string): ArgumentSchema {
  return { type: 'boolean', description };
}

/** An argument that is a list of texts. */
export function strings(description: string): ArgumentSchema {
  return { type: 'array', description, items: { type: 'string' } };
}
