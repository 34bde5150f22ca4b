/** A parsed `q` of `files.list`. */
export type SearchExpression =
  | { kind: 'and' | 'or'; left: SearchExpression; right: SearchExpression }
  | { kind: 'not'; inner: SearchExpression }
  | { kind: 'compare'; field: string; operator: string; value: string | boolean | number }
  | { kind: 'null'; field: string }
  | { kind: 'in'; value: string; collection: string }
  | { kind: 'has'; collection: string; key: string; value: string };

/** Thrown for a `q` that is not well formed. */
export class SearchSyntaxError extends Error {}

type Token = { kind: 'word' | 'operator' | 'mark' | 'number'; text: string } | { kind: 'string'; text: string };

const TOKEN =
  /\s*(?:(?<mark>[(){}])|(?<operator>!=|<=|>=|=|<|>)|'(?<quoted>(?:[^'\\]|\\.)*)'|(?<word>labels\/[\w-]+\.[\w-]+|[A-Za-z_][\w.]*)|(?<number>-?\d+))/y;

function tokenize(q: string): Token[] {
  const tokens: Token[] = [];
  const source = q.trimEnd();
  TOKEN.lastIndex = 0;
  for (let at = 0; at < source.length; at = TOKEN.lastIndex) {
    const groups = TOKEN.exec(source)?.groups;
    if (groups === undefined) throw new SearchSyntaxError(`unexpected text at ${at}`);
    if (groups.mark !== undefined) tokens.push({ kind: 'mark', text: groups.mark });
    else if (groups.operator !== undefined) tokens.push({ kind: 'operator', text: groups.operator });
    else if (groups.word !== undefined) tokens.push({ kind: 'word', text: groups.word });
    else if (groups.number !== undefined) tokens.push({ kind: 'number', text: groups.number });
    else tokens.push({ kind: 'string', text: (groups.quoted ?? '').replaceAll(/\\(.)/gs, '$1') });
  }
  return tokens;
}

/** Brackets and `not` inside each other, and terms of one search: more would end the process, not the search. */
const DEPTH_MAX = 100;
const TERMS_MAX = 1_000;

