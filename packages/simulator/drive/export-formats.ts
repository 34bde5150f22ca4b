import { zipArchive } from '../http/zip.ts';
import type { DriveFile } from '../state/drive.ts';
import { generatePdf, generatePng, whiteJpeg } from './content.ts';
import { csvOf, linesOf, markdownOf, rowsOf } from './document-text.ts';
import { docx, epub, escapeXml, odp, ods, odt, pptx, rtf, svg, xlsx } from './office-files.ts';

type Exporter = (file: DriveFile) => Buffer;

const WORD = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';
const EXCEL = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
const POWERPOINT = 'application/vnd.openxmlformats-officedocument.presentationml.presentation';
const GOOGLE = 'application/vnd.google-apps.';

const asText: Exporter = (file) => Buffer.from(`\ufeff${linesOf(file).join('\r\n')}\r\n`);
const asMarkdown: Exporter = (file) => Buffer.from(markdownOf(file));
const asHtml: Exporter = (file) => {
  const paragraphs = linesOf(file).filter((line) => line !== '');
  return Buffer.from(`<html><body>${paragraphs.map((line) => `<p>${escapeXml(line)}</p>`).join('')}</body></html>`);
};
const asTable: Exporter = (file) => {
  const rows = rowsOf(file).map((row) => `<tr>${row.map((cell) => `<td>${escapeXml(cell)}</td>`).join('')}</tr>`);
  return Buffer.from(`<html><body><table>${rows.join('')}</table></body></html>`);
};
const zipped =
  (name: string, page: Exporter): Exporter =>
  (file) =>
    zipArchive([[name, page(file)]]);
const asPdf: Exporter = (file) => generatePdf(file.name);
const asPng: Exporter = (file) => generatePng(file.id);
const asJpeg: Exporter = () => whiteJpeg();
const asScript: Exporter = (file) =>
  Buffer.from(
    JSON.stringify({
      files: [
        {
          id: file.id,
          name: 'Code',
          type: 'server_js',
          source: linesOf(file)
            .map((line) => `// ${line}\n`)
            .join(''),
        },
      ],
    }),
  );
const asSvg: Exporter = (file) => svg(file.name);

/** What each of Google's types is exported to (Google Drive API, "Export MIME types for Google Workspace documents"). */
const EXPORTERS: Readonly<Record<string, Readonly<Record<string, Exporter>>>> = {
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
    'text/csv': (file) => Buffer.from(csvOf(file)),
    'text/tab-separated-values': (file) =>
      Buffer.from(
        `${rowsOf(file)
          .map((row) => row.join('\t'))
          .join('\n')}\n`,
      ),
  },
  [`${GOOGLE}presentation`]: {
    [POWERPOINT]: (file) => pptx(linesOf(file)),
    'application/vnd.oasis.opendocument.presentation': (file) => odp(linesOf(file)),
    'application/pdf': asPdf,
    'text/plain': asText,
    'image/jpeg': asJpeg,
    'image/png': asPng,
    'image/svg+xml': asSvg,
  },
  [`${GOOGLE}drawing`]: {
    'application/pdf': asPdf,
    'image/jpeg': asJpeg,
    'image/png': asPng,
    'image/svg+xml': asSvg,
  },
  [`${GOOGLE}script`]: { [`${GOOGLE}script+json`]: asScript },
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

/** True when Drive converts an upload of one type to one of Google's. */
export function importsTo(mimeType: string, googleType: string): boolean {
  return IMPORTS[googleType.slice(GOOGLE.length)]?.includes(mimeType) === true;
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

/** Bytes of an export; `undefined` for a format that the type has not. */
export function exportFile(file: DriveFile, mimeType: string): Buffer | undefined {
  const formats = Object.hasOwn(EXPORTERS, file.mimeType) ? EXPORTERS[file.mimeType] : undefined;
  return formats !== undefined && Object.hasOwn(formats, mimeType) ? formats[mimeType]?.(file) : undefined;
}
