import fc from 'fast-check';
import { expect, test } from 'vitest';
import { matchMethod, parseApiPath } from '../../../packages/simulator/api/match-method.ts';
import { parseParameter } from '../../../packages/simulator/api/method-table.ts';
import { readForms, readText, unescapeHtml } from '../../../packages/simulator/html-forms.ts';
import { readBasicCredentials } from '../../../packages/simulator/oauth/client-authentication.ts';
import { escapeHtml, pageLayout } from '../../../packages/simulator/oauth/page-layout.ts';
import {
  count,
  listOf,
  nullable,
  object,
  oneOf,
  optional,
  parseJson,
  ShapeError,
  text,
} from '../../../packages/simulator/parse.ts';

const SHAPE = object({ name: text, size: optional(count), kind: nullable(oneOf('a', 'b')), tags: listOf(text) });

test.each([
  ['{"name":1}', 'body.name must be a string'],
  ['{"name":"x","size":-1}', 'body.size must be a whole number'],
  ['{"name":"x","kind":"c"}', 'body.kind must be one of a, b'],
  ['{"name":"x","kind":null,"tags":["y",1]}', 'body.tags[1] must be a string'],
  ['{"name":"x","kind":null,"tags":[],"more":1}', 'body.more is not known; use name, size, kind, tags'],
  ['[]', 'body must be an object'],
  ['{', 'body must be JSON'],
])('refuses %s and names the place', (json, message) => {
  expect(() => parseJson(json, SHAPE, 'body')).toThrow(message);
});

test('accepts any JSON or refuses it with its own error', () => {
  fc.assert(
    fc.property(fc.json(), (json) => {
      try {
        parseJson(json, SHAPE, 'body');
      } catch (error) {
        expect(error).toBeInstanceOf(ShapeError);
      }
    }),
  );
});

test('reads a parameter row of the method table', () => {
  const pageSize = { name: 'pageSize', type: 'integer', required: true, minimum: 1, maximum: 1000 };
  expect(parseParameter('pageSize!:integer[1..1000]')).toMatchObject(pageSize);
  expect(parseParameter('eventTypes*{a|b}')).toMatchObject({ type: 'string', repeated: true, allowed: ['a', 'b'] });
});

test('finds a method for any id, whatever is escaped in it', () => {
  fc.assert(
    fc.property(fc.string({ minLength: 1, unit: 'grapheme' }), (id) => {
      fc.pre(id.isWellFormed());
      const path = parseApiPath(`/calendar/v3/calendars/${encodeURIComponent(id)}/events`);
      const found = { rule: { id: 'calendar.events.list' }, pathParameters: { calendarId: id } };
      expect(path && matchMethod('GET', path)).toMatchObject(found);
    }),
  );
});

test('prefers literal segments over parameters', () => {
  const idOf = (verb: string, path: string) => {
    const parsed = parseApiPath(path);
    return parsed === undefined ? undefined : matchMethod(verb, parsed)?.rule.id;
  };
  expect(idOf('GET', '/drive/v3/files/generateIds')).toBe('drive.files.generateIds');
  expect(idOf('DELETE', '/drive/v3/files/trash')).toBe('drive.files.emptyTrash');
  expect(idOf('POST', '/drive/v3/files/x/accessproposals/y:resolve')).toBe('drive.accessproposals.resolve');
  expect(idOf('GET', '/upload/drive/v3/files')).toBeUndefined();
});

test('escapes any text so that it comes back from a page', () => {
  fc.assert(
    fc.property(fc.string(), (value) => {
      expect(escapeHtml(value)).not.toMatch(/[<>"']/);
      expect(unescapeHtml(escapeHtml(value))).toBe(value);
      const [form] = readForms(`<form action="/a"><input type="hidden" name="n" value="${escapeHtml(value)}"></form>`);
      expect(form?.hidden).toEqual([['n', value]]);
    }),
  );
});

test('shows the visible text of a page only', () => {
  expect(readText(pageLayout('title', '<h1>Access &amp; more</h1>'))).toMatch(
    /nothing leaves this machine\. Access & more$/,
  );
});

test('reads Basic credentials with encoded halves', () => {
  fc.assert(
    fc.property(fc.string({ minLength: 1 }), fc.string(), (clientId, clientSecret) => {
      const pair = `${encodeURIComponent(clientId)}:${encodeURIComponent(clientSecret)}`;
      const header = `Basic ${Buffer.from(pair).toString('base64')}`;
      expect(readBasicCredentials(header)).toEqual({ clientId, clientSecret });
    }),
  );
});
