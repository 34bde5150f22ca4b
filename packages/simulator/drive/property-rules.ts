import { badRequest } from '../api/envelope.ts';
import { refusal } from '../api/refusals.ts';
import { isRecord } from '../parse.ts';

/** Google Drive API, "Add custom file properties". */
const PROPERTIES = {
  /** Of a property's name and value together, in UTF-8. */
  bytes: 124,
  /** Properties of a file that everybody sees, and those of one app. */
  ofOneKind: 30,
  /** Properties of a file from all sources. */
  ofFile: 100,
};

function count(properties: unknown): number {
  return isRecord(properties) ? Object.keys(properties).length : 0;
}

/**
 * Lays properties over those there are; `null` removes one, or all of them.
 * @throws {ApiError} 403 for a property that is too long, and for too many of them
 */
export function mergeProperties(name: string, present: unknown, wanted: unknown): Record<string, unknown> {
  if (wanted === null) return {};
  if (!isRecord(wanted)) throw badRequest(`Invalid value at '${name}': an object is wanted.`);
  const merged: Record<string, unknown> = isRecord(present) ? { ...present } : {};
  for (const [key, value] of Object.entries(wanted)) {
    if (value === null) {
      delete merged[key];
      continue;
    }
    if (typeof value !== 'string') throw badRequest(`Invalid value at '${name}.${key}': text is wanted.`);
    if (Buffer.byteLength(key) + Buffer.byteLength(value) > PROPERTIES.bytes) throw refusal('propertyTooLong');
    merged[key] = value;
  }
  if (count(merged) > PROPERTIES.ofOneKind) throw refusal('tooManyProperties');
  return merged;
}

/**
 * Refuses a file that has too many properties from all sources together.
 * @param extra members of the file, with `properties` and, by Cloud project, `appProperties`
 */
export function checkPropertyCount(extra: Record<string, unknown>): void {
  const ofApps = isRecord(extra.appProperties) ? Object.values(extra.appProperties) : [];
  const all = [extra.properties, ...ofApps].reduce<number>((sum, properties) => sum + count(properties), 0);
  if (all > PROPERTIES.ofFile) throw refusal('tooManyProperties');
}
