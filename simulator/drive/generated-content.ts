import { bufferSource, generateCsv, generatePdf, generatePng, generateText, noiseSource, type RangeSource } from './content.ts';
import type { DriveFile } from './records.ts';

/** Bytes of the generated video. */
const VIDEO_BYTES = 5 * 1024 * 1024 + 321;

/** Bytes of a generated file, made from its id; `undefined` for types without bytes (folders and Google's editors). */
export function generateContent(file: Pick<DriveFile, 'id' | 'name' | 'mimeType' | 'content'>): RangeSource | undefined {
  if (file.content?.size === 0) return bufferSource(Buffer.alloc(0));
  switch (file.mimeType) {
    case 'text/plain':
      return bufferSource(Buffer.from(`${file.name}\n\n${generateText(file.id, 40)}`));
    case 'text/csv':
      return bufferSource(Buffer.from(generateCsv(file.id, 80)));
    case 'image/png':
      return bufferSource(generatePng(file.id));
    case 'application/pdf':
      return bufferSource(generatePdf(file.name));
    case 'video/mp4':
      return noiseSource(file.id, VIDEO_BYTES);
    default:
      return undefined;
  }
}
