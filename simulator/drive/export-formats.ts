import { zipArchive } from '../http/zip.ts';
import { generateCsv, generatePdf, generatePng, generateText } from './content.ts';
import { docx, epub, ods, odt, rtf, svg, xlsx } from './office-files.ts';
import type { DriveFile } from './records.ts';

type Exporter = (file: DriveFile) => Buffer;

/** Google offers the format and the simulator cannot make it: the call is answered with 501. */
const NOT_MADE = 'not made';

const WORD = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';
const EXCEL = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
const POWERPOINT = 'application/vnd.openxmlformats-officedocument.presentationml.presentation';
const GOOGLE = 'application/vnd.google-apps.';

const linesOf = (file: DriveFile): string[] => [file.name, '', ...generateText(file.id, 30).trim().split('\n')];
const rowsOf = (file: DriveFile): string[][] =>
  generateCsv(file.id, 60)
    .trim()
    .split('\n')
    .map((row) => row.split(','));

const asText: Exporter = (file) => Buffer.from(`\ufeff${linesOf(file).join('\r\n')}\r\n`);
const asMarkdown: Exporter = (file) => Buffer.from(`# ${linesOf(file).join('\n\n')}\n`);
const asHtml: Exporter = (file) => {
  const paragraphs = generateText(file.id, 30).trim().split('\n');
  return Buffer.from(`<html><body>${paragraphs.map((line) => `<p>${line}</p>`).join('')}</body></html>`);
};
const asTable: Exporter = (file) => {
  const rows = rowsOf(file).map((row) => `<tr>${row.map((cell) => `<td>${cell}</td>`).join('')}</tr>`);
  return Buffer.from(`<html><body><table>${rows.join('')}</table></body></html>`);
};
const zipped =
  (name: string, page: Exporter): Exporter =>
  (file) =>
    zipArchive([[name, page(file)]]);
const asPdf: Exporter = (file) => generatePdf(file.name);
const asPng: Exporter = (file) => generatePng(file.id);
const asSvg: Exporter = (file) => svg(file.name);

/** What each of Google's types is exported to (Google Drive API, "Export MIME types for Google Workspace documents"). */
const EXPORTERS: Readonly<Record<string, Readonly<Record<string, Exporter | typeof NOT_MADE>>>> = {
  [`${GOOGLE}document`]: {
    [WORD]: (file) => docx(linesOf(file)),
    'application/vnd.oasis.opendocument.text': (file) => odt(linesOf(file)),
    'application/rtf': (file) => rtf(linesOf(file)),
    'application/pdf': asPdf,
    'text/plain': asText,
    'text/html': asHtml,
    'application/zip': zipped('Document.html', asHtml),
    'application/epub+zip': (file) => epub(file.name, linesOf(file)),
    'text/markdown': asMarkdown,
  },
  [`${GOOGLE}spreadsheet`]: {
    [EXCEL]: (file) => xlsx(rowsOf(file)),
    'application/vnd.oasis.opendocument.spreadsheet': (file) => ods(rowsOf(file)),
    'application/pdf': asPdf,
    'application/zip': zipped('Sheet1.html', asTable),
    'text/csv': (file) => Buffer.from(generateCsv(file.id, 60)),
    'text/tab-separated-values': (file) => Buffer.from(generateCsv(file.id, 60).replaceAll(',', '\t')),
  },
  [`${GOOGLE}presentation`]: {
    [POWERPOINT]: NOT_MADE,
    'application/vnd.oasis.opendocument.presentation': NOT_MADE,
    'application/pdf': asPdf,
    'text/plain': asText,
    'image/jpeg': NOT_MADE,
    'image/png': asPng,
    'image/svg+xml': asSvg,
  },
  [`${GOOGLE}drawing`]: {
    'application/pdf': asPdf,
    'image/jpeg': NOT_MADE,
    'image/png': asPng,
    'image/svg+xml': asSvg,
  },
  [`${GOOGLE}script`]: { [`${GOOGLE}script+json`]: NOT_MADE },
};

