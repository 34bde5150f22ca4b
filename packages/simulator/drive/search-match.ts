import type { SimAccount } from '../accounts.ts';
import { isRecord } from '../parse.ts';
import type { DriveFile, EffectivePermission, Role, UserView } from '../state/drive.ts';
import { isAtLeast, isFor } from './permissions.ts';
import { type SearchExpression, SearchSyntaxError } from './search-syntax.ts';

/** What a search needs besides the file itself. */
export interface SearchContext {
  account: SimAccount;
  rootId: string;
  /** The folder of the calling app's own data. */
  appDataId: string;
  /** Text of a file for `fullText`; empty for files without text. */
  readText(file: DriveFile): string;
  permissionsOf(file: DriveFile): readonly EffectivePermission[];
  isTrashed(file: DriveFile): boolean;
  viewOf(file: DriveFile): UserView;
  labelIdsOf(file: DriveFile): readonly string[];
  /** Of the calling app. */
  appPropertiesOf(file: DriveFile): unknown;
}

type Comparison = Extract<SearchExpression, { kind: 'compare' }>;
type Has = Extract<SearchExpression, { kind: 'has' }>;

function unsupported(field: string, operator: string): never {
  throw new SearchSyntaxError(`${field} ${operator} is not supported`);
}

/** `contains` on names matches the start of a word, not any part of it. */
export function startsAWord(text: string, wanted: string): boolean {
  const haystack = text.toLowerCase();
  const needle = wanted.toLowerCase();
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

/** How widely a file is open, in the words of the query term `visibility`. */
function visibilityOf(permissions: readonly EffectivePermission[]): string {
  const records = permissions.map(({ record }) => record);
  const anyone = records.filter(({ type }) => type === 'anyone');
  const domain = records.filter(({ type }) => type === 'domain');
  if (anyone.length > 0) return anyone.some((one) => one.allowFileDiscovery) ? 'anyoneCanFind' : 'anyoneWithLink';
  if (domain.length > 0) return domain.some((one) => one.allowFileDiscovery) ? 'domainCanFind' : 'domainWithLink';
  return 'limited';
}

function matchesFullText(file: DriveFile, { operator, value }: Comparison, context: SearchContext): boolean {
  if (operator !== 'contains' || typeof value !== 'string') return unsupported('fullText', operator);
  const hints = isRecord(file.extra.contentHints) ? file.extra.contentHints.indexableText : undefined;
  const texts = [file.name, file.description, typeof hints === 'string' ? hints : '', context.readText(file)];
  const phrase = /^"(?<inner>.*)"$/s.exec(value)?.groups?.inner;
  if (phrase !== undefined) return texts.some((text) => startsAWord(text, phrase));
  const words = value.split(/\s+/).filter((word) => word !== '');
  return words.every((word) => texts.some((text) => startsAWord(text, word.replaceAll('"', ''))));
}

function compare(file: DriveFile, comparison: Comparison, context: SearchContext): boolean {
  const view = context.viewOf(file);
  switch (comparison.field) {
    case 'name':
      return compareText(file.name, comparison, startsAWord);
    case 'mimeType':
      return compareText(file.mimeType, comparison, (actual, wanted) => actual.startsWith(wanted));
    case 'trashed':
      return compareFlag(context.isTrashed(file), comparison);
    case 'starred':
      return compareFlag(view.starred, comparison);
    case 'sharedWithMe':
      return compareFlag(view.sharedTime !== null && file.driveId === null, comparison);
    case 'createdTime':
      return compareTime(file.createdTime, comparison);
    case 'modifiedTime':
      return compareTime(file.modifiedTime, comparison);
    case 'viewedByMeTime':
      return compareTime(view.viewedTime, comparison);
    case 'sharedWithMeTime':
      return compareTime(view.sharedTime, comparison);
    case 'visibility': {
      const known = ['anyoneCanFind', 'anyoneWithLink', 'domainCanFind', 'domainWithLink', 'limited'];
      if (typeof comparison.value !== 'string' || !known.includes(comparison.value)) {
        return unsupported('visibility', 'with this value');
      }
      return compareText(visibilityOf(context.permissionsOf(file)), comparison);
    }
    case 'shortcutDetails.targetId': {
      const details = file.extra.shortcutDetails;
      const target = isRecord(details) && typeof details.targetId === 'string' ? details.targetId : '';
      return compareText(target, comparison);
    }
    case 'fullText':
      return matchesFullText(file, comparison, context);
    default:
      return unsupported(comparison.field, comparison.operator);
  }
}

function hasRole(file: DriveFile, value: string, wanted: Role, context: SearchContext): boolean {
  const address = (value === 'me' ? context.account.email : value).toLowerCase();
  return context.permissionsOf(file).some(({ record, role }) => {
    const isNamed = record.emailAddress?.toLowerCase() === address || record.domain === address;
    const isMine = value === 'me' && record.type === 'group' && isFor(record, context.account);
    return (isNamed || isMine) && isAtLeast(role, wanted) && (wanted !== 'owner' || role === 'owner');
  });
}

function isIn(file: DriveFile, value: string, collection: string, context: SearchContext): boolean {
  switch (collection) {
    case 'parents': {
      const special: Readonly<Record<string, string>> = { root: context.rootId, appDataFolder: context.appDataId };
      return file.parents.includes(Object.hasOwn(special, value) ? (special[value] ?? value) : value);
    }
    case 'owners':
      return hasRole(file, value, 'owner', context);
    case 'writers':
      return hasRole(file, value, 'writer', context);
    case 'readers':
      return hasRole(file, value, 'reader', context);
    case 'labels':
      return context.labelIdsOf(file).includes(value.replace(/^labels\//, ''));
    default:
      return unsupported(collection, 'in');
  }
}

function hasProperty(file: DriveFile, { collection, key, value }: Has, context: SearchContext): boolean {
  if (collection !== 'properties' && collection !== 'appProperties') return unsupported(collection, 'has');
  const properties = collection === 'properties' ? file.extra.properties : context.appPropertiesOf(file);
  return isRecord(properties) && properties[key] === value;
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
    case 'has':
      return hasProperty(file, expression, context);
  }
}
