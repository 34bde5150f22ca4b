import { isObject, type JsonObject, type ToolResult } from '../../../gateway/server-tools/tool.rules.ts';
import { ToolFailure } from './tool-failure.rules.ts';

/** Characters of one result: what an assistant can take in, some ten thousand tokens. */
export const RESULT_MAX_CHARACTERS = 40_000;
/** Characters of the provider's own text in a failure. */
export const PROVIDER_MESSAGE_MAX_CHARACTERS = 300;

/** Marks what others wrote: data, and no instructions to anyone who reads it (MC-25). */
export const UNTRUSTED = { untrusted: true } as const;

/** A result as data and, for clients that read only texts, as the same in JSON (MC-33). */
export function dataResult(data: JsonObject): ToolResult {
  return {
    content: [{ type: 'text', text: JSON.stringify(data), _meta: UNTRUSTED }],
    structuredContent: data,
    _meta: UNTRUSTED,
  };
}

/** One thing as a result, with its long texts and lists cut where it is larger than a result may be. */
export function itemResult(item: JsonObject): ToolResult {
  const isLarge = JSON.stringify(item).length > RESULT_MAX_CHARACTERS;
  const cutItem: unknown = isLarge ? shortened(item) : item;
  return dataResult(isObject(cutItem) ? cutItem : item);
}

/** A page of a list, and how to continue: the provider's token with what of its page was shown before. */
export interface PageToken {
  /** Items of the provider's page that were shown. */
  readonly skip: number;
  readonly pageSize: number;
  /** The provider's, empty for its first page. */
  readonly token: string;
}

/** Items of one page of the provider's. */
export const PAGE_SIZE_MAX = 100;

const PAGE_TOKEN = /^(\d{1,4})\.(\d{1,4})\.(.*)$/s;

/** @throws ToolFailure for what is no token of ours */
export function readPageToken(sent: string | undefined, pageSize: number): PageToken {
  if (sent === undefined || sent === '') return { skip: 0, pageSize, token: '' };
  const [, skip, size, token = ''] = PAGE_TOKEN.exec(sent) ?? [];
  if (skip === undefined)
    throw new ToolFailure('invalid_arguments', 'page_token must be the next_page_token of a result.');
  // Whatever a token says, it asks for no larger page than an argument can.
  return { skip: Number(skip), pageSize: Math.min(PAGE_SIZE_MAX, Math.max(1, Number(size))), token };
}

/**
 * A list that ends after as many whole items as fit: what does not fit is the beginning of the next page, so nothing is lost.
 *
 * @param name of the list's member
 * @param others members alongside it
 */
export function listResult(
  name: string,
  items: readonly unknown[],
  page: PageToken,
  nextToken: unknown,
  others: JsonObject = {},
): ToolResult {
  const left = items.slice(page.skip);
  // Room for the other members and the token.
  let room = RESULT_MAX_CHARACTERS - JSON.stringify(others).length - 600;
  const shown: unknown[] = [];
  for (const item of left) {
    const cost = JSON.stringify(item).length + 1;
    if (cost > room && shown.length > 0) break;
    shown.push(cost > room ? shortened(item) : item);
    room -= cost;
  }
  const isTruncated = shown.length < left.length;
  const next = isTruncated
    ? `${page.skip + shown.length}.${page.pageSize}.${page.token}`
    : typeof nextToken === 'string' && nextToken !== ''
      ? `0.${page.pageSize}.${nextToken}`
      : undefined;
  return dataResult({
    ...others,
    [name]: shown,
    ...(next === undefined ? {} : { next_page_token: next }),
    ...(isTruncated ? { truncated: true } : {}),
  });
}

/** Members of a list, and characters of a text, that an item keeps which is larger than a whole result. */
const SHORT_LIST = 20;
const SHORT_TEXT = 2_000;

/** One item that is larger than a whole result, with its long texts and lists cut; each says that it is. */
export function shortened(item: unknown): unknown {
  return JSON.parse(
    JSON.stringify(item, (_, value) => {
      if (typeof value === 'string' && value.length > SHORT_TEXT) return `${cut(value, SHORT_TEXT)}… (shortened)`;
      if (!Array.isArray(value) || value.length <= SHORT_LIST + 1) return value;
      return [...value.slice(0, SHORT_LIST), `… and ${value.length - SHORT_LIST} more that are not shown`];
    }),
  );
}

/** Text by code points: none is cut in two. */
export function cut(text: string, characters: number): string {
  return [...text.slice(0, characters * 2)].slice(0, characters).join('');
}

/** Code and status of what a person is to approve first. It is no failure: nothing went wrong. */
export const WAITING = 'waiting_for_approval';

/** A failure as a result that an assistant can act on (MC-34). */
export function failureResult(failure: ToolFailure): ToolResult {
  if (failure.code === WAITING) return dataResult({ ...failure.details, message: failure.message });
  const said = { code: failure.code, message: failure.message, ...failure.details };
  return {
    content: [{ type: 'text', text: JSON.stringify(said), _meta: UNTRUSTED }],
    structuredContent: said,
    isError: true,
    _meta: UNTRUSTED,
  };
}

/** A JSON object of an answer. @throws ToolFailure */
export function jsonBody(body: Uint8Array): JsonObject {
  try {
    const parsed: unknown = JSON.parse(Buffer.from(body).toString('utf8'));
    if (isObject(parsed)) return parsed;
  } catch {
    // Said below.
  }
  throw new ToolFailure('upstream_invalid_response', "The provider's answer is not the JSON that it should be.");
}
