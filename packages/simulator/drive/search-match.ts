import type { SimAccount } from '../accounts.ts';
import { isRecord } from '../parse.ts';
import type { DriveFile, EffectivePermission, LabelRecord, Role, UserView } from '../state/drive.ts';
import { isAtLeast, isFor } from './permissions.ts';
import {
  type Comparison,
  compareFlag,
  compareText,
  compareTime,
  startsAWord,
  startsAWordOf,
  unsupported,
} from './search-compare.ts';
import { isInLabelField, isLabelField, labelFieldOf, matchesLabelField } from './search-labels.ts';
import type { SearchExpression } from './search-syntax.ts';

/** What a search needs in addition to the file itself. */
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
  labelsOf(file: DriveFile): readonly LabelRecord[];
  /** Of the calling app. */
  appPropertiesOf(file: DriveFile): unknown;
}

type Has = Extract<SearchExpression, { kind: 'has' }>;

/** How widely a file is open, in the words of the query term `visibility`. */
function visibilityOf(permissions: readonly EffectivePermission[]): string {
  const records = permissions.map(({ record }) => record);
  const anyone = records.filter(({ type }) => type === 'anyone');
  const domain = records.filter(({ type }) => type === 'domain');
  if (anyone.length > 0) return anyone.some((one) => one.allowFileDiscovery) ? 'anyoneCanFind' : 'anyoneWithLink';
  if (domain.length > 0) return domain.some((one) => one.allowFileDiscovery) ? 'domainCanFind' : 'domainWithLink';
  return 'limited';
}

const textsOfSearch = new WeakMap<SearchContext, Map<string, readonly string[]>>();

/** What `fullText` looks into, in small letters; kept during a search, each of whose terms asks for it. */
function textsOf(file: DriveFile, context: SearchContext): readonly string[] {
  const ofSearch = textsOfSearch.get(context) ?? new Map<string, readonly string[]>();
  textsOfSearch.set(context, ofSearch);
  const known = ofSearch.get(file.id);
  if (known !== undefined) return known;
  const hints = isRecord(file.extra.contentHints) ? file.extra.contentHints.indexableText : undefined;
  const texts = [file.name, file.description, typeof hints === 'string' ? hints : '', context.readText(file)];
  const small = texts.map((text) => text.toLowerCase());
  ofSearch.set(file.id, small);
  return small;
}

function matchesFullText(file: DriveFile, { operator, value }: Comparison, context: SearchContext): boolean {
  if (operator !== 'contains' || typeof value !== 'string') return unsupported('fullText', operator);
  const texts = textsOf(file, context);
  const phrase = /^"(?<inner>.*)"$/s.exec(value)?.groups?.inner;
  if (phrase !== undefined) return texts.some((text) => startsAWordOf(text, phrase.toLowerCase()));
  const words = value.toLowerCase().replaceAll('"', '').split(/\s+/);
  return words.filter((word) => word !== '').every((word) => texts.some((text) => startsAWordOf(text, word)));
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
    default: {
      const { field } = comparison;
      if (!isLabelField(field)) return unsupported(field, comparison.operator);
      return matchesLabelField(labelFieldOf(context.labelsOf(file), field), comparison);
    }
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
      return context.labelsOf(file).some(({ id }) => id === value.replace(/^labels\//, ''));
    default:
      if (!isLabelField(collection)) return unsupported(collection, 'in');
      return isInLabelField(labelFieldOf(context.labelsOf(file), collection), collection, value);
  }
}

function hasProperty(file: DriveFile, { collection, key, value }: Has, context: SearchContext): boolean {
  if (collection !== 'properties' && collection !== 'appProperties') return unsupported(collection, 'has');
  const properties = collection === 'properties' ? file.extra.properties : context.appPropertiesOf(file);
  return isRecord(properties) && properties[key] === value;
}

/**
 * Shows whether a file matches a search. Both sides of `and` and `or` are always looked at, so that an unsupported
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
    case 'null':
      if (!isLabelField(expression.field)) return unsupported(expression.field, 'is null');
      return labelFieldOf(context.labelsOf(file), expression.field) === undefined;
    case 'in':
      return isIn(file, expression.value, expression.collection, context);
    case 'has':
      return hasProperty(file, expression, context);
  }
}