class Parser {
  readonly #tokens: readonly Token[];
  #next = 0;
  #depth = 0;
  #terms = 0;
  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens;
  }

  whole(): SearchExpression {
    const expression = this.#either();
    if (this.#next < this.#tokens.length) throw new SearchSyntaxError('text after the end');
    return expression;
  }

  #either(): SearchExpression {
    let left = this.#both();
    while (this.#word('or')) left = { kind: 'or', left, right: this.#both() };
    return left;
  }

  #both(): SearchExpression {
    let left = this.#single();
    while (this.#word('and')) left = { kind: 'and', left, right: this.#single() };
    return left;
  }

  #single(): SearchExpression {
    this.#depth += 1;
    if (this.#depth > DEPTH_MAX) throw new SearchSyntaxError(`more than ${DEPTH_MAX} brackets inside each other`);
    const expression = this.#term();
    this.#depth -= 1;
    return expression;
  }

  #term(): SearchExpression {
    this.#terms += 1;
    if (this.#terms > TERMS_MAX) throw new SearchSyntaxError(`more than ${TERMS_MAX} terms`);
    if (this.#word('not')) return { kind: 'not', inner: this.#single() };
    const token = this.#take();
    if (token.kind === 'mark' && token.text === '(') {
      const inner = this.#either();
      const closing = this.#take();
      if (closing.kind !== 'mark' || closing.text !== ')') throw new SearchSyntaxError(') is missing');
      return inner;
    }
    if (token.kind === 'string') {
      const isNegated = this.#word('not');
      if (!this.#word('in')) throw new SearchSyntaxError('in is missing');
      const inner: SearchExpression = { kind: 'in', value: token.text, collection: this.#take('word').text };
      return isNegated ? { kind: 'not', inner } : inner;
    }
    if (token.kind === 'word') return this.#comparison(token.text);
    throw new SearchSyntaxError(`unexpected ${token.text}`);
  }

  /** `{ key='…' and value='…' }` behind `has`. */
  #property(collection: string): SearchExpression {
    this.#expect('mark', '{');
    this.#expect('word', 'key');
    this.#expect('operator', '=');
    const key = this.#take('string').text;
    this.#expect('word', 'and');
    this.#expect('word', 'value');
    this.#expect('operator', '=');
    const value = this.#take('string').text;
    this.#expect('mark', '}');
    return { kind: 'has', collection, key, value };
  }

  #expect(kind: Token['kind'], text: string): void {
    if (this.#take(kind).text !== text) throw new SearchSyntaxError(`${text} is missing`);
  }

  #comparison(field: string): SearchExpression {
    // The one term that Google's guide writes without an operator: `sharedWithMe and name contains 'hello'`.
    if (field === 'sharedWithMe' && this.#endsTerm()) return { kind: 'compare', field, operator: '=', value: true };
    if (this.#word('has')) return this.#property(field);
    if (this.#word('is')) return this.#presence(field);
    const operator = this.#operator();
    const value = this.#take();
    if (value.kind === 'string') return { kind: 'compare', field, operator, value: value.text };
    if (value.kind === 'word' && (value.text === 'true' || value.text === 'false')) {
      return { kind: 'compare', field, operator, value: value.text === 'true' };
    }
    if (value.kind === 'number') return { kind: 'compare', field, operator, value: Number(value.text) };
    throw new SearchSyntaxError('value is missing');
  }

  #operator(): string {
    const token = this.#take();
    if (token.kind === 'operator') return token.text;
    if (token.kind !== 'word') throw new SearchSyntaxError('operator is missing');
    const word = token.text.toLowerCase();
    if (word === 'starts' && this.#word('with')) return 'starts with';
    return word;
  }

  /** `NULL` or `NOT NULL` behind `IS`. */
  #presence(field: string): SearchExpression {
    const isSet = this.#word('not');
    if (!this.#word('null')) throw new SearchSyntaxError('null is missing');
    return isSet ? { kind: 'not', inner: { kind: 'null', field } } : { kind: 'null', field };
  }

  /** True at the end of a term: at the end of all, at a closing bracket, before `and` and `or`. */
  #endsTerm(): boolean {
    const token = this.#tokens[this.#next];
    if (token === undefined) return true;
    return token.kind === 'word' ? /^(?:and|or)$/i.test(token.text) : token.kind === 'mark' && token.text === ')';
  }

  #word(text: string): boolean {
    const token = this.#tokens[this.#next];
    if (token?.kind !== 'word' || token.text.toLowerCase() !== text) return false;
    this.#next += 1;
    return true;
  }

  #take(kind?: Token['kind']): Token {
    const token = this.#tokens[this.#next];
    if (token === undefined || (kind !== undefined && token.kind !== kind)) {
      throw new SearchSyntaxError(`${kind ?? 'more'} is missing`);
    }
    this.#next += 1;
    return token;
  }
}

/**
 * Parses a Drive search (Google: "Search for files and folders"): `and`, `or`, `not`, brackets, comparisons, `'id' in parents`;
 * and fields of labels (Google: "Search for files with a specific label or field value"). Words that join terms count in any case.
 * @throws {SearchSyntaxError}
 */
export function parseSearch(q: string): SearchExpression {
  return new Parser(tokenize(q)).whole();
}

/** True when some comparison is about this field. */
export function mentionsField(expression: SearchExpression, field: string): boolean {
  switch (expression.kind) {
    case 'and':
    case 'or':
      return mentionsField(expression.left, field) || mentionsField(expression.right, field);
    case 'not':
      return mentionsField(expression.inner, field);
    case 'compare':
    case 'null':
      return expression.field === field;
    case 'in':
    case 'has':
      return expression.collection === field;
  }
}

/** Ids of the folders whose children a search asks for. */
export function parentsIn(expression: SearchExpression): string[] {
  switch (expression.kind) {
    case 'and':
    case 'or':
      return [...parentsIn(expression.left), ...parentsIn(expression.right)];
    case 'in':
      return expression.collection === 'parents' ? [expression.value] : [];
    default:
      return [];
  }
}
