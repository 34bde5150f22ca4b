import { describe, expect, it } from 'vitest';
import { matchesPattern, requireExactPattern } from '../../../../dev/local/events/pattern.ts';
import type { Json } from '../../../../dev/tools/json.ts';

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
