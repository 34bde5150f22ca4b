import { createReadStream, existsSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { isFields, optionalFields, optionalText, textRecord } from '../../client/src/http/fields.ts';
import { type ShownEvent, shownEvent } from './shown-event.ts';

const LOOK_MS = 250;

/**
 * Events of the local gateway, from the file it appends them to.
 *
 * @param follow continue with lines that are added; the iteration then has no end
 */
export async function* followFile(folder: string, follow: boolean): AsyncGenerator<ShownEvent> {
  const file = join(folder, 'events.jsonl');
  let position = 0;
  let rest = '';
  for (;;) {
    const size = existsSync(file) ? (await stat(file)).size : 0;
    // A gateway that was started afresh begins a new file.
    if (size < position) {
      position = 0;
      rest = '';
    }
    if (size > position) {
      const bytes: Buffer[] = [];
      for await (const chunk of createReadStream(file, { start: position, end: size - 1 })) bytes.push(chunk);
      position = size;
      const lines = (rest + Buffer.concat(bytes).toString('utf8')).split('\n');
      // The last one may still be written.
      rest = lines.pop() ?? '';
      for (const line of lines) {
        const event = eventOf(line);
        if (event !== undefined) yield event;
      }
    }
    if (!follow) return;
    await delay(LOOK_MS);
  }
}

/** A line of the file: an envelope of the event bus. Undefined for anything else. */
export function eventOf(line: string): ShownEvent | undefined {
  let envelope: unknown;
  try {
    envelope = JSON.parse(line);
  } catch {
    return undefined;
  }
  const type = optionalText(envelope, 'detail-type');
  const detail = isFields(envelope) ? optionalFields(envelope, 'detail') : undefined;
  if (type === undefined || detail === undefined) return undefined;
  // A file that an older gateway began names members that are empty.
  const said = Object.entries(textRecord({ detail }, 'detail')).filter(([, value]) => value !== '');
  return shownEvent(type, Object.fromEntries(said));
}
