import { existsSync, readdirSync } from 'node:fs';

const FONT = /\.(?:ttf|otf|ttc)$/i;

/**
 * A fontconfig file that knows the fonts of one folder and nothing of the machine's.
 * @param fonts folder of the fonts, searched with its subfolders
 * @param cache folder for fontconfig's own files; made by it
 */
export function fontConfiguration(fonts: string, cache: string): string {
  return `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir>${escaped(fonts)}</dir>
  <cachedir>${escaped(cache)}</cachedir>
</fontconfig>
`;
}

/**
 * Makes sure that a browser will find a font: without one it draws no text, and every heading counts as hidden.
 * @throws Error when the folder and its subfolders hold none
 */
export function requireFonts(folder: string): void {
  const files = existsSync(folder) ? readdirSync(folder, { recursive: true, encoding: 'utf8' }) : [];
  if (files.some((name) => FONT.test(name))) return;
  throw new Error(`The tests' browser has no font to draw text with: ${folder} holds none.`);
}

function escaped(path: string): string {
  return path.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
