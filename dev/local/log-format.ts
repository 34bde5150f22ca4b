/** Function log lines for human eyes: JSON records become one short line, metrics are left out. */
import { isObject, type Json, parseJson } from '../tools/json.ts';

/** Members of every record that are useless on a console. */
const LEFT_OUT = new Set([
  'timestamp',
  'level',
  'message',
  'requestId',
  'service',
  'function_arn',
  'function_memory_size',
  'cold_start',
]);

/** The line to show, or undefined for a line that only carries metrics (CloudWatch's embedded metric format). */
export function readableLine(text: string): string | undefined {
  const record = recordOf(text);
  if (record === undefined) return text;
  if (record._aws !== undefined) return undefined;
  const { level, message } = record;
  if (typeof level !== 'string' || message === undefined) return text;
  const rest = Object.entries(record).filter(([name]) => !LEFT_OUT.has(name));
  const details = rest.map(([name, value]) => `${name}=${inline(value)}`);
  return [level, messageText(message), ...details].join(' ');
}

function recordOf(text: string): Record<string, Json> | undefined {
  if (!text.startsWith('{')) return undefined;
  try {
    const value = parseJson(text, 'line');
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** The runtime client logs a thrown error as an object with its stack. */
function messageText(message: Json): string {
  if (!isObject(message) || !Array.isArray(message.stackTrace)) return inline(message);
  return message.stackTrace.map(String).join('\n  ');
}

function inline(value: Json): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
