/** lib/REFERENCE.md: what the package `@integration-gateway/construct` exports for declaring, from its doc comments. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PROJECT_ROOT } from './run.ts';

const SOURCES = ['lib/integration-gateway.ts', 'lib/declarations.ts'];

/** A doc comment: its text, and the value of `@default`. */
interface Comment {
  readonly text: string;
  readonly default: string | undefined;
}

interface Member extends Comment {
  readonly name: string;
  readonly type: string;
}

interface Declaration extends Comment {
  readonly kind: 'interface' | 'class';
  readonly name: string;
  readonly members: readonly Member[];
}

/** The page. @throws Error naming an optional property without `@default` */
export function constructPage(): string {
  const exported = readFileSync(join(PROJECT_ROOT, 'lib/index.ts'), 'utf8');
  const found = SOURCES.flatMap((path) => declarationsIn(readFileSync(join(PROJECT_ROOT, path), 'utf8')));
  const shown = found.filter(({ name }) => new RegExp(`\\b${name}\\b`).test(exported));
  return [
    '# The construct package',
    '',
    'What `@integration-gateway/construct` exports for declaring [as code](../docs/as-code.md). `npm run generate` writes this page from the doc comments. Options of a gateway are those of [deploy.md](../docs/deploy.md#options) without their prefix.',
    ...shown.flatMap(section),
    '',
  ].join('\n');
}

/** Exported interfaces and classes of a source as the formatter leaves it, with their public members. @throws Error as above */
export function declarationsIn(source: string): readonly Declaration[] {
  const heads = source.matchAll(
    /(?:\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\n)?export (?:abstract )?(interface|class) (\w+)[^\n]*\{\n([\s\S]*?)\n\}\n/g,
  );
  return [...heads].map(([, comment = '', kind = '', name = '', body = '']) => {
    const members = kind === 'class' ? classMembers(body) : propertiesOf(body, name);
    return { ...readComment(comment), kind: kind === 'class' ? 'class' : 'interface', name, members };
  });
}

const MEMBER_COMMENT = String.raw`(?:  \/\*\*((?:(?!\*\/)[\s\S])*)\*\/\n)?`;

function propertiesOf(body: string, owner: string): Member[] {
  return [...body.matchAll(new RegExp(`${MEMBER_COMMENT}  readonly (\\w+)(\\??): ([^;]+);`, 'g'))].map(
    ([, comment = '', name = '', optional, type = '']) => {
      const read = readComment(comment);
      if (optional === '?' && read.default === undefined)
        throw new Error(`${owner}.${name} is optional without @default`);
      return { ...read, name, type };
    },
  );
}

function classMembers(body: string): Member[] {
  const field = String.raw`(?:(?:abstract )?readonly (\w+): ([^;]+);|get (\w+)\(\): ([^{]+) \{)`;
  const fields = [...body.matchAll(new RegExp(`${MEMBER_COMMENT}  ${field}`, 'g'))].map(
    ([, comment = '', name = '', type = '', read = name, readType = type]) => ({
      ...readComment(comment),
      name: read,
      type: readType,
    }),
  );
  const methods = [
    ...body.matchAll(new RegExp(`${MEMBER_COMMENT}^  ((?:static )?[a-z]\\w*)(\\([^{]*\\): [^{]+) \\{\\n`, 'gm')),
  ].map(([, comment = '', name = '', type = '']) => ({
    ...readComment(comment),
    name: `${name}()`,
    type: `${name}${type}`,
  }));
  return [...fields, ...methods];
}

function readComment(comment: string): Comment {
  const lines = comment.split('\n').map((line) => line.replace(/^\s*\* ?/, '').trim());
  const text = lines.filter((line) => line !== '').join(' ');
  const [said = ''] = text.split(/ ?@(?:default|throws|param|returns)/);
  const value = /@default (?:- )?(.+?)(?= @|$)/.exec(text)?.[1];
  return { text: said.trim(), default: value };
}

function section({ name, kind, text, members }: Declaration): string[] {
  const head = ['', `## ${name}`, '', text];
  if (members.length === 0) return head;
  const isInterface = kind === 'interface';
  const rows = members.map((member) => {
    const cells = [`\`${member.name}\``, `\`${member.type.replaceAll(/\s+/g, ' ')}\``];
    const all = [...cells, ...(isInterface ? [member.default ?? 'required'] : []), member.text];
    return `| ${all.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  });
  return isInterface
    ? [...head, '', '| Property | Type | Default | Meaning |', '|---|---|---|---|', ...rows]
    : [...head, '', '| Member | Type | Meaning |', '|---|---|---|', ...rows];
}
