import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  fillTemplate,
  requireKnownPlaceholders,
  resolveParameter,
  valueAtPath,
} from '../../../../local/events/input-template.ts';
import { matchesPattern, requireExactPattern } from '../../../../local/events/pattern.ts';
import type { Json } from '../../../../local/json.ts';

const RECORD = {
  eventName: 'INSERT',
  dynamodb: { NewImage: { type: { S: 'event' }, name: { S: 'a "b" \\ c\n' }, n: { N: '1' } } },
};

describe('a pattern', () => {
  it.each<[Json, boolean]>([
    [{ eventName: ['INSERT'] }, true],
    [{ eventName: ['REMOVE', 'INSERT'] }, true],
    [{ eventName: ['REMOVE'] }, false],
    [{ eventName: ['INSERT'], dynamodb: { NewImage: { type: { S: ['event'] } } } }, true],
    [{ dynamodb: { NewImage: { type: { S: ['other'] } } } }, false],
    [{ dynamodb: { OldImage: { type: { S: ['event'] } } } }, false],
    [{ eventName: { S: ['INSERT'] } }, false],
    [{}, true],
  ])('%j matches: %s', (pattern, expected) => {
    expect(matchesPattern(pattern, RECORD)).toBe(expected);
  });

  it('matches one of the values where the event has a list', () => {
    expect(matchesPattern({ a: ['x'] }, { a: ['y', 'x'] })).toBe(true);
  });

  it.each<[Json, RegExp]>([
    [{ a: [{ prefix: 'x' }] }, /P\.a uses \{"prefix":"x"\}/],
    [{ a: { b: [{ exists: true }] } }, /P\.a\.b/],
    [{ $or: [{ a: ['x'] }] }, /P\.\$or/],
    [{ a: 'x' }, /P\.a must be an object/],
  ])('%j is refused with its place', (pattern, message) => {
    expect(() => requireExactPattern(pattern, 'P')).toThrow(message);
  });
});

describe('a path', () => {
  it('leads to a value, or nowhere', () => {
    expect(valueAtPath('$.dynamodb.NewImage.n', RECORD)).toEqual({ N: '1' });
    expect(valueAtPath('$.dynamodb.OldImage.n', RECORD)).toBeUndefined();
  });

  it.each(['$.a[0]', '$..a', '$', 'a', '$.a.*'])('%s is refused', (path) => {
    expect(() => valueAtPath(path, RECORD)).toThrow('is not supported locally');
  });

  it('stands for a whole parameter, and must lead to a string', () => {
    expect(resolveParameter('$.eventName', RECORD)).toBe('INSERT');
    expect(resolveParameter('literal', RECORD)).toBe('literal');
    expect(() => resolveParameter('$.dynamodb', RECORD)).toThrow('not to a string');
  });
});

describe('an input template', () => {
  it('puts JSON where a placeholder stands alone, and text inside quotes', () => {
    const [name, map] = ['<$.dynamodb.NewImage.name.S>', '<$.dynamodb.NewImage.n>'];
    const template = `{"alone": ${name}, "quoted": "<$.eventName>: ${name}", "map": ${map}}`;
    const text = 'a "b" \\ c\n';
    expect(fillTemplate(template, RECORD)).toEqual({ alone: text, quoted: `INSERT: ${text}`, map: { N: '1' } });
  });

  it('carries any string unharmed', () => {
    const anyText = fc.uint16Array().map((units) => String.fromCharCode(...units));
    fc.assert(
      fc.property(anyText, (text) => {
        expect(fillTemplate('{"a": <$.t>, "b": "x<$.t>"}', { t: text })).toEqual({ a: text, b: `x${text}` });
      }),
    );
  });

  it('is not fooled by escaped quotes before a placeholder', () => {
    expect(fillTemplate('{"a": "\\"<$.t>\\"", "b": <$.t>}', { t: 'v' })).toEqual({ a: '"v"', b: 'v' });
  });

  it('fails where a path leads nowhere', () => {
    expect(() => fillTemplate('{"a": <$.none>}', RECORD)).toThrow('<$.none> leads nowhere');
  });

  it('with a reserved variable is refused at the start', () => {
    expect(() => requireKnownPlaceholders('{"a": <aws.pipes.event>}', 'Pipe')).toThrow('Pipe: <aws.pipes.event>');
  });
});
