import type { SimAccount } from '../accounts.ts';
import type { DriveFile } from './records.ts';
import { type SearchExpression, SearchSyntaxError } from './search-syntax.ts';

/** What a search needs besides the file itself. */
export interface SearchContext {
  account: SimAccount;
  rootId: string;
  /** Text of a file for `fullText`; empty for files without text. */
  readText(file: DriveFile): string;
}

type Comparison = Extract<SearchExpression, { kind: 'compare' }>;

function unsupported(field: string, operator: string): never {
  throw new SearchSyntaxError(`${field} ${operator} is not supported`);
}

/** `contains` on names matches the start of a word, not any part of it. */
function startsAWord(text: string, wanted: string): boolean {
  const haystack = text.toLowerCase();
  const needle = wanted.toLowerCase();
  for (let at = haystack.indexOf(needle); at !== -1; at = haystack.indexOf(needle, at + 1)) {
    if (at === 0 || !/[\p{L}\p{N}]/u.test(haystack[at - 1] ?? '')) return true;
  }
  return false;
}

function compareText(actual: string, { field, operator, value }: Comparison): boolean {
  if (typeof value !== 'string') return unsupported(field, 'with a truth value');
  if (operator === '=') return actual === value;
  if (operator === '!=') return actual !== value;
  if (operator === 'contains') return field === 'name' ? startsAWord(actual, value) : actual.startsWith(value);
  return unsupported(field, operator);
}

function compareFlag(actual: boolean, { field, operator, value }: Comparison): boolean {
  if (typeof value !== 'boolean') return unsupported(field, 'with text');
  if (operator === '=') return actual === value;
  if (operator === '!=') return actual !== value;
  return unsupported(field, operator);
}

function compareTime(actual: string, { field, operator, value }: Comparison): boolean {
  const wanted =
    typeof value === 'string' ? Date.parse(value.includes('T') ? value : `${value}T00:00:00Z`) : Number.NaN;
  if (Number.isNaN(wanted)) return unsupported(field, 'with this time');
  const difference = Date.parse(actual) - wanted;
  switch (operator) {
    case '=':
      return difference === 0;
    case '!=':
      return difference !== 0;
    case '<':
      return difference < 0;
    case '<=':
      return difference <= 0;
    case '>':
      return difference > 0;
    case '>=':
      return difference >= 0;
    default:
      return unsupported(field, operator);
  }
}

function compare(file: DriveFile, comparison: Comparison, context: SearchContext): boolean {
  switch (comparison.field) {
    case 'name':
      return compareText(file.name, comparison);
    case 'mimeType':
      return compareText(file.mimeType, comparison);
    case 'trashed':
      return compareFlag(file.trashed, comparison);
    case 'starred':
      return compareFlag(file.starred, comparison);
    case 'sharedWithMe':
      return compareFlag(false, comparison);
    case 'createdTime':
      return compareTime(file.createdTime, comparison);
    case 'modifiedTime':
    case 'viewedByMeTime':
      return compareTime(file.modifiedTime, comparison);
    case 'fullText': {
      if (comparison.operator !== 'contains' || typeof comparison.value !== 'string')
        return unsupported('fullText', comparison.operator);
      const phrase = comparison.value.replaceAll('"', '');
      return [file.name, file.description, context.readText(file)].some((text) => startsAWord(text, phrase));
    }
    default:
      return unsupported(comparison.field, comparison.operator);
  }
}

function isIn(file: DriveFile, value: string, collection: string, context: SearchContext): boolean {
  switch (collection) {
    case 'parents':
      return file.parents.includes(value === 'root' ? context.rootId : value);
    case 'owners':
    case 'writers':
    case 'readers':
      return value === 'me' || value.toLowerCase() === context.account.email;
    default:
      return unsupported(collection, 'in');
  }
}

/**
 * Tells whether a file matches a search. Both sides of `and` and `or` are always looked at, so that an unsupported
 * term is refused whatever the data.
 * @throws {SearchSyntaxError} for a field or operator that is not supported
 */
export function matchesSearch(file: DriveFile, expression: SearchExpression, context: SearchContext): boolean {
  switch (expression.kind) {
    case 'and':
    case 'or': {
      const left = matchesSearch(file, expression.left, context);
      const right = matchesSearch(file, expression.right, context);
      return expression.kind === 'and' ? left && right : left || right;
    }
    case 'not':
      return !matchesSearch(file, expression.inner, context);
    case 'compare':
      return compare(file, expression, context);
    case 'in':
      return isIn(file, expression.value, expression.collection, context);
  }
}
