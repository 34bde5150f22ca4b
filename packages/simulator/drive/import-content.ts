import { readZip } from '../http/zip.ts';
import { importsTo } from './export-formats.ts';

const ENTITIES: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'", nbsp: ' ' };

function unescapeXml(text: string): string {
  return text
    .replaceAll(/&#(\d+);/g, (_all, code: string) => String.fromCodePoint(Number(code)))
    .replaceAll(/&(\w+);/g, (all, name: string) => ENTITIES[name] ?? all);
}

function stripTags(markup: string): string {
  return unescapeXml(markup.replaceAll(/<[^>]*>/g, ''));
}

function htmlLines(html: string): string[] {
  const body = /<body[^>]*>(?<body>[\s\S]*)<\/body>/i.exec(html)?.groups?.body ?? html;
  return stripTags(body.replaceAll(/<\/(?:p|div|h\d|li|tr)>|<br\s*\/?>/gi, '\n'))
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

/** Paragraphs of an XML part, each element of the given name being one. */
function elements(xml: string, name: string): string[] {
  const pattern = new RegExp(`<${name}[ >][\\s\\S]*?</${name}>`, 'g');
  return [...xml.matchAll(pattern)].map(([element]) => stripTags(element));
}

function csvCell(text: string): string {
  return /[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

function sheetLines(parts: ReadonlyMap<string, Buffer>): string[] {
  const text = (path: string) => parts.get(path)?.toString('utf8') ?? '';
  const shared = elements(text('xl/sharedStrings.xml'), 'si');
  const rows = [...text('xl/worksheets/sheet1.xml').matchAll(/<row[ >][\s\S]*?<\/row>/g)];
  return rows.map(([row]) =>
    [...row.matchAll(/<c(?<marks>[^>]*)>(?<body>[\s\S]*?)<\/c>/g)]
      .map(({ groups }) => {
        const value = stripTags(groups?.body ?? '');
        return csvCell(/t="s"/.test(groups?.marks ?? '') ? (shared[Number(value)] ?? '') : value);
      })
      .join(','),
  );
}

function officeLines(bytes: Buffer, target: string): string[] {
  const parts = readZip(bytes);
  const text = (path: string) => parts.get(path)?.toString('utf8') ?? '';
  if (parts.has('word/document.xml')) return elements(text('word/document.xml'), 'w:p');
  if (parts.has('xl/workbook.xml')) return sheetLines(parts);
  if (target === 'spreadsheet') {
    const rows = [...text('content.xml').matchAll(/<table:table-row[ >][\s\S]*?<\/table:table-row>/g)];
    return rows.map(([row]) => elements(row, 'table:table-cell').map(csvCell).join(','));
  }
  const slides = [...parts.keys()].filter((path) => /^ppt\/slides\/slide\d+\.xml$/.test(path)).sort();
  if (slides.length > 0) return slides.flatMap((path) => elements(text(path), 'a:p'));
  return elements(text('content.xml'), 'text:p');
}

/**
 * What an upload becomes as a file of one of Google's types: lines of text, or rows of comma-separated values for a
 * spreadsheet. Pictures, PDF and the old binary formats become an empty document: nothing here reads them.
 * @returns `undefined` when Google does not convert from the one to the other
 */
export function importContent(googleType: string, mimeType: string, bytes: Buffer): string[] | undefined {
  const target = googleType.slice(googleType.lastIndexOf('.') + 1);
  const from = mimeType.split(';')[0]?.trim().toLowerCase() ?? '';
  if (!importsTo(from, googleType)) return undefined;
  const text = () => bytes.toString('utf8').replace(/^\ufeff/, '');
  if (from === 'text/html') return htmlLines(text());
  if (from === 'text/tab-separated-values') {
    return text()
      .trimEnd()
      .split(/\r?\n/)
      .map((row) => row.split('\t').map(csvCell).join(','));
  }
  if (from.startsWith('text/')) return text().trimEnd().split(/\r?\n/);
  return bytes.subarray(0, 2).toString('latin1') === 'PK' ? officeLines(bytes, target) : [];
}
