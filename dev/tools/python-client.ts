/**
 * What `npm run generate` makes from the API's document for the Python client: the types of what is on the wire (`wire.py`), and a method
 * for each operation of the gateway's own routes, for both kinds of client (`_management.py`).
 */
import { type ClientOperation, clientApi, isOnce, type Schema } from './client-operations.ts';

const HEADER = "# Written by `npm run generate` from the gateway's routes.\n";

/** Words that no name in Python may be (Python reference, "Keywords"). */
const KEYWORDS = new Set(
  'False None True and as assert async await break class continue def del elif else except finally for from global if import in is lambda nonlocal not or pass raise return try while with yield'.split(
    ' ',
  ),
);

/** The generated files by name. @throws Error for a document that the generator does not understand */
export function pythonClientFiles(): Readonly<Record<'wire.py' | '_management.py', string>> {
  const { schemas, operations, tags } = clientApi();
  const types = new WireTypes(schemas);
  const calls = operations.map((operation) => readCall(types, operation));
  const groups = tags
    .map(({ name, description }) => ({ name, description, calls: calls.filter((call) => call.tag === name) }))
    .filter((group) => group.calls.length > 0);
  const missing = calls.find((call) => !groups.some((group) => group.name === call.tag));
  if (missing !== undefined) throw new Error(`The document's tags lack "${missing.tag}".`);
  // The methods name types of their own: types are complete only after them.
  const management = managementModule(groups);
  return { 'wire.py': types.module(), '_management.py': management };
}

/** One TypedDict for each object of the document. */
class WireTypes {
  readonly #schemas: Readonly<Record<string, Schema>>;
  readonly #classes = new Map<string, string>();

  constructor(schemas: Readonly<Record<string, Schema>>) {
    this.#schemas = schemas;
    const entries = Object.entries(schemas);
    for (const [name, schema] of entries) {
      if (schema.properties !== undefined) this.#declare(name, schema);
      else if (schema.oneOf === undefined) throw new Error(`Component ${name} is neither an object nor one of some.`);
    }
    // What a union is made of stands before it.
    for (const [name, { oneOf = [], description }] of entries) {
      if (oneOf.length > 0) this.#classes.set(name, unionAlias(name, oneOf, description));
    }
  }

  /** The schema that a reference names, or the schema itself. */
  resolved(schema: Schema): Schema {
    if (schema.$ref === undefined) return schema;
    const found = this.#schemas[componentName(schema.$ref)];
    if (found === undefined) throw new Error(`${schema.$ref} is not in the document.`);
    return found;
  }

  /** The type of a value as Python writes it. @param nested name for an object that has none */
  typeOf(schema: Schema, nested: string, { prefix = '', list = 'list', dict = 'dict' } = {}): string {
    const again = (inner: Schema, name = nested) => this.typeOf(inner, name, { prefix, list, dict });
    if (schema.$ref !== undefined) return `${prefix}${componentName(schema.$ref)}`;
    if (schema.const !== undefined) return `Literal[${pythonLiteral(schema.const)}]`;
    if (schema.enum !== undefined) return `Literal[${schema.enum.map(pythonLiteral).join(', ')}]`;
    if (schema.anyOf !== undefined) return union(schema.anyOf.map((one) => again(one)));
    if (Array.isArray(schema.type)) return union(schema.type.map((type) => again({ ...schema, type })));
    switch (schema.type) {
      case 'string':
        return 'str';
      case 'integer':
        return 'int';
      case 'number':
        return 'float';
      case 'boolean':
        return 'bool';
      case 'null':
        return 'None';
      case 'array':
        return `${list}[${again(schema.items ?? {}, singular(nested))}]`;
      case 'object': {
        const { properties = {}, additionalProperties } = schema;
        if (Object.keys(properties).length > 0) {
          this.#declare(nested, schema);
          return `${prefix}${nested}`;
        }
        return typeof additionalProperties === 'object' && Object.keys(additionalProperties).length > 0
          ? `${dict}[str, ${again(additionalProperties, `${nested}Value`)}]`
          : `${dict}[str, Any]`;
      }
      default:
        return 'Any';
    }
  }

  /** The whole of `wire.py`. */
  module(): string {
    return `${HEADER}"""What the gateway's own routes take and answer, name for name as on the wire."""

from __future__ import annotations

from typing import Any, Literal, TypedDict
${[...this.#classes.values()].map((text) => `\n\n${text}`).join('\n')}
`;
  }

