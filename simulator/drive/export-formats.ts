import { generateCsv, generatePdf, generateText } from './content.ts';
import type { DriveFile } from './records.ts';

type Exporter = (file: DriveFile) => Buffer;

const asText: Exporter = (file) => Buffer.from(`\ufeff${file.name}\r\n\r\n${generateText(file.id, 30)}`);
const asPdf: Exporter = (file) => generatePdf(file.name);
const asCsv: Exporter = (file) => Buffer.from(generateCsv(file.id, 60));
const asHtml: Exporter = (file) => {
  const paragraphs = generateText(file.id, 30).trim().split('\n');
  return Buffer.from(`<html><body>${paragraphs.map((line) => `<p>${line}</p>`).join('')}</body></html>`);
};

const EXPORTERS: Record<string, Record<string, Exporter>> = {
  'application/vnd.google-apps.document': { 'text/plain': asText, 'text/html': asHtml, 'application/pdf': asPdf },
  'application/vnd.google-apps.spreadsheet': { 'text/csv': asCsv, 'application/pdf': asPdf },
};

/** Formats each of Google's editor types can be exported to, as `about.exportFormats` lists them. */
export function exportFormats(): Record<string, string[]> {
  return Object.fromEntries(Object.entries(EXPORTERS).map(([type, formats]) => [type, Object.keys(formats)]));
}

/** True for types that are exported, not downloaded. */
export function isExportable(mimeType: string): boolean {
  return Object.hasOwn(EXPORTERS, mimeType);
}

/** Bytes of an export; `undefined` for a format the type has not. */
export function exportFile(file: DriveFile, mimeType: string): Buffer | undefined {
  const formats = Object.hasOwn(EXPORTERS, file.mimeType) ? EXPORTERS[file.mimeType] : undefined;
  return formats !== undefined && Object.hasOwn(formats, mimeType) ? formats[mimeType]?.(file) : undefined;
}
