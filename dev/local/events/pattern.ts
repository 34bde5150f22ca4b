/** EventBridge patterns as far as triggers and rules use them: exact values in nested objects. */
import { isObject, type Json } from '../../tools/json.ts';

/**
 * Refuses every pattern that holds more than exact values.
 * @throws Error naming the operator and its path, `prefix`, `exists` and the like among them.
 */
export function requireExactPattern(pattern: Json, where: string): void {
  if (!isObject(pattern)) throw new Error(`${where} must be an object.`);
  for (const [name, wanted] of Object.entries(pattern)) {
    const path = `${where}.${name}`;
    if (name === '$or') throw new Error(`${path} is not supported locally; only exact values are.`);
    if (!Array.isArray(wanted)) {
      requireExactPattern(wanted, path);
      continue;
    }
    for (const value of wanted) {
      if (typeof value === 'object' && value !== null) {
        throw new Error(`${path} uses ${JSON.stringify(value)}; only exact values are implemented locally.`);
      }
    }
  }
}

/** Whether an event matches: every member of the pattern is present with one of the values listed. */
export function matchesPattern(pattern: Json, event: Json | undefined): boolean {
  if (!isObject(pattern) || !isObject(event)) return false;
  return Object.entries(pattern).every(([name, wanted]) => {
    const actual = event[name];
    if (!Array.isArray(wanted)) return matchesPattern(wanted, actual);
    const candidates = Array.isArray(actual) ? actual : [actual];
    return candidates.some((value) => value !== undefined && wanted.includes(value));
  });
}