  #declare(name: string, { properties = {}, required = [], description }: Schema): void {
    if (this.#classes.has(name)) return;
    // Its place is kept, so that a type stands before those it is made of.
    this.#classes.set(name, '');
    const member = ([key, schema]: [string, Schema]) => ({
      key,
      type: this.typeOf(schema, name + pascalCase(key)),
      description: schema.description ?? '',
    });
    const members = Object.entries(properties);
    const always = members.filter(([key]) => required.includes(key)).map(member);
    const sometimes = members.filter(([key]) => !required.includes(key)).map(member);
    const doc = description === undefined ? [] : [`    """${sentence(description)}"""`];
    const text =
      always.length === 0 || sometimes.length === 0
        ? typedDict(name, 'TypedDict', [...always, ...sometimes], sometimes.length > 0, doc)
        : `${typedDict(`_${name}Always`, 'TypedDict', always, false, [])}\n\n\n${typedDict(name, `_${name}Always`, sometimes, true, doc)}`;
    this.#classes.set(name, text);
  }
}

function unionAlias(name: string, oneOf: readonly Schema[], description: string | undefined): string {
  const members = oneOf.map(({ $ref }) => {
    if ($ref === undefined) throw new Error(`${name} is one of schemas that have no names.`);
    return componentName($ref);
  });
  const doc = description === undefined ? [] : [`"""${sentence(description)}"""`];
  return [`${name} = (`, `    ${members.join('\n    | ')}`, ')', ...doc].join('\n');
}

interface Member {
  readonly key: string;
  readonly type: string;
  readonly description: string;
}

function typedDict(
  name: string,
  base: string,
  members: readonly Member[],
  isPartial: boolean,
  doc: readonly string[],
): string {
  const odd = members.some(({ key }) => !/^[A-Za-z_]\w*$/.test(key) || KEYWORDS.has(key));
  const total = isPartial ? ', total=False' : '';
  if (!odd) {
    const lines = members.flatMap(({ key, type, description }) => [
      `    ${key}: ${type}`,
      ...(description === '' ? [] : [`    """${sentence(description)}"""`]),
    ]);
    const heading = [...doc, ...(doc.length > 0 && lines.length > 0 ? [''] : [])];
    return [`class ${name}(${base}${total}):`, ...heading, ...(lines.length > 0 ? lines : ['    pass'])].join('\n');
  }
  // The class syntax has no way to write such keys (PEP 589, "Alternative Syntax").
  const own = base === 'TypedDict' ? name : `_${name}Odd`;
  const keys = members.map(({ key, type }) => `    ${pythonLiteral(key)}: ${pythonLiteral(type)},`).join('\n');
  const alternative = `${own} = TypedDict(${pythonLiteral(own)}, {\n${keys}\n}${total})`;
  return own === name ? alternative : `${alternative}\n\n\nclass ${name}(${base}, ${own}):\n    pass`;
}

/** One argument of a method. */
interface Argument {
  /** In Python. */
  readonly name: string;
  readonly wireName: string;
  readonly type: string;
  readonly isRequired: boolean;
  /** Whether null says something else than leaving it out. */
  readonly isNullable: boolean;
  readonly description: string;
}

/** One operation as a method. */
interface Call {
  readonly tag: string;
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly doc: string;
  readonly takesSession: boolean;
  /** Whether it takes an `Idempotency-Key`. */
  readonly isOnce: boolean;
  readonly ids: readonly Argument[];
  readonly query: readonly Argument[];
  readonly body: readonly Argument[] | undefined;
  /** Type of what the method returns. */
  readonly answer: string;
  /** Whether the answer is the whole content of a `data` member. */
  readonly isWrapped: boolean;
  readonly paging: { entries: string; entryType: string; argument: string; next: string } | undefined;
}

const IN_METHODS = { prefix: 'wire.', list: 'Sequence', dict: 'Mapping' };

