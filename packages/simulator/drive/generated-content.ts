import type { RangeSource } from '../state/drive.ts';
import { bufferSource, generateCsv, generatePdf, generatePng, generateText, noiseSource } from './content.ts';

/** Bytes of the generated video. */
const VIDEO_BYTES = 5 * 1024 * 1024 + 321;

const GENERATED = new Set(['text/plain', 'text/csv', 'image/png', 'application/pdf', 'video/mp4']);

/** True for the types whose bytes are generated. */
export function isGenerated(mimeType: string): boolean {
  return GENERATED.has(mimeType);
}

/**
 * Bytes made from a file's id, first name and type; `undefined` for types without bytes (folders, Google's editors).
 */
export function generateContent(id: string, name: string, mimeType: string): RangeSource | undefined {
  switch (mimeType) {
    case 'text/plain':
      return bufferSource(Buffer.from(`${name}\n\n${generateText(id, 40)}`));
    case 'text/csv':
      return bufferSource(Buffer.from(generateCsv(id, 80)));
    case 'image/png':
      return bufferSource(generatePng(id));
    case 'application/pdf':
      return bufferSource(generatePdf(name));
    case 'video/mp4':
      return noiseSource(id, VIDEO_BYTES);
    default:
      return undefined;
  }
}
