import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { upstreamPath } from '../../../lambdas/gateway/proxying/request-line.rules.ts';
import { anyText } from '../../support/any-text.ts';
import { codeOf, elapsedMs, refusalOf } from '../support/connection.ts';
import { googleCalendar, googleDrive } from '../support/google.ts';

const drive = (rest: string) => upstreamPath(`/proxy${rest}`, googleDrive).path;

describe('hostile targets (PX-3)', () => {
  it.each([
    // Another host, or a scheme; a dot right after the prefix among them.
    ...[
      ...['//evil', '/@evil', '/.evil', '/:443@evil', '/https://evil', '/HTTP:evil'],
      ...['/../admin', '/..%2f', '/..%5c', '/..;/', '/..%3bx/', '/.%252e/'],
    ].map((rest) => [rest, 'looks like another address']),
    // Dot segments, however they are written.
    ...['/%2e%2e/', '/%2E%2e/', '/%252e%252e/'].map((rest) => [rest, 'a dot segment']),
    // Controls, and what ends a path.
    ...['/%00', '/%2500', '/%0d%0a', '/%250d%250a', '/%7f', '/%c2%85', '/%e2%80%a8', '/%25e2%2580%25a8'].map((rest) => [
      rest,
      'control characters',
    ]),
    ...['/\t', '/ ', '/a#b', '/a?b', '/\\evil', '/\uff0fevil'].map((rest) => [rest, 'must be percent-encoded']),
    // No UTF-8, and no escapes.
    ...['/%c0%ae%c0%ae/', '/%e0%80%af', '/%ff'].map((rest) => [rest, 'its escapes are not UTF-8']),
    ...['/%', '/%2', '/%zz'].map((rest) => [rest, 'send a literal % as %25']),
    ...['', '/'].map((rest) => [rest, "Put the provider's path after /proxy"]),
  ])('refuses %j right after the prefix as no path, and says why', (rest = '', why = '') => {
    expect(refusalOf(() => drive(rest))).toMatchObject({
      code: 'invalid_path',
      message: expect.stringContaining(why),
    });
  });

  it.each(['/%2f%2fevil', '/%5cevil', '/%ef%bc%8fevil'])('refuses %j right after the prefix as not allowed', (rest) => {
    expect(codeOf(() => drive(rest))).toBe('path_not_allowed');
  });

  it.each([
    ...['/drive/v3/../../admin', '/drive/v3/./files', '/drive/v3/files/..', '/drive/v3/files/.'],
    ...['/drive/v3/%2e%2e%2fcalendar', '/drive/v3/..%252fcalendar', '/drive/v3/files/..;x=1/y'],
    ...['/drive/v3/a%5c..%5cb', '/drive/v3/%252e%252e%255cx', '/drive/v3/..%252f%25c0', '/drive/v3/x%25c0%252f..%252f'],
  ])('refuses %s inside a listed prefix', (rest) => {
    expect(codeOf(() => drive(rest))).toBe('invalid_path');
  });

  const targets = [
    '*',
    'evil:443',
    'http://evil/proxy/drive/v3/files',
    '/PROXY/drive/v3/files',
    '//proxy/drive/v3/files',
    '/proxy',
  ];
  it.each(targets)('refuses the request target %s', (rawPath) => {
    const { code, message } = refusalOf(() => upstreamPath(rawPath, googleDrive));
    expect([code, message]).toEqual(['invalid_path', expect.stringContaining('such as /proxy/drive/v3/files.')]);
  });

  it('never lets a generated path out of the listed prefixes, however often it is decoded', () => {
    const fragment = fc.constantFrom(
      ...'. .. / // \\ %2e %2E %252e %2f %252f %5c %255c ; %3b %25 %c0 %ae %00 %0d%0a @ : evil'.split(' '),
      ...'https: drive v3 files a %25c0 %2525 \uff0f %e2%80%a8 \t'.split(' '),
    );
    const path = fc
      .tuple(fc.constantFrom('/', '/drive/v3/', '/upload/drive/v3/'), fc.array(fragment, { maxLength: 10 }))
      .map(([start, rest]) => start + rest.join(''));
    fc.assert(
      fc.property(path, (rest) => {
        let accepted: string;
        try {
          accepted = drive(rest);
        } catch (error) {
          expect(error).toMatchObject({ name: 'GatewayError' });
          return;
        }
        expect(accepted).toBe(rest);
        expect(new URL(accepted, 'https://www.googleapis.com').origin).toBe('https://www.googleapis.com');
        expect(isProvidersOwn(leniently(accepted))).toBe(true);
        expect(isProvidersOwn(leniently(leniently(accepted)))).toBe(true);
      }),
      { numRuns: 3000 },
    );
  });
});

