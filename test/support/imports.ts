import { globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { LanguageVariant, SyntaxKind } from 'typescript/unstable/ast';
import { createScanner, type Scanner } from 'typescript/unstable/ast/scanner';

/** One import of a file: `import`, `import type`, `import()`, `export … from` or `require()`. */
export interface Import {
  readonly from: string;
  /** Path within the project, or the name of a package. */
  readonly to: string;
  readonly line: number;
  /** Whether the compiler erases it. An `import()` counts as a value, though it may stand for a type. */
  readonly typeOnly: boolean;
}

/** Tokens after which a slash divides; after all others it begins a regular expression. */
const ENDS_OPERAND = new Set([
  SyntaxKind.Identifier,
  SyntaxKind.NumericLiteral,
  SyntaxKind.StringLiteral,
  SyntaxKind.NoSubstitutionTemplateLiteral,
  SyntaxKind.TemplateTail,
  SyntaxKind.CloseParenToken,
  SyntaxKind.CloseBracketToken,
  SyntaxKind.CloseBraceToken,
  SyntaxKind.ThisKeyword,
  // Ahead of a slash this closes or opens an element of JSX.
  SyntaxKind.LessThanToken,
]);

/**
 * The next token, with templates and regular expressions distinguished from their contents.
 *
 * @param templates how many braces are open within each open template
 */
function nextToken(scanner: Scanner, previous: SyntaxKind, templates: number[]): SyntaxKind {
  let token = scanner.scan();
  const innermost = templates.length - 1;
  if (token === SyntaxKind.TemplateHead) templates.push(0);
  else if (token === SyntaxKind.OpenBraceToken && innermost >= 0)
    templates[innermost] = (templates[innermost] ?? 0) + 1;
  else if (token === SyntaxKind.CloseBraceToken && innermost >= 0) {
    if (templates[innermost] === 0) {
      token = scanner.reScanTemplateToken(false);
      if (token === SyntaxKind.TemplateTail) templates.pop();
    } else templates[innermost] = (templates[innermost] ?? 0) - 1;
  } else if (
    (token === SyntaxKind.SlashToken || token === SyntaxKind.SlashEqualsToken) &&
    !ENDS_OPERAND.has(previous)
  ) {
    token = scanner.reScanSlashToken();
  }
  return token;
}

interface Token {
  readonly kind: SyntaxKind;
  readonly value: string;
  readonly start: number;
}

function tokensOf(path: string, text: string): readonly Token[] {
  const scanner = createScanner(true, path.endsWith('x') ? LanguageVariant.JSX : LanguageVariant.Standard, text);
  const templates: number[] = [];
  const tokens: Token[] = [];
  let previous: SyntaxKind = SyntaxKind.Unknown;
  for (;;) {
    const kind = nextToken(scanner, previous, templates);
    if (kind === SyntaxKind.EndOfFile) return tokens;
    tokens.push({ kind, value: scanner.getTokenValue(), start: scanner.getTokenStart() });
    previous = kind;
  }
}

/** Position of `from '…'` in the statement that begins at `index`, or -1. */
function specifierAfter(tokens: readonly Token[], index: number): number {
  for (let at = index; at < tokens.length; at += 1) {
    const kind = tokens[at]?.kind;
    if (kind === SyntaxKind.FromKeyword && tokens[at + 1]?.kind === SyntaxKind.StringLiteral) return at + 1;
    const ends = [SyntaxKind.SemicolonToken, SyntaxKind.EqualsToken, SyntaxKind.OpenParenToken];
    if (kind !== undefined && ends.includes(kind)) return -1;
    if (at > index && (kind === SyntaxKind.ImportKeyword || kind === SyntaxKind.ExportKeyword)) return -1;
  }
  return -1;
}

/** Every import in the text of one file, as the compiler's own scanner reads it. */
export function importsOf(path: string, text: string): readonly Import[] {
  const tokens = tokensOf(path, text);
  const found: { token: Token | undefined; typeOnly: boolean }[] = [];
  for (const [index, { kind, value }] of tokens.entries()) {
    const next = tokens[index + 1];
    const isMember = tokens[index - 1]?.kind === SyntaxKind.DotToken;
    if (isMember) continue;
    const calls = kind === SyntaxKind.ImportKeyword || (kind === SyntaxKind.RequireKeyword && value === 'require');
    if (calls && next?.kind === SyntaxKind.OpenParenToken) {
      found.push({ token: tokens[index + 2], typeOnly: false });
    } else if (kind === SyntaxKind.ImportKeyword && next?.kind === SyntaxKind.StringLiteral) {
      found.push({ token: next, typeOnly: false });
    } else if (kind === SyntaxKind.ImportKeyword || opensReExport(kind, tokens, index)) {
      const at = specifierAfter(tokens, index + 1);
      if (at >= 0) found.push({ token: tokens[at], typeOnly: next?.kind === SyntaxKind.TypeKeyword });
    }
  }
  return found.flatMap(({ token, typeOnly }) => {
    const literal = [SyntaxKind.StringLiteral, SyntaxKind.NoSubstitutionTemplateLiteral].includes(token?.kind ?? 0);
    if (token === undefined || !literal) return [];
    const to = token.value.startsWith('.') ? normalize(join(dirname(path), token.value)) : token.value;
    return [{ from: path, to, line: text.slice(0, token.start).split('\n').length, typeOnly }];
  });
}

function opensReExport(kind: SyntaxKind, tokens: readonly Token[], index: number): boolean {
  if (kind !== SyntaxKind.ExportKeyword) return false;
  const after = tokens[index + 1]?.kind === SyntaxKind.TypeKeyword ? tokens[index + 2] : tokens[index + 1];
  return after?.kind === SyntaxKind.OpenBraceToken || after?.kind === SyntaxKind.AsteriskToken;
}

/** Names that a file uses or declares, comments and texts left out. */
export function identifiersOf(path: string, text: string): readonly string[] {
  return tokensOf(path, text)
    .filter(({ kind }) => kind === SyntaxKind.Identifier)
    .map(({ value }) => value);
}

/** Every import of the files below these folders of the project, each read once. */
export function importsBelow(root: string, folders: readonly string[]): readonly Import[] {
  return folders
    .flatMap((folder) => globSync(`${folder}/**/*.{ts,tsx,mjs}`, { cwd: root }))
    .filter((path) => !/(^|\/)(node_modules|dist)\//.test(path))
    .flatMap((path) => importsOf(path, readFileSync(join(root, path), 'utf8')));
}

/** Files that import each other in a loop, by values or by types: each loop as the names along it, the shortest way around. */
export function circlesIn(arrows: ReadonlyMap<string, ReadonlySet<string>>): readonly (readonly string[])[] {
  const circles: string[][] = [];
  const seen = new Set<string>();
  for (const start of arrows.keys()) {
    if (seen.has(start)) continue;
    const circle = wayBack(start, arrows);
    if (circle === undefined) continue;
    for (const member of circle) seen.add(member);
    circles.push(circle);
  }
  return circles;
}

/** The shortest way from a file back to itself. */
function wayBack(start: string, arrows: ReadonlyMap<string, ReadonlySet<string>>): string[] | undefined {
  const cameFrom = new Map<string, string>();
  const queue = [start];
  for (const at of queue) {
    for (const next of arrows.get(at) ?? []) {
      if (next === start) {
        const way = [at];
        while (way[0] !== start) way.unshift(cameFrom.get(way[0] ?? '') ?? start);
        return way;
      }
      if (cameFrom.has(next) || !arrows.has(next)) continue;
      cameFrom.set(next, at);
      queue.push(next);
    }
  }
  return undefined;
}

/** Imports between groups, each once. `nameOf` maps files to their group; undefined leaves a file out. */
export function arrowsOf(
  imports: readonly Import[],
  nameOf: (path: string) => string | undefined = (path) => path,
): ReadonlyMap<string, ReadonlySet<string>> {
  const arrows = new Map<string, Set<string>>();
  for (const { from, to } of imports) {
    const [tail, head] = [nameOf(from), nameOf(to)];
    if (tail === undefined || head === undefined || tail === head) continue;
    arrows.set(tail, (arrows.get(tail) ?? new Set()).add(head));
  }
  return arrows;
}
