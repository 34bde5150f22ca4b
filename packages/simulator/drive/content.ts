import { crc32, deflateSync } from 'node:zlib';
import { between, seededRandom } from '../random.ts';
import type { RangeSource } from '../state/drive.ts';

/** A source over bytes in memory. */
export function bufferSource(bytes: Buffer): RangeSource {
  return { length: bytes.length, read: (start, end) => [bytes.subarray(start, end)] };
}

const BLOCK_BYTES = 64 * 1024;

/** Repeatable noise of any length; block numbers are stamped in, so that a misplaced range shows. */
export function noiseSource(seed: string, length: number): RangeSource {
  const random = seededRandom(seed);
  const pattern = Buffer.from(Array.from({ length: BLOCK_BYTES }, () => Math.floor(random() * 256)));
  const block = (index: number) => {
    const bytes = Buffer.from(pattern);
    bytes.writeUInt32BE(index, 0);
    return bytes;
  };
  return {
    length,
    *read(start, end) {
      for (let at = start; at < end; ) {
        const index = Math.floor(at / BLOCK_BYTES);
        const offset = at - index * BLOCK_BYTES;
        const piece = block(index).subarray(offset, Math.min(BLOCK_BYTES, offset + end - at));
        yield piece;
        at += piece.length;
      }
    },
  };
}

const WORDS =
  'the plan for this quarter keeps open questions short and lists every next step with owner date and result'.split(
    ' ',
  );

/** Plain sentences, repeatable for a seed. */
export function generateText(seed: string, lines: number): string {
  const random = seededRandom(seed);
  const sentence = () =>
    Array.from({ length: between(random, 6, 14) }, () => WORDS[between(random, 0, WORDS.length - 1)]).join(' ');
  return Array.from({ length: lines }, () => `${sentence()}.\n`).join('');
}

/** A small table as CSV. */
export function generateCsv(seed: string, rows: number): string {
  const random = seededRandom(seed);
  const body = Array.from(
    { length: rows },
    (_, row) => `${row + 1},${WORDS[between(random, 0, WORDS.length - 1)]},${between(random, 100, 99_999) / 100}\n`,
  );
  return `number,item,amount\n${body.join('')}`;
}

function pngChunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const chunk = Buffer.alloc(body.length + 8);
  chunk.writeUInt32BE(data.length, 0);
  body.copy(chunk, 4);
  chunk.writeUInt32BE(crc32(body), body.length + 4);
  return chunk;
}

/** A valid 8-bit RGB PNG with a repeatable pattern (PNG specification, third edition). */
export function generatePng(seed: string): Buffer {
  const random = seededRandom(seed);
  const side = between(random, 24, 64);
  const rows = Buffer.alloc(side * (1 + side * 3));
  for (let row = 0; row < side; row += 1) {
    for (let at = 0; at < side * 3; at += 1) rows[row * (1 + side * 3) + 1 + at] = between(random, 0, 255);
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(side, 0);
  header.writeUInt32BE(side, 4);
  header.set([8, 2, 0, 0, 0], 8);
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return Buffer.concat([
    signature,
    pngChunk('IHDR', header),
    pngChunk('IDAT', deflateSync(rows)),
    pngChunk('IEND', Buffer.alloc(0)),
  ]);
}

/** A valid one-page PDF that shows `text` in one line (ISO 32000-1, 7.5). */
export function generatePdf(text: string): Buffer {
  const line = text.replaceAll(/[^\x20-\x7e]/g, '?').replaceAll(/[\\()]/g, (mark) => `\\${mark}`);
  const stream = `BT /F1 14 Tf 72 770 Td (${line}) Tj ET`;
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>',
    `<< /Length ${stream.length} >>\nstream\n${stream}\nendstream`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
  ];
  let body = '%PDF-1.4\n';
  const offsets = objects.map((object, index) => {
    const offset = body.length;
    body += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return offset;
  });
  const table = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  const size = objects.length + 1;
  const trailer = `trailer\n<< /Size ${size} /Root 1 0 R >>\nstartxref\n${body.length}\n%%EOF\n`;
  return Buffer.from(`${body}xref\n0 ${size}\n0000000000 65535 f \n${table}${trailer}`, 'latin1');
}

/** A white picture of 8 by 8 pixels as JPEG (ITU-T T.81, baseline, one component). */
export function whiteJpeg(): Buffer {
  const segment = (marker: number, bytes: readonly number[]) => [0xff, marker, 0, bytes.length + 2, ...bytes];
  // Each Huffman table has one symbol with the code 0: the DC difference of seven bits, and the end of the block.
  const table = (kind: number, symbol: number) =>
    segment(0xc4, [kind, 1, ...Array.from({ length: 15 }, () => 0), symbol]);
  return Buffer.from([
    ...[0xff, 0xd8],
    ...segment(0xe0, [0x4a, 0x46, 0x49, 0x46, 0, 1, 1, 0, 0, 1, 0, 1, 0, 0]),
    ...segment(0xdb, [0, ...Array.from({ length: 64 }, () => 8)]),
    ...segment(0xc0, [8, 0, 8, 0, 8, 1, 1, 0x11, 0]),
    ...table(0x00, 7),
    ...table(0x10, 0),
    ...segment(0xda, [1, 1, 0, 0, 63, 0]),
    ...[0x7f, 0x7f, 0xff, 0xd9],
  ]);
}
