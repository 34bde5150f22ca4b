import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readableLine } from '../../../dev/local/log-format.ts';

describe('a log line', () => {
  it.each([
    ['plain text', 'plain text'],
    ['{"not closed', '{"not closed'],
    ['{"a":1}', '{"a":1}'],
    [
      '{"timestamp":"t","level":"WARN","requestId":"r","message":"m","cause":"c","n":{"x":1}}',
      'WARN m cause=c n={"x":1}',
    ],
    ['{"level":"ERROR","message":{"errorType":"E","stackTrace":["E: m","    at x"]}}', 'ERROR E: m\n      at x'],
    ['{"_aws":{"CloudWatchMetrics":[]},"Authorization":1}', undefined],
  ])('%s is shown as %s', (text, expected) => {
    expect(readableLine(text)).toBe(expected);
  });

  it('a log line is never lost unless it is a metric', () => {
    fc.assert(fc.property(fc.json(), (text) => text.includes('_aws') || readableLine(text) !== undefined));
  });
});
