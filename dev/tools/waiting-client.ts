/**
 * What `npm run generate` makes from the Python client for asyncio: the client that waits for its answers. Both are one text, which is
 * written once; a rule that finds nothing to change any more stops the generator.
 */

const HEADER = '# Written by `npm run generate` from `_async_client.py`.\n';

/** Each with what it becomes; in this order. */
const RULES: readonly (readonly [pattern: RegExp, waiting: string])[] = [
  [/^"""The client for asyncio\..*$/m, '"""The client that waits for its answers."""'],
  [/, also asynchronous ones/g, ''],
  [/^import asyncio$/m, 'import time'],
  [/await asyncio\.to_thread\(([\w.]+)(?:, )?/g, '$1('],
  [/await asyncio\.sleep/g, 'time.sleep'],
  [/Awaitable\[(\w+)\]/g, '$1'],
  [/\bAwaitable, /g, ''],
  [/\[(\w+) async for \1 in (.+)\]\)/g, '$2)'],
  [/\b(?:async|await) /g, ''],
  [/\b_?Async(?=[A-Z])/g, ''],
  [/\basync(?=contextmanager\b)/g, ''],
  [/\b__a(?=(?:enter|exit|iter)__)/g, '__'],
  [/\ba(?=(?:close|read|iter_bytes)\b)/g, ''],
  [/\bfor (\w+) in (.+):\n\s+yield \1$/gm, 'yield from $2'],
];

/** @throws Error for a rule that changes nothing, and for what is left of asyncio */
export function waitingClient(source: string): string {
  let text = source;
  for (const [pattern, waiting] of RULES) {
    const before = text;
    text = text.replace(pattern, waiting);
    if (text === before) throw new Error(`_async_client.py holds nothing that ${pattern} finds.`);
  }
  const left = /\b\w*async\w*|\bawait\b/i.exec(text);
  if (left !== null) throw new Error(`No rule of dev/tools/waiting-client.ts knows "${left[0]}".`);
  return HEADER + sortedImports(text);
}

/** In the order that ruff asks for, also where names changed: constants, classes, functions. */
function sortedImports(text: string): string {
  return text
    .replace(/(?:^import \w+\n)+/m, (block) => `${block.trimEnd().split('\n').sort().join('\n')}\n`)
    .replace(/^from \S+ import (\w+(?:, \w+)+)$/gm, (line, names: string) =>
      line.replace(names, sortedNames(names.split(', ')).join(', ')),
    )
    .replace(/ import \(\n((?: {4}\w+,\n)+)\)/g, (_block, lines: string) => {
      const names = sortedNames(lines.trim().replace(/,$/, '').split(/,\s+/));
      return ` import (\n${names.map((name) => `    ${name},\n`).join('')})`;
    });
}

function sortedNames(names: readonly string[]): string[] {
  const rank = (name: string) => (/^[A-Z][A-Z\d_]*$/.test(name) ? 0 : /^[A-Z]/.test(name) ? 1 : 2);
  return names.toSorted((a, b) => rank(a) - rank(b) || (a < b ? -1 : 1));
}
