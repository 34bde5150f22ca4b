/** The smallest files that office programs open: WordprocessingML, SpreadsheetML (ECMA-376), OpenDocument, EPUB, RTF, SVG. */
import { zipArchive } from '../http/zip.ts';

const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const OFFICE = 'http://schemas.openxmlformats.org';

/** Text with the characters escaped that XML and HTML reserve. */
export function escapeXml(text: string): string {
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
  const namespaces = ['office', 'text', 'table', 'presentation']
    .map((name) => `xmlns:${name}="urn:oasis:names:tc:opendocument:xmlns:${name}:1.0"`)
    .concat('xmlns:draw="urn:oasis:names:tc:opendocument:xmlns:drawing:1.0"')
    .concat('xmlns:svg="urn:oasis:names:tc:opendocument:xmlns:svg-compatible:1.0"')
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

/** An OpenDocument presentation with all lines on one slide. */
export function odp(lines: readonly string[]): Buffer {
  const body = lines.map((line) => `<text:p>${escapeXml(line)}</text:p>`).join('');
  return openDocument(
    'application/vnd.oasis.opendocument.presentation',
    'presentation',
    `<draw:page draw:name="Slide 1"><draw:frame svg:x="2cm" svg:y="2cm" svg:width="24cm" svg:height="15cm"><draw:text-box>${body}</draw:text-box></draw:frame></draw:page>`,
  );
}

const DRAWING = `${OFFICE}/drawingml/2006/main`;

const EMPTY_TREE =
  '<p:nvGrpSpPr><p:cNvPr id="1" name=""/><p:cNvGrpSpPr/><p:nvPr/></p:nvGrpSpPr><p:grpSpPr><a:xfrm><a:off x="0" y="0"/><a:ext cx="0" cy="0"/><a:chOff x="0" y="0"/><a:chExt cx="0" cy="0"/></a:xfrm></p:grpSpPr>';

function theme(): string {
  const colors = ['dk1', 'lt1', 'dk2', 'lt2', 'accent1', 'accent2', 'accent3', 'accent4', 'accent5', 'accent6'];
  const scheme = [...colors, 'hlink', 'folHlink'].map((name, index) => {
    const value = name.startsWith('lt')
      ? 'FFFFFF'
      : `${index}0${index}0${index}0`.replaceAll(/1[01]/g, '44').slice(0, 6);
    return `<a:${name}><a:srgbClr val="${value}"/></a:${name}>`;
  });
  const font = '<a:latin typeface="Arial"/><a:ea typeface=""/><a:cs typeface=""/>';
  const fill = '<a:solidFill><a:schemeClr val="phClr"/></a:solidFill>';
  const line = `<a:ln w="9525">${fill}</a:ln>`;
  const effect = '<a:effectStyle><a:effectLst/></a:effectStyle>';
  return `${XML}<a:theme xmlns:a="${DRAWING}" name="Plain"><a:themeElements><a:clrScheme name="Plain">${scheme.join('')}</a:clrScheme><a:fontScheme name="Plain"><a:majorFont>${font}</a:majorFont><a:minorFont>${font}</a:minorFont></a:fontScheme><a:fmtScheme name="Plain"><a:fillStyleLst>${fill.repeat(3)}</a:fillStyleLst><a:lnStyleLst>${line.repeat(3)}</a:lnStyleLst><a:effectStyleLst>${effect.repeat(3)}</a:effectStyleLst><a:bgFillStyleLst>${fill.repeat(3)}</a:bgFillStyleLst></a:fmtScheme></a:themeElements></a:theme>`;
}

/** A PowerPoint presentation with all lines on one slide. */
export function pptx(lines: readonly string[]): Buffer {
  const type = (name: string) => `application/vnd.openxmlformats-officedocument.presentationml.${name}+xml`;
  const spaces = `xmlns:a="${DRAWING}" xmlns:r="${OFFICE}/officeDocument/2006/relationships" xmlns:p="${OFFICE}/presentationml/2006/main"`;
  const paragraphs = lines
    .map((line) => `<a:p><a:r><a:rPr lang="en"/><a:t>${escapeXml(line)}</a:t></a:r></a:p>`)
    .join('');
  const shape = `<p:sp><p:nvSpPr><p:cNvPr id="2" name="Text"/><p:cNvSpPr txBox="1"/><p:nvPr/></p:nvSpPr><p:spPr><a:xfrm><a:off x="457200" y="457200"/><a:ext cx="8229600" cy="4200000"/></a:xfrm><a:prstGeom prst="rect"><a:avLst/></a:prstGeom></p:spPr><p:txBody><a:bodyPr/><a:lstStyle/>${paragraphs}</p:txBody></p:sp>`;
  const tree = (shapes: string) => `<p:cSld><p:spTree>${EMPTY_TREE}${shapes}</p:spTree></p:cSld>`;
  const map =
    '<p:clrMap bg1="lt1" tx1="dk1" bg2="lt2" tx2="dk2" accent1="accent1" accent2="accent2" accent3="accent3" accent4="accent4" accent5="accent5" accent6="accent6" hlink="hlink" folHlink="folHlink"/>';
  return zipArchive([
    [
      '[Content_Types].xml',
      contentTypes([
        ['/ppt/presentation.xml', type('presentation.main')],
        ['/ppt/slideMasters/slideMaster1.xml', type('slideMaster')],
        ['/ppt/slideLayouts/slideLayout1.xml', type('slideLayout')],
        ['/ppt/slides/slide1.xml', type('slide')],
        ['/ppt/theme/theme1.xml', 'application/vnd.openxmlformats-officedocument.theme+xml'],
      ]),
    ],
    ['_rels/.rels', relationships([['officeDocument', 'ppt/presentation.xml']])],
    [
      'ppt/presentation.xml',
      `${XML}<p:presentation ${spaces}><p:sldMasterIdLst><p:sldMasterId id="2147483648" r:id="rId1"/></p:sldMasterIdLst><p:sldIdLst><p:sldId id="256" r:id="rId2"/></p:sldIdLst><p:sldSz cx="9144000" cy="5143500"/><p:notesSz cx="6858000" cy="9144000"/></p:presentation>`,
    ],
    [
      'ppt/_rels/presentation.xml.rels',
      relationships([
        ['slideMaster', 'slideMasters/slideMaster1.xml'],
        ['slide', 'slides/slide1.xml'],
      ]),
    ],
    [
      'ppt/slideMasters/slideMaster1.xml',
      `${XML}<p:sldMaster ${spaces}>${tree('')}${map}<p:sldLayoutIdLst><p:sldLayoutId id="2147483649" r:id="rId1"/></p:sldLayoutIdLst></p:sldMaster>`,
    ],
    [
      'ppt/slideMasters/_rels/slideMaster1.xml.rels',
      relationships([
        ['slideLayout', '../slideLayouts/slideLayout1.xml'],
        ['theme', '../theme/theme1.xml'],
      ]),
    ],
    ['ppt/slideLayouts/slideLayout1.xml', `${XML}<p:sldLayout ${spaces} type="blank">${tree('')}</p:sldLayout>`],
    [
      'ppt/slideLayouts/_rels/slideLayout1.xml.rels',
      relationships([['slideMaster', '../slideMasters/slideMaster1.xml']]),
    ],
    ['ppt/slides/slide1.xml', `${XML}<p:sld ${spaces}>${tree(shape)}</p:sld>`],
    ['ppt/slides/_rels/slide1.xml.rels', relationships([['slideLayout', '../slideLayouts/slideLayout1.xml']])],
    ['ppt/theme/theme1.xml', theme()],
  ]);
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
