import { sha256Hex } from '../core/identifiers.ts';

/** The endpoints of a server: all tools, and those for hosts that cannot show the server's own approval forms (GA-4). */
export const ENDPOINT_KINDS = ['full', 'self'] as const;
export type EndpointKind = (typeof ENDPOINT_KINDS)[number];

/** A tool as its server describes it, with the members that are passed on. */
export interface ServerTool {
  readonly name: string;
  readonly title?: string;
  readonly description: string;
  readonly inputSchema: Readonly<Record<string, unknown>>;
  readonly annotations?: Readonly<Record<string, unknown>>;
}

/** A tool in a pinned list: what was accepted, and what the server says now. */
export interface PinnedTool {
  readonly name: string;
  /** What assistants are offered; undefined for a tool that nobody has accepted. */
  readonly accepted?: ServerTool | undefined;
  /** What the server says now, where it differs; undefined where it does not. */
  readonly waiting?: ServerTool | undefined;
  /** The server lists it no longer. */
  readonly gone?: true | undefined;
}

/** The pinned list of one endpoint. */
export interface PinnedList {
  readonly tools: readonly PinnedTool[];
  readonly fetchedAtEpochSec: number;
  /** Raised by each write, so that two writers do not overwrite each other. */
  readonly version: number;
}

/** Bytes of a list, as JSON, that are kept: an item of the table holds 400 KB. */
export const LIST_MAX_BYTES = 180_000;

/** Digest of what an assistant reads of a tool: name, title, description, schema and hints. Members in any order are the same. */
export function toolHash({ name, title, description, inputSchema, annotations }: ServerTool): string {
  return sha256Hex(JSON.stringify(sorted({ name, title, description, inputSchema, annotations })));
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  return Object.fromEntries(
    members.sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, member]) => [name, sorted(member)]),
  );
}

/**
 * A pinned list after its server was asked. The first list of known tools is what later ones are compared with; from then on, whatever is
 * new or differs waits for an operator (GA-22).
 *
 * @param known names of tools that the gateway has a class for; others always wait
 * @returns the list, and the names of tools that began to wait
 */
export function compared(
  before: PinnedList | undefined,
  now: readonly ServerTool[],
  known: ReadonlySet<string>,
  nowEpochSec: number,
): { readonly list: PinnedList; readonly began: readonly string[] } {
  const former = new Map(before?.tools.map((one) => [one.name, one]));
  const began: string[] = [];
  const listed = now.map((tool): PinnedTool => {
    const pinned = former.get(tool.name);
    const { name } = tool;
    if (before === undefined && known.has(name)) return { name, accepted: tool };
    if (pinned?.accepted !== undefined && toolHash(pinned.accepted) === toolHash(tool)) {
      return { name, accepted: pinned.accepted };
    }
    const isReported = pinned?.waiting !== undefined && toolHash(pinned.waiting) === toolHash(tool);
    if (!isReported && known.has(name)) began.push(name);
    return { name, ...(pinned?.accepted === undefined ? {} : { accepted: pinned.accepted }), waiting: tool };
  });
  const names = new Set(now.map(({ name }) => name));
  // What was accepted stays accepted: a server that drops a tool for an hour asks nobody again.
  const gone = (before?.tools ?? [])
    .filter(({ name, accepted }) => !names.has(name) && accepted !== undefined)
    .map(({ name, accepted }): PinnedTool => ({ name, accepted, gone: true }));
  const list = { tools: [...listed, ...gone], fetchedAtEpochSec: nowEpochSec, version: (before?.version ?? 0) + 1 };
  return { list, began };
}

/** Tools that assistants may be offered: accepted, and described by the server as they were then. */
export function offered({ tools }: PinnedList): readonly ServerTool[] {
  return tools.flatMap(({ accepted, waiting, gone }) =>
    accepted === undefined || waiting !== undefined || gone === true ? [] : [accepted],
  );
}

/**
 * The list after an operator has accepted tools as they are now.
 *
 * @param hashes of what the operator saw, by name: what has changed since is not accepted
 * @returns undefined where one of them is neither waiting nor accepted in this form
 */
export function acceptedBy(list: PinnedList, hashes: Readonly<Record<string, string>>): PinnedList | undefined {
  const waiting = new Map(list.tools.flatMap(({ name, waiting: one }) => (one === undefined ? [] : [[name, one]])));
  const accepted = new Map(list.tools.flatMap((one) => (one.accepted === undefined ? [] : [[one.name, one.accepted]])));
  const isThere = Object.entries(hashes).every(([name, hash]) => {
    // Accepting twice is accepting once.
    const one = waiting.get(name) ?? accepted.get(name);
    return one !== undefined && toolHash(one) === hash;
  });
  if (!isThere) return undefined;
  const tools = list.tools.map(
    (one): PinnedTool =>
      Object.hasOwn(hashes, one.name) && one.waiting !== undefined ? { name: one.name, accepted: one.waiting } : one,
  );
  return { ...list, tools, version: list.version + 1 };
}

/** Reads a server's `tools/list` result as far as it is passed on; undefined for what is no such result. */
export function readToolList(result: unknown): readonly ServerTool[] | undefined {
  if (!isRecord(result) || !Array.isArray(result.tools)) return undefined;
  const tools = result.tools.map(readTool);
  return tools.includes(undefined) ? undefined : (tools as readonly ServerTool[]);
}

function readTool(value: unknown): ServerTool | undefined {
  if (!isRecord(value)) return undefined;
  const { name, title, description = '', inputSchema, annotations } = value;
  if (typeof name !== 'string' || !/^[A-Za-z0-9_.-]{1,128}$/.test(name)) return undefined;
  if (typeof description !== 'string' || !isRecord(inputSchema)) return undefined;
  return {
    name,
    ...(typeof title === 'string' ? { title } : {}),
    description,
    inputSchema,
    ...(isRecord(annotations) ? { annotations } : {}),
  };
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
