/** The smallest files that office programs open: WordprocessingML, SpreadsheetML (ECMA-376), OpenDocument, EPUB, RTF, SVG. */
import { zipArchive } from '../http/zip.ts';

const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const OFFICE = 'http://schemas.openxmlformats.org';

function escapeXml(text: string): string {
  const entities: Readonly<Record<string, string>> = { '<': '&lt;', '>': '&gt;', '&': '&amp;', '"': '&quot;' };
  return text.replaceAll(/[<>&"]/g, (mark) => entities[mark] ?? mark);
}

function relationships(rows: readonly (readonly [type: string, target: string])[]): string {
  const entries = rows.map(
    ([type, target], index) =>
      `<Relationship Id="rId${index + 1}" Type="${OFFICE}/officeDocument/2006/relationships/${type}" Target="${target}"/>`,
  );
  return `${XML}<Relationships xmlns="${OFFICE}/package/2006/relationships">${entries.join('')}</Relationships>`;
}

function contentTypes(parts: readonly (readonly [path: string, type: string])[]): string {
  const overrides = parts.map(([path, type]) => `<Override PartName="${path}" ContentType="${type}"/>`);
  const defaults =
    '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/>';
  return `${XML}<Types xmlns="${OFFICE}/package/2006/content-types">${defaults}${overrides.join('')}</Types>`;
}

/** A Word document with one paragraph a line. */
export function docx(lines: readonly string[]): Buffer {
  const type = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml';
  const body = lines.map((line) => `<w:p><w:r><w:t xml:space="preserve">${escapeXml(line)}</w:t></w:r></w:p>`).join('');
  return zipArchive([
    ['[Content_Types].xml', contentTypes([['/word/document.xml', type]])],
    ['_rels/.rels', relationships([['officeDocument', 'word/document.xml']])],
    [
      'word/document.xml',
      `${XML}<w:document xmlns:w="${OFFICE}/wordprocessingml/2006/main"><w:body>${body}</w:body></w:document>`,
    ],
  ]);
}

/** An Excel workbook with one sheet. */
export function xlsx(rows: readonly (readonly string[])[]): Buffer {
  const sheetType = 'application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml';
  const bookType = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml';
  const cell = (text: string) => `<c t="inlineStr"><is><t>${escapeXml(text)}</t></is></c>`;
  const data = rows.map((row) => `<row>${row.map(cell).join('')}</row>`).join('');
  const namespace = `xmlns="${OFFICE}/spreadsheetml/2006/main" xmlns:r="${OFFICE}/officeDocument/2006/relationships"`;
  return zipArchive([
    [
      '[Content_Types].xml',
      contentTypes([
        ['/xl/workbook.xml', bookType],
        ['/xl/worksheets/sheet1.xml', sheetType],
      ]),
    ],
    ['_rels/.rels', relationships([['officeDocument', 'xl/workbook.xml']])],
    [
      'xl/workbook.xml',
      `${XML}<workbook ${namespace}><sheets><sheet name="Sheet1" sheetId="1" r:id="rId1"/></sheets></workbook>`,
    ],
    ['xl/_rels/workbook.xml.rels', relationships([['worksheet', 'worksheets/sheet1.xml']])],
    ['xl/worksheets/sheet1.xml', `${XML}<worksheet ${namespace}><sheetData>${data}</sheetData></worksheet>`],
  ]);
}

function openDocument(mimeType: string, kind: string, body: string): Buffer {
  const namespaces = ['office', 'text', 'table']
    .map((name) => `xmlns:${name}="urn:oasis:names:tc:opendocument:xmlns:${name}:1.0"`)
    .join(' ');
  return zipArchive([
    // First and uncompressed, so that the type can be read at a fixed place (OpenDocument 1.3, part 2, 3.3).
    ['mimetype', mimeType],
    [
      'META-INF/manifest.xml',
      `${XML}<manifest:manifest xmlns:manifest="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0" manifest:version="1.3"><manifest:file-entry manifest:full-path="/" manifest:media-type="${mimeType}"/><manifest:file-entry manifest:full-path="content.xml" manifest:media-type="text/xml"/></manifest:manifest>`,
    ],
    [
      'content.xml',
      `${XML}<office:document-content ${namespaces} office:version="1.3"><office:body><office:${kind}>${body}</office:${kind}></office:body></office:document-content>`,
    ],
  ]);
}

/** An OpenDocument text with one paragraph a line. */
export function odt(lines: readonly string[]): Buffer {
  const body = lines.map((line) => `<text:p>${escapeXml(line)}</text:p>`).join('');
  return openDocument('application/vnd.oasis.opendocument.text', 'text', body);
}

/** An OpenDocument spreadsheet with one table. */
export function ods(rows: readonly (readonly string[])[]): Buffer {
  const cell = (text: string) =>
    `<table:table-cell office:value-type="string"><text:p>${escapeXml(text)}</text:p></table:table-cell>`;
  const body = rows.map((row) => `<table:table-row>${row.map(cell).join('')}</table:table-row>`).join('');
  return openDocument(
    'application/vnd.oasis.opendocument.spreadsheet',
    'spreadsheet',
    `<table:table table:name="Sheet1">${body}</table:table>`,
  );
}

/** An EPUB 3 book with one chapter. */
export function epub(title: string, lines: readonly string[]): Buffer {
  const name = escapeXml(title);
  const body = lines.map((line) => `<p>${escapeXml(line)}</p>`).join('');
  const page = (content: string) =>
    `${XML}<html xmlns="http://www.w3.org/1999/xhtml" xmlns:epub="http://www.idpf.org/2007/ops"><head><title>${name}</title></head><body>${content}</body></html>`;
  return zipArchive([
    ['mimetype', 'application/epub+zip'],
    [
      'META-INF/container.xml',
      `${XML}<container version="1.0" xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles><rootfile full-path="book.opf" media-type="application/oebps-package+xml"/></rootfiles></container>`,
    ],
    [
      'book.opf',
      `${XML}<package xmlns="http://www.idpf.org/2007/opf" version="3.0" unique-identifier="id"><metadata xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:identifier id="id">${name}</dc:identifier><dc:title>${name}</dc:title><dc:language>en</dc:language><meta property="dcterms:modified">2026-01-01T00:00:00Z</meta></metadata><manifest><item id="nav" href="nav.xhtml" media-type="application/xhtml+xml" properties="nav"/><item id="text" href="text.xhtml" media-type="application/xhtml+xml"/></manifest><spine><itemref idref="text"/></spine></package>`,
    ],
    ['nav.xhtml', page(`<nav epub:type="toc"><ol><li><a href="text.xhtml">${name}</a></li></ol></nav>`)],
    ['text.xhtml', page(body)],
  ]);
}

/** A rich text document (Rich Text Format Specification 1.9); what is not ASCII is escaped as UTF-16. */
export function rtf(lines: readonly string[]): Buffer {
  const escaped = lines.map((line) =>
    line
      .replaceAll(/[\\{}]/g, (mark) => `\\${mark}`)
      .replaceAll(/[^\x20-\x7e]/g, (mark) => `\\u${(mark.charCodeAt(0) << 16) >> 16}?`),
  );
  return Buffer.from(`{\\rtf1\\ansi\\deff0{\\fonttbl{\\f0 Arial;}}\\f0 ${escaped.join('\\par\n')}}`, 'latin1');
}

/** A drawing that shows a text. */
export function svg(text: string): Buffer {
  return Buffer.from(
    `${XML}<svg xmlns="http://www.w3.org/2000/svg" width="960" height="720" viewBox="0 0 960 720"><rect width="960" height="720" fill="#fff"/><text x="40" y="80" font-size="32">${escapeXml(text)}</text></svg>`,
  );
}
