import { type SearchExpression, SearchSyntaxError } from './search-syntax.ts';

/** A term that compares a field with a value. */
export type Comparison = Extract<SearchExpression, { kind: 'compare' }>;

/** Refuses a term. @throws {SearchSyntaxError} always */
export function unsupported(field: string, operator: string): never {
  throw new SearchSyntaxError(`${field} ${operator} is not supported`);
}

/** `contains` on names matches the start of a word, not any part of it. */
export function startsAWord(text: string, wanted: string): boolean {
  return startsAWordOf(text.toLowerCase(), wanted.toLowerCase());
}

/** The same of texts in small letters. */
export function startsAWordOf(haystack: string, needle: string): boolean {
  for (let at = haystack.indexOf(needle); at !== -1; at = haystack.indexOf(needle, at + 1)) {
    if (at === 0 || !/[\p{L}\p{N}]/u.test(haystack[at - 1] ?? '')) return true;
  }
  return false;
}

/** Compares text for equality, and by `contains` where the field has it. */
export function compareText(
  actual: string,
  { field, operator, value }: Comparison,
  contains?: (actual: string, wanted: string) => boolean,
): boolean {
  if (typeof value !== 'string') return unsupported(field, 'with a truth value');
  if (operator === '=') return actual === value;
  if (operator === '!=') return actual !== value;
  if (operator === 'contains' && contains !== undefined) return contains(actual, value);
  return unsupported(field, operator);
}

/** Compares a truth value. */
export function compareFlag(actual: boolean, { field, operator, value }: Comparison): boolean {
  if (typeof value !== 'boolean') return unsupported(field, 'with text');
  if (operator === '=') return actual === value;
  if (operator === '!=') return actual !== value;
  return unsupported(field, operator);
}

/** Compares numbers or moments by any of the six operators. */
export function compareOrder(actual: number, wanted: number, field: string, operator: string): boolean {
  switch (operator) {
    case '=':
      return actual === wanted;
    case '!=':
      return actual !== wanted;
    case '<':
      return actual < wanted;
    case '<=':
      return actual <= wanted;
    case '>':
      return actual > wanted;
    case '>=':
      return actual >= wanted;
    default:
      return unsupported(field, operator);
  }
}

const HAS_ZONE = /(?:Z|[+-]\d{2}:\d{2})$/;

/** Compares a moment with RFC 3339 text; without an offset it means UTC (Google Drive API, "Search query terms and operators"). */
export function compareTime(actual: string | null, { field, operator, value }: Comparison): boolean {
  const text = typeof value === 'string' ? value : '';
  const moment = text.includes('T') ? text : `${text}T00:00:00`;
  const wanted = Date.parse(HAS_ZONE.test(moment) ? moment : `${moment}Z`);
  if (Number.isNaN(wanted)) return unsupported(field, 'with this time');
  const result = compareOrder(Date.parse(actual ?? ''), wanted, field, operator);
  return actual !== null && result;
}
