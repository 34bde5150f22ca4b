import { readFileSync } from 'node:fs';

/** The comment at the head of a program, as plain text. @throws Error for a program without one */
export function headComment(source: string): string {
  const comment = /^\/\*\*([\s\S]*?)\*\//m.exec(source)?.[1];
  if (comment === undefined) throw new Error('A program begins with a comment that says how to use it.');
  return comment
    .replace(/^ ?\* ?/gm, '')
    .replaceAll('`', '')
    .trim();
}

/** With `--help` among the arguments: prints the comment at the head of the program and exits. @param file path of the program */
export function exitWithHelp(file: string): void {
  if (!process.argv.includes('--help')) return;
  console.log(headComment(readFileSync(file, 'utf8')));
  process.exit(0);
}
