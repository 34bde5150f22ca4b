/** Answers of AWS that arrive in parts: "Event stream encoding", Smithy's `vnd.amazon.eventstream`. */
import { crc32 } from 'node:zlib';

/** An answer that is sent as it arrives: whole messages. */
export class EventStream {
  readonly messages: AsyncIterable<Buffer>;
  constructor(messages: AsyncIterable<Buffer>) {
    this.messages = messages;
  }
}

/** The type of a header's value: a string with its length before it. */
const STRING = 7;

/** One event with its payload: two lengths and their checksum, headers, payload, the checksum of all. */
export function eventMessage(eventType: string, contentType: string, payload: Buffer): Buffer {
  const named = { ':event-type': eventType, ':content-type': contentType, ':message-type': 'event' };
  const headers = Buffer.concat(
    Object.entries(named).map(([name, value]) => {
      const head = Buffer.from(`\0${name}\0\0\0${value}`);
      head.writeUInt8(name.length, 0);
      head.writeUInt8(STRING, 1 + name.length);
      head.writeUInt16BE(value.length, 2 + name.length);
      return head;
    }),
  );
  const message = Buffer.alloc(16 + headers.length + payload.length);
  message.writeUInt32BE(message.length, 0);
  message.writeUInt32BE(headers.length, 4);
  message.writeUInt32BE(crc32(message.subarray(0, 8)), 8);
  headers.copy(message, 12);
  payload.copy(message, 12 + headers.length);
  message.writeUInt32BE(crc32(message.subarray(0, -4)), message.length - 4);
  return message;
}