describe('path fidelity (PX-4)', () => {
  it.each([
    '/drive/v3/files',
    '/drive/v3/files/',
    '/drive/v3/files/a+b%20c',
    '/drive/v3/files/%2Fid%2fid',
    '/drive/v3/files/x;y=z/approvals:start',
    '/drive/v3/files/%23%25%3F%40',
    "/drive/v3/files/!$&'()*,=|[]~",
    '/drive/v3//files',
    '/drive/v3/files/...',
    '/drive/v3/files/.hidden/..x',
    '/upload/drive/v3/files',
    '/batch/drive/v3',
  ])('keeps %s byte for byte', (rest) => {
    expect(drive(rest)).toBe(rest);
  });

  it('keeps a calendar id with an encoded number sign', () => {
    const path = '/calendar/v3/calendars/en.usa%23holiday%40group.v.calendar.google.com/events';
    expect(upstreamPath(`/proxy${path}`, googleCalendar).path).toBe(path);
  });

  it('keeps every generated id, as any client encodes it', () => {
    const id = anyText({ minLength: 1, maxLength: 40 }).filter((text) => !/[\p{Cc}\u2028\u2029/\\;%]/u.test(text));
    fc.assert(
      fc.property(id, (text) => {
        if (text === '.' || text === '..') return;
        const path = `/drive/v3/files/${encodeURIComponent(text)}`;
        expect(drive(path)).toBe(path);
      }),
    );
  });
});

describe('allowed prefixes', () => {
  it.each([
    '/calendar/v3/users/me/calendarList',
    '/drive/v2/files',
    '/drive/v3',
    '/drive/v3x/files',
    '/Drive/v3/files',
    '/batch/drive/v3/more',
    '/batch/calendar/v3',
    '/oauth2/v3/certs',
  ])('refuses %s for Drive and names what is allowed', (rest) => {
    const refusal = refusalOf(() => drive(rest));
    expect(refusal.code).toBe('path_not_allowed');
    expect(refusal.message).toContain('begin with /proxy/drive/v3/, /proxy/upload/drive/v3/, ');
  });

  it.each(['/drive%2Fv3%2Ffiles', '/drive%2fv3/files'])(
    'refuses %s, whose slashes are encoded, and says how to send them',
    (rest) => {
      const refusal = refusalOf(() => drive(rest));
      expect(refusal.code).toBe('path_not_allowed');
      expect(refusal.message).toContain('The slashes of the path are encoded as %2F: send them as /.');
    },
  );
});

describe('time on hostile paths (DS-4)', () => {
  it.each([
    ['dots', '/..'.repeat(33_000)],
    ['escapes', '%25'.repeat(33_000)],
    ['broken escapes', '%c0'.repeat(33_000)],
    ['percent signs', '%'.repeat(100_000)],
    ['slashes', '/'.repeat(100_000)],
    ['semicolons', ';'.repeat(100_000)],
    ['letters', 'a'.repeat(100_000)],
  ])('judges 100 kB of %s in under 50 ms', (_, text) => {
    expect(elapsedMs(() => drive(`/drive/v3/${text}`))).toBeLessThan(50);
  });
});

/** A decoding that fails at nothing, as the most careless server might do it. */
function leniently(text: string): string {
  return text.replace(/%([0-9A-Fa-f]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}

function isProvidersOwn(path: string): boolean {
  const segments = path.split(/[/\\]/).map((segment) => segment.split(';', 1)[0]);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: none may be there
  return !segments.includes('..') && !segments.includes('.') && !/[\x00-\x1f\x7f]/.test(path);
}