function readCall(types: WireTypes, operation: ClientOperation): Call {
  const {
    method,
    path,
    operationId,
    parameters,
    requestBody,
    responses,
    security = [],
    summary,
    description,
  } = operation;
  const [tag] = operation.tags;
  const argument = (wireName: string, schema: Schema, isRequired: boolean, text = schema.description): Argument => ({
    name: safeName(snakeCase(wireName)),
    wireName,
    type: argumentType(types, schema, pascalCase(operationId) + pascalCase(wireName)),
    isRequired,
    isNullable: isNullable(schema),
    description: text ?? '',
  });
  const parametersIn = (place: 'path' | 'query') =>
    parameters
      .filter((parameter) => parameter.in === place)
      .map(({ name, schema, required, description: text }) => argument(name, schema, required, text));
  const given = requestBody?.content?.['application/json']?.schema;
  const { properties, required = [] } = given === undefined ? {} : types.resolved(given);
  if (given !== undefined && properties === undefined) throw new Error(`${operationId}: its body has no properties.`);
  const bodyName = given?.$ref === undefined ? `${pascalCase(operationId)}Body` : componentName(given.$ref);
  const body =
    properties === undefined
      ? undefined
      : Object.entries(properties).map(([name, schema]) => ({
          ...argument(name, schema, required.includes(name)),
          type: argumentType(types, schema, bodyName + pascalCase(name)),
        }));
  const ids = parametersIn('path');
  const current = parametersIn('query');
  // Signatures stay: an argument that was named otherwise is still taken, and sent under its former name.
  const former = Object.entries(operation.formerQuery).flatMap(([wireName, now]) => {
    const meant = current.find((one) => one.wireName === now);
    const name = safeName(snakeCase(wireName));
    if (meant === undefined || meant.name === name) return [];
    return [{ ...meant, name, wireName, isRequired: false, description: `Former name of ${meant.name}.` }];
  });
  const query = [...current, ...former];
  const names = [...ids, ...query, ...(body ?? [])].map(({ name }) => name);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) throw new Error(`${operationId}: ${twice} is in two places.`);
  return {
    tag,
    name: methodName(operationId, tag),
    method,
    path,
    doc: [summary, description].filter((text) => text !== undefined && text !== '').join('\n\n'),
    isOnce: isOnce(operation),
    takesSession: security.length > 0 && security.every((one) => 'connectSession' in one),
    ids,
    query,
    body,
    ...readAnswer(types, operationId, responses, query),
  };
}

function readAnswer(
  types: WireTypes,
  operationId: string,
  responses: ClientOperation['responses'],
  query: readonly Argument[],
): Pick<Call, 'answer' | 'isWrapped' | 'paging'> {
  const [, success] = Object.entries(responses).find(([status]) => /^2/.test(status)) ?? [];
  if (success === undefined) throw new Error(`${operationId} has no answer.`);
  const schema = success.content?.['application/json']?.schema;
  if (schema === undefined) return { answer: 'None', isWrapped: false, paging: undefined };
  const name = schema.$ref === undefined ? `${pascalCase(operationId)}Answer` : componentName(schema.$ref);
  const { properties = {} } = types.resolved(schema);
  const { data, ...others } = properties;
  if (data !== undefined && Object.keys(others).length === 0) {
    const answer = types.typeOf(data, `${name}Data`, { prefix: 'wire.' });
    return { answer: answer.replace(/^list\b/, 'List'), isWrapped: true, paging: undefined };
  }
  const answer = types.typeOf(schema, name, { prefix: 'wire.' });
  const next = Object.keys(properties).find((key) => key.startsWith('next_'));
  const paging = query.find(({ wireName }) => `next_${wireName}` === next);
  const lists = Object.entries(properties).filter(([, property]) => property.type === 'array');
  const [list] = lists;
  if (next === undefined || paging === undefined || list === undefined || lists.length > 1) {
    return { answer, isWrapped: false, paging: undefined };
  }
  const [entries, { items = {} }] = list;
  const entryType = types.typeOf(items, singular(name + pascalCase(entries)), { prefix: 'wire.' });
  return { answer, isWrapped: false, paging: { entries, entryType, argument: paging.name, next } };
}

/** Numbers and truths are texts in a query; Python's callers give them as what they are. */
function argumentType(types: WireTypes, schema: Schema, nested: string): string {
  const words = schema.enum ?? [];
  if (schema.type === 'string' && schema.pattern?.startsWith('^\\d') === true) return 'int';
  if (words.includes('true') && words.includes('false')) {
    const others = words.filter((word) => word !== 'true' && word !== 'false');
    return others.length === 0 ? 'bool' : `bool | Literal[${others.map(pythonLiteral).join(', ')}]`;
  }
  return types.typeOf(schema, nested, IN_METHODS);
}

function isNullable({ type, anyOf = [] }: Schema): boolean {
  return [type].flat().includes('null') || anyOf.some(isNullable);
}

