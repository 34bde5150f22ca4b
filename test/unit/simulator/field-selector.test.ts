import fc from 'fast-check';
import { expect, test } from 'vitest';
import { FieldSyntaxError, parseFields, selectFields } from '../../../packages/simulator/api/field-selector.ts';

const FILE = {
  id: '1',
  name: 'a',
  owners: [
    { email: 'x', me: true },
    { email: 'y', me: false },
  ],
  size: '3',
};
const LIST = { kind: 'list', nextPageToken: 't', files: [FILE] };

test.each<[fields: string, expected: unknown]>([
  ['kind', { kind: 'list' }],
  ['*', LIST],
  ['kind,nextPageToken', { kind: 'list', nextPageToken: 't' }],
  ['files(id,name)', { files: [{ id: '1', name: 'a' }] }],
  ['files/id', { files: [{ id: '1' }] }],
  ['files(id,owners/email)', { files: [{ id: '1', owners: [{ email: 'x' }, { email: 'y' }] }] }],
  ['files(owners(me))', { files: [{ owners: [{ me: true }, { me: false }] }] }],
  ['files/*', { files: [FILE] }],
  ['files/id,files/name', { files: [{ id: '1', name: 'a' }] }],
  ['files,files/id', { files: [FILE] }],
  [' kind , files ( id ) ', { kind: 'list', files: [{ id: '1' }] }],
  ['absent', {}],
])('selects %s', (fields, expected) => {
  expect(selectFields(LIST, parseFields(fields))).toEqual(expected);
});

test.each(['', ',', 'a,', 'a(', 'a()', 'a(b', 'a)b', 'a//b', '/a', 'a b!', '(a)'])('refuses %j', (fields) => {
  expect(() => parseFields(fields)).toThrow(FieldSyntaxError);
});

const name = fc.stringMatching(/^[a-z]{1,4}$/);
const json = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    fc.integer(),
    fc.string(),
    fc.array(tie('value')),
    fc.dictionary(name, tie('value')),
  ),
})).value;

test('keeps everything with *', () => {
  fc.assert(
    fc.property(json, (value) => {
      expect(selectFields(value, parseFields('*'))).toEqual(value);
    }),
  );
});

test('never shows a member that was not asked for', () => {
  fc.assert(
    fc.property(fc.dictionary(name, json), fc.array(name, { minLength: 1 }), (value, names) => {
      const shown = selectFields(value, parseFields(names.join(',')));
      expect(Object.keys(shown ?? {}).every((key) => names.includes(key))).toBe(true);
    }),
  );
});

test('parses any text or refuses it with its own error', () => {
  fc.assert(
    fc.property(fc.string(), (fields) => {
      try {
        parseFields(fields);
      } catch (error) {
        expect(error).toBeInstanceOf(FieldSyntaxError);
      }
    }),
  );
});
