import type { DriveFile } from '../state/drive.ts';
import { generateCsv, generateText } from './content.ts';

/** Lines of a Google document: those of the upload it was made from, or generated ones under its name. */
export function linesOf(file: DriveFile): string[] {
  if (file.imported !== null) return file.imported;
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
