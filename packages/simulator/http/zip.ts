import { crc32, inflateRawSync } from 'node:zlib';

/** Most bytes of one unpacked entry. */
const MAX_UNPACKED_BYTES = 64 * 1024 * 1024;

const LOCAL_HEADER = 0x04034b50;
const CENTRAL_HEADER = 0x02014b50;
const END_OF_DIRECTORY = 0x06054b50;
const VERSION = 20;
/** 1 January 1980, the first day that a ZIP archive can name: the same bytes on every run. */
const FIRST_DAY = 0x21;

/** Fields that a file has in front of its bytes and in the directory alike, from "version needed" to "extra length". */
function commonFields(name: Buffer, bytes: Buffer): Buffer {
  const fields = Buffer.alloc(26);
  fields.writeUInt16LE(VERSION, 0);
  fields.writeUInt16LE(FIRST_DAY, 8);
  fields.writeUInt32LE(crc32(bytes), 10);
  fields.writeUInt32LE(bytes.length, 14);
  fields.writeUInt32LE(bytes.length, 18);
  fields.writeUInt16LE(name.length, 22);
  return fields;
}

function signature(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}

/** An archive of stored, uncompressed files (PKWARE APPNOTE.TXT 4.3); files keep their order. */
export function zipArchive(files: readonly (readonly [name: string, content: string | Buffer])[]): Buffer {
  const local: Buffer[] = [];
  const central: Buffer[] = [];
  let offset = 0;
  for (const [path, content] of files) {
    const name = Buffer.from(path);
    const bytes = Buffer.from(content);
    const fields = commonFields(name, bytes);
    const place = Buffer.alloc(14);
    place.writeUInt32LE(offset, 10);
    const entry = [signature(LOCAL_HEADER), fields, name, bytes];
    local.push(...entry);
    central.push(signature(CENTRAL_HEADER), Buffer.from([VERSION, 0]), fields, place, name);
    offset += entry.reduce((sum, part) => sum + part.length, 0);
  }
  const directory = Buffer.concat(central);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(files.length, 4);
  end.writeUInt16LE(files.length, 6);
  end.writeUInt32LE(directory.length, 8);
  end.writeUInt32LE(offset, 12);
  return Buffer.concat([...local, directory, signature(END_OF_DIRECTORY), end]);
}

/**
 * Reads the files of a ZIP archive by its central directory (APPNOTE.TXT 6.3.10, 4.3.12): stored and deflated entries;
 * others are left out. What is no archive has no files.
 */
export function readZip(bytes: Buffer): ReadonlyMap<string, Buffer> {
  const files = new Map<string, Buffer>();
  const end = bytes.lastIndexOf(Buffer.from('PK\x05\x06', 'latin1'));
  if (end === -1 || end + 22 > bytes.length) return files;
  let at = bytes.readUInt32LE(end + 16);
  for (let left = bytes.readUInt16LE(end + 10); left > 0 && at + 46 <= bytes.length; left -= 1) {
    const method = bytes.readUInt16LE(at + 10);
    const packed = bytes.readUInt32LE(at + 20);
    const nameLength = bytes.readUInt16LE(at + 28);
    const local = bytes.readUInt32LE(at + 42);
    const name = bytes.toString('utf8', at + 46, at + 46 + nameLength);
    at += 46 + nameLength + bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32);
    if (local + 30 > bytes.length) continue;
    const start = local + 30 + bytes.readUInt16LE(local + 26) + bytes.readUInt16LE(local + 28);
    const data = bytes.subarray(start, start + packed);
    try {
      if (method === 0) files.set(name, data);
      if (method === 8) files.set(name, inflateRawSync(data, { maxOutputLength: MAX_UNPACKED_BYTES }));
    } catch {
      // A damaged entry is left out, as Google converts what it can read.
    }
  }
  return files;
}
