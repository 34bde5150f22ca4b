import { SafeHtml } from './html.ts';

/**
 * A script element's text that calls `main` in the browser. Arguments are JSON values, or functions that travel as their
 * own source: all of them must stand alone, reading nothing but their parameters and the browser's globals.
 *
 * @throws Error for a function whose source would end the script element
 */
export function inlineScript<Arguments extends readonly unknown[]>(
  main: (...values: Arguments) => void,
  ...values: Arguments
): SafeHtml {
  return new SafeHtml(`(${sourceOf(main)})(${values.map(argument).join(',\n')});`);
}

function argument(value: unknown): string {
  return typeof value === 'function' ? sourceOf(value) : scriptLiteral(value);
}

function sourceOf(value: { toString(): string }): string {
  const source = value.toString();
  if (/<\/script|<!--/i.test(source)) throw new Error('A page script must not contain the end of its own element.');
  return `(${source})`;
}

/** A value as a JavaScript literal inside a script element; undefined becomes `undefined`. */
export function scriptLiteral(value: unknown): string {
  return (JSON.stringify(value) ?? 'undefined').replace(
    /[<>&\u2028\u2029]/g,
    (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
