/** Fields of labels in a search (Google Drive API, "Search for files with a specific label or field value"). */
import { isRecord } from '../parse.ts';
import type { LabelRecord } from '../state/drive.ts';
import { type Comparison, compareOrder, compareText, compareTime, startsAWord, unsupported } from './search-compare.ts';

/** A field of a label as it is kept: its type, and under the type's name its values. */
type LabelField = LabelRecord['fields'][string];

const LABEL_FIELD = /^labels\/(?<labelId>[^.]+)\.(?<fieldId>.+)$/;

/** True for a term such as `labels/contract.status`. */
export function isLabelField(term: string): boolean {
  return LABEL_FIELD.test(term);
}

/** The field that a term names; `undefined` where the file has not the label, or the label not the field. */
export function labelFieldOf(labels: readonly LabelRecord[], term: string): LabelField | undefined {
  const { labelId, fieldId } = LABEL_FIELD.exec(term)?.groups ?? {};
  const fields = labels.find(({ id }) => id === labelId)?.fields ?? {};
  return fieldId !== undefined && Object.hasOwn(fields, fieldId) ? fields[fieldId] : undefined;
}

/** The values as text: an address for each user. */
function valuesOf(field: LabelField): string[] {
  const values: unknown = field[String(field.valueType)];
  const texts = (Array.isArray(values) ? values : []).map((value: unknown) =>
    isRecord(value) ? value.emailAddress : value,
  );
  return texts.filter((value) => typeof value === 'string');
}

/** A term that no type of field takes, refused whatever the files have. @throws {SearchSyntaxError} */
function requireForm({ field, operator, value }: Comparison): void {
  const orders = ['=', '!=', '<', '<=', '>', '>='];
  if (typeof value === 'number' && orders.includes(operator)) return;
  if (typeof value === 'string' && [...orders, 'contains', 'starts with'].includes(operator)) return;
  unsupported(field, operator);
}

/**
 * Compares the one value of a field by the rules of its type. A file without the field matches nothing, `!=` included.
 * @throws {SearchSyntaxError} for an operator or a value that the field's type has not, and for fields of several values
 */
export function matchesLabelField(field: LabelField | undefined, comparison: Comparison): boolean {
  requireForm(comparison);
  if (field === undefined) return false;
  const [actual, ...more] = valuesOf(field);
  const { field: term, operator, value } = comparison;
  if (actual === undefined) return false;
  if (more.length > 0) return unsupported(term, `${operator}, but only in, for several values`);
  switch (field.valueType) {
    case 'integer':
      return typeof value === 'number'
        ? compareOrder(Number(actual), value, term, operator)
        : unsupported(term, 'text');
    case 'dateString':
      return compareTime(actual, comparison);
    case 'text':
      if (operator === '!=') return unsupported(term, operator);
      if (operator !== 'starts with') return compareText(actual, comparison, startsAWord);
      return actual.toLowerCase().startsWith(String(value).toLowerCase());
    default:
      return compareText(actual, comparison);
  }
}

/** `'value' in labels/label.field`: for fields that can have several values. @throws {SearchSyntaxError} for other types */
export function isInLabelField(field: LabelField | undefined, term: string, value: string): boolean {
  if (field === undefined) return false;
  if (field.valueType !== 'selection' && field.valueType !== 'user') return unsupported(term, 'in');
  return valuesOf(field).includes(value);
}
