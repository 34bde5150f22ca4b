import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { GatewayError } from '../../../../lambdas/gateway/core/errors.ts';
import { jsonLogger } from '../../../../lambdas/gateway/platform/telemetry.ts';
import { anyText } from '../../../support/any-text.ts';

const CANARY = 'canary-secret';

/** Lines a use of the logger writes. */
function linesOf(use: (logger: ReturnType<typeof jsonLogger>) => void): string[] {
  const lines: string[] = [];
  use(jsonLogger('proxy', (line) => lines.push(line)));
  return lines;
}

describe('entries (LG-2)', () => {
  it('entries hold the allow-listed fields', () => {
    const fields = { requestId: 'r-1', code: 'conflict', status: 409, count: 0 };
    const [line = ''] = linesOf((logger) => logger.warn('call failed', fields));
    expect(JSON.parse(line)).toMatchObject({ level: 'WARN', function: 'proxy', message: 'call failed', ...fields });
  });

  it('entries leave out every other field', () => {
    const fields = { requestId: 'r-1', authorization: CANARY, headers: { cookie: CANARY }, url: CANARY };
    const lines = linesOf((logger) => {
      logger.info('a', fields);
      logger.warn('b', fields);
      logger.error('c', fields);
    });
    expect(lines).toHaveLength(3);
    for (const line of lines) expect(line).not.toContain(CANARY);
  });

  it('entries say of an error its name, code and places only', () => {
    const error = Object.assign(new Error(CANARY, { cause: new Error(CANARY) }), {
      code: 'ECONNRESET',
      config: { headers: { authorization: CANARY } },
      response: CANARY,
    });
    const problems = [{ path: CANARY, message: CANARY }];
    const gatewayError = new GatewayError('conflict', CANARY, { problems, cause: CANARY });
    const aggregate = new AggregateError([new Error(CANARY)], CANARY);
    const lines = linesOf((logger) => {
      for (const thrown of [error, gatewayError, aggregate]) logger.error('failed', {}, thrown);
    });
    for (const line of lines) expect(line).not.toContain(CANARY);
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ error: { name: 'Error', code: 'ECONNRESET' } });
    expect(JSON.parse(lines[0] ?? '').error.at[0]).toMatch(/^at .*logger\.test\.ts/);
    expect(JSON.parse(lines[1] ?? '')).toMatchObject({ error: { name: 'GatewayError', code: 'conflict' } });
  });

  it.each([CANARY, 42, null, { message: CANARY }, [CANARY], Symbol(CANARY)])(
    'entries say of a thrown value its type only',
    (thrown) => {
      const [line = ''] = linesOf((logger) => logger.error('failed', {}, thrown));
      expect(line).not.toContain(CANARY);
      expect(JSON.parse(line)).toMatchObject({ error: { name: typeof thrown } });
    },
  );
});

describe('what Lambda reads of an entry', () => {
  it.each(['info', 'warn', 'error'] as const)(
    'what Lambda reads of an entry is its level, %s, and its time in the form of RFC 3339 under `timestamp`, without which the level does not count',
    (level) => {
      const [line = ''] = linesOf((logger) => logger[level]('told', {}));
      const entry = JSON.parse(line);
      expect(entry.level).toBe(level.toUpperCase());
      expect(entry.timestamp).toMatch(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/);
      expect(Math.abs(Date.now() - Date.parse(entry.timestamp))).toBeLessThan(60_000);
      expect(entry).not.toHaveProperty('time');
    },
  );
});

describe('stack frames (LG-2)', () => {
  it('stack frames hold no line of a message that is written like a frame', () => {
    const error = new Error(`refused\n    at ${CANARY} (/x.ts:1:1)`);
    const [line = ''] = linesOf((logger) => logger.error('failed', {}, error));
    expect(line).not.toContain(CANARY);
    expect(JSON.parse(line).error.at[0]).toMatch(/^at /);
    error.message = 'changed later';
    const [changed = ''] = linesOf((logger) => logger.error('failed', {}, error));
    expect(changed).not.toContain(CANARY);
  });
});

describe('lines (LG-4)', () => {
  it.each(['\n', '\r\n', '\u001b[31m', '\u2028', '\u2029', '\u0085', '\u009b31m', '\0', '\u007f'])(
    'lines are not forged by %j',
    (text) => {
      const lines = linesOf((logger) => logger.info(`a${text}b`, { code: `c${text}d` }));
      expect(lines).toHaveLength(1);
      expect(lines[0]).toMatch(/^[\x20-\x7e]*$/);
      expect(JSON.parse(lines[0] ?? '')).toMatchObject({ message: `a${text}b`, code: `c${text}d` });
    },
  );

  it('lines are one JSON object each without control characters, whatever they report', () => {
    fc.assert(
      fc.property(anyText(), anyText(), (message, code) => {
        const lines = linesOf((logger) => logger.error(message, { code }, Object.assign(new Error(message), { code })));
        expect(lines).toHaveLength(1);
        expect(lines[0]).not.toMatch(/[\p{Cc}\u2028\u2029]/u);
        expect(JSON.parse(lines[0] ?? '')).toMatchObject({ message, code });
      }),
    );
  });
});
