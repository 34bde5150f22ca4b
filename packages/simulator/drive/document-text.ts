import type { DriveFile } from '../state/drive.ts';
import { generateCsv, generateText } from './content.ts';

const MARKDOWN = 'text/markdown';

function isFromMarkdown(file: DriveFile): boolean {
  const { importedFrom } = file.extra;
  return typeof importedFrom === 'string' && importedFrom.split(';')[0]?.trim().toLowerCase() === MARKDOWN;
}

/** A line of Markdown without the marks of its heading, its list or its emphasis. */
function plainLine(line: string): string {
  return line
    .replace(/^(?:#{1,6}|[-*+]|>)\s+/, '')
    .replaceAll(/(\*\*|__|\*|_|`)(\S(?:.*?\S)?)\1/g, '$2')
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1');
}

/** A Google document as Markdown: what it was made from, or its lines as paragraphs. */
export function markdownOf(file: DriveFile): string {
  if (file.imported !== null && isFromMarkdown(file)) return `${file.imported.join('\n')}\n`;
  const paragraphs = linesOf(file).filter((line) => line !== '');
  return `${file.imported === null ? '# ' : ''}${paragraphs.join('\n\n')}\n`;
}

/** Lines of a Google document: those of the upload it was made from, or generated ones under its name. */
export function linesOf(file: DriveFile): string[] {
  if (file.imported !== null) {
    return isFromMarkdown(file) ? file.imported.map(plainLine).filter((line) => line !== '') : file.imported;
  }
  return [file.name, '', ...generateText(file.id, 30).trim().split('\n')];
}

/** One row of comma-separated values, quotes taken off (RFC 4180). */
function splitRow(row: string): string[] {
  const cells = [...row.matchAll(/(?:^|,)(?:"(?<quoted>(?:[^"]|"")*)"|(?<plain>[^,]*))/g)];
  return cells.map(({ groups }) => groups?.quoted?.replaceAll('""', '"') ?? groups?.plain ?? '');
}

/** Comma-separated values of a Google spreadsheet. */
export function csvOf(file: DriveFile): string {
  return file.imported === null ? generateCsv(file.id, 60) : `${file.imported.join('\n')}\n`;
}

/** Rows of a Google spreadsheet. */
export function rowsOf(file: DriveFile): string[][] {
  return csvOf(file).trim().split('\n').map(splitRow);
}
