import type { ArgumentSchema, ToolDefinition } from '../../../gateway/server-tools/tool.rules.ts';

/** Ids of files, events and calendars: none can be a path. */
export const FILE_ID = '^[A-Za-z0-9_-]{2,128}$';
export const EVENT_ID = '^[A-Za-z0-9_-]{1,1024}$';
export const CALENDAR_ID = '^[^/\\\\\\s?]{1,254}$';

export function string(description?: string, more: { readonly pattern?: string; readonly maxLength?: number } = {}) {
  return { type: 'string', ...(description === undefined ? {} : { description }), ...more } as const;
}

export function choice(values: readonly string[], description?: string) {
  return { type: 'string', enum: values, ...(description === undefined ? {} : { description }) } as const;
}

export function whole(minimum: number, maximum: number, description?: string) {
  return { type: 'integer', minimum, maximum, ...(description === undefined ? {} : { description }) } as const;
}

export function bool(description: string) {
  return { type: 'boolean', description } as const;
}

type Kind = 'reads' | 'adds' | 'adds and mails' | 'changes' | 'changes and mails';
type Hints = Required<ToolDefinition>['annotations'];

const ADDS = { readOnlyHint: false, destructiveHint: false } as const;
const CHANGES = { readOnlyHint: false, destructiveHint: true, idempotentHint: true } as const;

/**
 * Read only; adds and harms nothing that is there; changes or removes, and twice does no more than once. The world is open where Google
 * can mail other people.
 */
const ANNOTATIONS: Readonly<Record<Kind, Hints>> = {
  reads: { readOnlyHint: true, openWorldHint: false },
  adds: { ...ADDS, openWorldHint: false },
  'adds and mails': { ...ADDS, openWorldHint: true },
  changes: { ...CHANGES, openWorldHint: false },
  'changes and mails': { ...CHANGES, openWorldHint: true },
};

/** A tool's definition. @param properties those whose name ends in `!` are required */
export function definition(
  name: string,
  title: string,
  kind: Kind,
  description: string,
  properties: Readonly<Record<string, ArgumentSchema>>,
): ToolDefinition {
  const required = Object.keys(properties).filter((key) => key.endsWith('!'));
  const plain = Object.entries(properties).map(([key, schema]) => [key.replace('!', ''), schema] as const);
  return {
    name,
    title,
    description,
    inputSchema: {
      type: 'object',
      properties: Object.fromEntries(plain),
      ...(required.length === 0 ? {} : { required: required.map((key) => key.replace('!', '')) }),
      additionalProperties: false,
    },
    annotations: ANNOTATIONS[kind],
  };
}