/** Types that an upload can be converted from, by what they become. */
const IMPORTS: Readonly<Record<string, readonly string[]>> = {
  document: [
    WORD,
    'application/msword',
    'application/vnd.oasis.opendocument.text',
    'application/rtf',
    'application/pdf',
    'text/plain',
    'text/html',
    'text/markdown',
    'image/jpeg',
    'image/png',
    'image/gif',
    'image/bmp',
  ],
  spreadsheet: [
    EXCEL,
    'application/vnd.ms-excel',
    'application/vnd.oasis.opendocument.spreadsheet',
    'text/csv',
    'text/tab-separated-values',
  ],
  presentation: [POWERPOINT, 'application/vnd.ms-powerpoint', 'application/vnd.oasis.opendocument.presentation'],
  script: [`${GOOGLE}script+json`, `${GOOGLE}script+text/plain`],
};

/** The most that is converted of each type, in bytes (Google Drive help, "Files you can store in Google Drive"). */
export const MAX_IMPORT_SIZES: Readonly<Record<string, string>> = {
  [`${GOOGLE}document`]: '10485760',
  [`${GOOGLE}spreadsheet`]: '104857600',
  [`${GOOGLE}presentation`]: '104857600',
};

/** Formats each of Google's editor types can be exported to, as `about.exportFormats` lists them. */
export function exportFormats(): Record<string, string[]> {
  return Object.fromEntries(Object.entries(EXPORTERS).map(([type, formats]) => [type, Object.keys(formats)]));
}

/** Google's types each format can become, as `about.importFormats` lists them. */
export function importFormats(): Record<string, string[]> {
  return Object.fromEntries(
    Object.entries(IMPORTS).flatMap(([becomes, types]) => types.map((type) => [type, [GOOGLE + becomes]])),
  );
}

/** True for types that are exported, not downloaded. */
export function isExportable(mimeType: string): boolean {
  return Object.hasOwn(EXPORTERS, mimeType);
}

/** Where a browser of a signed-in user finds each export, as `files.exportLinks`; on another host than the API. */
export function exportLinks(file: DriveFile): Record<string, string> {
  const kind = file.mimeType.slice(GOOGLE.length);
  const address = `https://docs.google.com/${kind === 'document' ? 'feeds/download/documents' : kind}/export/Export`;
  const formats = Object.hasOwn(EXPORTERS, file.mimeType) ? Object.keys(EXPORTERS[file.mimeType] ?? {}) : [];
  return Object.fromEntries(
    formats.map((format) => [format, `${address}?id=${file.id}&exportFormat=${FORMAT_NAMES[format] ?? 'zip'}`]),
  );
}

const FORMAT_NAMES: Readonly<Record<string, string>> = {
  [WORD]: 'docx',
  [EXCEL]: 'xlsx',
  [POWERPOINT]: 'pptx',
  'application/vnd.oasis.opendocument.text': 'odt',
  'application/vnd.oasis.opendocument.spreadsheet': 'ods',
  'application/vnd.oasis.opendocument.presentation': 'odp',
  'application/rtf': 'rtf',
  'application/pdf': 'pdf',
  'application/zip': 'zip',
  'application/epub+zip': 'epub',
  'text/plain': 'txt',
  'text/html': 'html',
  'text/markdown': 'markdown',
  'text/csv': 'csv',
  'text/tab-separated-values': 'tsv',
  'image/jpeg': 'jpeg',
  'image/png': 'png',
  'image/svg+xml': 'svg',
  [`${GOOGLE}script+json`]: 'json',
};

/** Bytes of an export; `undefined` for a format the type has not, `not made` for one that only Google makes. */
export function exportFile(file: DriveFile, mimeType: string): Buffer | typeof NOT_MADE | undefined {
  const formats = Object.hasOwn(EXPORTERS, file.mimeType) ? EXPORTERS[file.mimeType] : undefined;
  const exporter = formats !== undefined && Object.hasOwn(formats, mimeType) ? formats[mimeType] : undefined;
  return typeof exporter === 'function' ? exporter(file) : exporter;
}
