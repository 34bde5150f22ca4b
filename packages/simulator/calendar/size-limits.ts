import { refusal } from '../api/refusals.ts';
import { isRecord } from '../parse.ts';
import { eventObjects, type JsonObject, recurrenceOf } from '../state/calendar.ts';

/** Letters that a text may have: reported of descriptions, and held for the others because their limit is not known. */
const TEXT_MAX = 8_192;

/** Letters that all recurrence lines of an event may have together; the exact limit is not known. */
const RECURRENCE_MAX = 8_192;

/** Google Calendar help, "Invite people to your Calendar event". */
const ATTENDEES_MAX = 200;

/** Google Calendar API, "Extended properties": limits of each kind of properties. */
const PROPERTIES = { count: 300, totalBytes: 32_768, keyLetters: 44, valueLetters: 1_024 };

/**
 * Refuses texts of an event or a calendar that are too long.
 * @throws {ApiError} 400 "A provided value exceeds the allowed size limit."
 */
export function checkSizes(resource: JsonObject): void {
  const texts = ['summary', 'description', 'location', 'summaryOverride'].map((name) => resource[name]);
  const isTooLong =
    texts.some((text) => typeof text === 'string' && text.length > TEXT_MAX) ||
    recurrenceOf(resource).join('\n').length > RECURRENCE_MAX ||
    eventObjects(resource, 'attendees').length > ATTENDEES_MAX;
  if (isTooLong) throw refusal('valueTooLong');
}

/**
 * Extended properties as they are kept: those with too long a name are dropped and too long values are cut, both silently.
 * @throws {ApiError} 400 for too many of them
 */
export function keptProperties(extendedProperties: unknown): JsonObject {
  if (!isRecord(extendedProperties)) return {};
  return Object.fromEntries(
    Object.entries(extendedProperties).map(([kind, properties]) => {
      const entries = Object.entries(isRecord(properties) ? properties : {})
        .filter(([key]) => key.length <= PROPERTIES.keyLetters)
        .map(([key, value]): [string, unknown] => [
          key,
          typeof value === 'string' ? value.slice(0, PROPERTIES.valueLetters) : value,
        ]);
      const bytes = entries.reduce((sum, [key, value]) => sum + Buffer.byteLength(key + String(value)), 0);
      if (entries.length > PROPERTIES.count || bytes > PROPERTIES.totalBytes) throw refusal('valueTooLong');
      return [kind, Object.fromEntries(entries)];
    }),
  );
}
