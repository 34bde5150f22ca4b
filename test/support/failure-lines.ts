/** Most lines that a failing test prints. */
export const FAILURE_LINES_MAX = 60;
const MESSAGE_LINES_MAX = 25;
const DIFF_LINES_MAX = 25;
const STACK_LINES_MAX = 5;

/** A failure of a test, a group of tests, or the loading of a file. */
export interface Failure {
  readonly project: string;
  /** From the project's folder. */
  readonly file: string;
  /** Titles of its groups and its own; empty for a whole file. */
  readonly titles: readonly string[];
  readonly errors: readonly {
    readonly name?: string | undefined;
    readonly message: string;
    readonly diff?: string | undefined;
    readonly stacks?: readonly { readonly file: string; readonly line: number; readonly column: number }[] | undefined;
  }[];
}

/** A failure in at most 60 lines. The first line contains the next step: the message's own, or the command that repeats this test. */
export function failureLines({ project, file, titles, errors }: Failure): string[] {
  const [first] = errors;
  const [ask = ''] = first?.message.split('\n') ?? [];
  const lines = [ask.startsWith('Run ') ? ask : `Run it again: ${commandOf(project, file, titles)}`];
  lines.push(`FAIL ${[file, ...titles].join(' > ')}`);
  for (const { name = 'Error', message, diff = '', stacks = [] } of errors) {
    lines.push(...shortened(`${name}: ${message}`, MESSAGE_LINES_MAX));
    if (diff !== '') lines.push(...shortened(diff, DIFF_LINES_MAX));
    lines.push(...stacks.slice(0, STACK_LINES_MAX).map((at) => `  at ${at.file}:${at.line}:${at.column}`));
  }
  return lines.length <= FAILURE_LINES_MAX
    ? lines
    : [...lines.slice(0, FAILURE_LINES_MAX - 1), `… ${lines.length - FAILURE_LINES_MAX + 1} more lines`];
}

function shortened(text: string, most: number): string[] {
  const lines = text.split('\n');
  return lines.length <= most ? lines : [...lines.slice(0, most - 1), `… ${lines.length - most + 1} more lines`];
}

function commandOf(project: string, file: string, titles: readonly string[]): string {
  const command = `npm test -- --project ${project} ${file}`;
  if (titles.length === 0) return command;
  // The option is a regular expression in single quotes.
  const pattern = titles
    .join(' ')
    .replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')
    .replaceAll("'", '.');
  return `${command} -t '${pattern}'`;
}