/** `listConnectionEvents` of "Connections" is `list_events`: the group is named before the dot already. */
function methodName(operationId: string, tag: string): string {
  const noun = pascalCase(tag.replaceAll(' ', '_'));
  const without = operationId.replace(
    new RegExp(`${singular(noun)}(${noun.slice(singular(noun).length)})?(?=[A-Z]|$)`),
    '',
  );
  return safeName(snakeCase(without));
}

function managementModule(groups: readonly { name: string; description: string; calls: readonly Call[] }[]): string {
  const kinds = [
    { prefix: '', send: 'Send', isAsync: false },
    { prefix: 'Async', send: 'AsyncSend', isAsync: true },
  ];
  const classes = kinds.flatMap(({ prefix, send, isAsync }) => [
    ...groups.map(({ name, description, calls }) =>
      [
        `class ${prefix}${className(name)}:`,
        `    """${sentence(description)}"""`,
        '',
        `    def __init__(self, send: ${send}) -> None:`,
        '        self._send = send',
        ...calls.flatMap((call) => ['', ...methodLines(call, isAsync)]),
      ].join('\n'),
    ),
    [
      `class ${prefix}Management:`,
      '    """The gateway\'s own routes, by subject."""',
      '',
      `    def __init__(self, send: ${send}) -> None:`,
      ...groups.flatMap(({ name, description }) => [
        `        self.${snakeCase(name.replaceAll(' ', '_'))} = ${prefix}${className(name)}(send)`,
        `        """${sentence(description)}"""`,
      ]),
    ].join('\n'),
  ]);
  const text = classes.map((one) => `\n\n${one}`).join('\n');
  const used = (...names: string[]) => names.filter((name) => new RegExp(`\\b${name}\\b`).test(text)).join(', ');
  return `${HEADER}"""The gateway's own routes as methods."""

from __future__ import annotations

from collections.abc import ${used('AsyncIterator', 'Iterator', 'Mapping', 'Sequence')}
from typing import ${used('Any', 'List', 'Literal')}

from . import wire
from ._routes import ${used('NOT_GIVEN', 'AsyncSend', 'NotGiven', 'RouteCall', 'Send')}
${text}
`;
}

function methodLines(call: Call, isAsync: boolean): string[] {
  const { name, answer } = call;
  const lines = [
    `    ${isAsync ? 'async ' : ''}def ${name}(`,
    ...signature(call, () => false),
    `    ) -> ${answer}:`,
    ...docLines(call.doc, documented(call)),
    ...(answer === 'None'
      ? [`        ${isAsync ? 'await ' : ''}self._send(`]
      : [`        answer: ${answer} = ${isAsync ? 'await ' : ''}self._send(`]),
    ...routeCall(call),
    '        )',
    ...(answer === 'None' ? [] : ['        return answer']),
  ];
  return call.paging === undefined ? lines : [...lines, '', ...iterateLines(call, call.paging, isAsync)];
}

function iterateLines(call: Call, paging: NonNullable<Call['paging']>, isAsync: boolean): string[] {
  const name = call.name.startsWith('list') ? call.name.replace('list', 'iterate') : `iterate_${call.name}`;
  const others = [...call.query, ...(call.body ?? [])].filter((one) => !countsPages(one, paging.argument));
  const given = [...call.ids.map((id) => id.name), ...others.map((one) => `${one.name}=${one.name}`)];
  return [
    `    ${isAsync ? 'async ' : ''}def ${name}(`,
    ...signature(call, (one) => countsPages(one, paging.argument)),
    `    ) -> ${isAsync ? 'AsyncIterator' : 'Iterator'}[${paging.entryType}]:`,
    `        """The entries of \`${call.name}\`, page after page: each page is asked for when it is needed."""`,
    '        next_one: str | None = None',
    '        while True:',
    `            answer = ${isAsync ? 'await ' : ''}self.${call.name}(${[...given, `${paging.argument}=next_one`].join(', ')})`,
    ...(isAsync
      ? [`            for entry in answer["${paging.entries}"]:`, '                yield entry']
      : [`            yield from answer["${paging.entries}"]`]),
    `            next_one = answer.get("${paging.next}")`,
    '            if next_one is None:',
    '                return',
  ];
}

