import { expect, test } from 'vitest';
import { judgeAnswer } from '../../../dev/support/judge-answers.ts';

const FILE = { methodId: 'drive.files.get', api: 'drive', schema: 'File' } as const;

test.each<[resource: unknown, problems: string[]]>([
  [{ id: 'a', size: '5', createdTime: '2026-01-01T00:00:00.000Z', owners: [{ me: true }] }, []],
  [{ colour: 'red' }, ['drive.files.get: File.colour is not a member']],
  [{ size: 5 }, ['drive.files.get: File.size is no int64: 5']],
  [{ createdTime: 'yesterday' }, ['drive.files.get: File.createdTime is no time: "yesterday"']],
  [{ owners: [{ colour: 1 }] }, ['drive.files.get: File.owners[0].colour is not a member']],
  [{ capabilities: { canFly: true } }, ['drive.files.get: File.capabilities.canFly is not a member']],
  [{ properties: { a: 1 } }, ['drive.files.get: File.properties.a is no string: 1']],
  [[], ['drive.files.get: File is no object']],
])('judges %j by the schema of the discovery document', (resource, problems) => {
  expect(judgeAnswer({ ...FILE, resource })).toEqual(problems);
});

test('objects to an answer of a method that answers nothing', () => {
  expect(judgeAnswer({ ...FILE, schema: undefined, resource: {} })).toEqual([
    'drive.files.get answers nothing at Google',
  ]);
});