function signature(
  { ids, query, body = [], takesSession, isOnce }: Call,
  isLeftOut: (one: Argument) => boolean,
): string[] {
  const named = [...query, ...body].filter((one) => !isLeftOut(one));
  const line = ({ name, type, isRequired, isNullable: canBeNull }: Argument) => {
    if (isRequired) return `        ${name}: ${type},`;
    return canBeNull ? `        ${name}: NotGiven | ${type} = NOT_GIVEN,` : `        ${name}: ${type} | None = None,`;
  };
  return [
    '        self,',
    ...(takesSession ? ['        session_token: str,'] : []),
    ...ids.map(({ name, type }) => `        ${name}: ${type},`),
    ...(named.length > 0 || isOnce ? ['        *,'] : []),
    // What must be given stands first.
    ...named.filter(({ isRequired }) => isRequired).map(line),
    ...named.filter(({ isRequired }) => !isRequired).map(line),
    ...(isOnce ? ['        idempotency_key: str | None = None,'] : []),
  ];
}

function routeCall({ method, path, ids, query, body, takesSession, isOnce, isWrapped }: Call): string[] {
  const pairs = (args: readonly Argument[]) =>
    args.map((one) => `${pythonLiteral(one.wireName)}: ${one.name}`).join(', ');
  const nullable = (body ?? []).filter(({ isNullable: can }) => can).map(({ wireName }) => pythonLiteral(wireName));
  return [
    '            RouteCall(',
    `                ${pythonLiteral(method)},`,
    `                ${pythonLiteral(path)},`,
    ...(ids.length > 0 ? [`                ids={${pairs(ids)}},`] : []),
    ...(query.length > 0 ? [`                query={${pairs(query)}},`] : []),
    ...(body === undefined ? [] : [`                body={${pairs(body)}},`]),
    ...(takesSession ? ['                session_token=session_token,'] : []),
    ...(nullable.length > 0 ? [`                nullable=frozenset({${nullable.join(', ')}}),`] : []),
    ...(isOnce ? ['                is_once=True,', '                idempotency_key=idempotency_key,'] : []),
    ...(isWrapped ? ['                is_wrapped=True,'] : []),
    '            )',
  ];
}

function documented({ ids, query, body = [], takesSession, isOnce }: Call): string[] {
  const session = takesSession ? ['session_token: `token` of the connect session; stands in for the secret key.'] : [];
  const others = [...ids, ...query, ...body].filter(({ description }) => description !== '');
  const once = isOnce
    ? ['idempotency_key: The same within 24 hours makes nothing more and gives the first answer; a new one by default.']
    : [];
  return [...session, ...others.map(({ name, description }) => `${name}: ${sentence(description)}`), ...once];
}

function docLines(text: string, args: readonly string[]): string[] {
  const paragraphs = text.split(/\n+/).map((one) => one.trim());
  const lines = paragraphs.flatMap((one, index) => (index === 0 ? [one] : ['', one])).map(escaped);
  if (lines.length === 1 && args.length === 0) return [`        """${lines[0]}"""`];
  return [
    `        """${lines[0]}`,
    ...lines.slice(1).map((line) => (line === '' ? '' : `        ${line}`)),
    ...(args.length > 0 ? ['', '        Args:', ...args.map((line) => `            ${line}`)] : []),
    '        """',
  ];
}

/** What says where a page is, which following the pages does by itself. */
function countsPages({ name, description }: Argument, paging: string): boolean {
  return name === paging || name === 'page' || description === `Former name of ${paging}.`;
}

function className(tag: string): string {
  return `${pascalCase(tag.replaceAll(' ', '_'))}Routes`;
}

function componentName(reference: string): string {
  return reference.replace('#/components/schemas/', '');
}

function pythonLiteral(value: unknown): string {
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  // JSON's texts and numbers are Python's too.
  return value === null ? 'None' : JSON.stringify(value);
}

function union(types: readonly string[]): string {
  const all = [...new Set(types.flatMap((type) => type.split(' | ')))];
  return all.includes('Any') ? 'Any' : all.join(' | ');
}

function sentence(text: string): string {
  const line = escaped(text.replaceAll(/\s+/g, ' ').trim());
  const begun = line.charAt(0).toUpperCase() + line.slice(1);
  return /[.!?`]$/.test(begun) ? begun : `${begun}.`;
}

function escaped(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('"""', '\\"\\"\\"').replace(/"$/, '\\"');
}

function singular(word: string): string {
  return word.replace(/ies$/, 'y').replace(/(?<!s)s$/, '');
}

function pascalCase(text: string): string {
  return text
    .split(/[^A-Za-z0-9]+/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');
}

function snakeCase(text: string): string {
  return text
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replaceAll(/[^A-Za-z0-9]+/g, '_')
    .toLowerCase();
}

function safeName(name: string): string {
  return KEYWORDS.has(name) ? `${name}_` : name;
}
