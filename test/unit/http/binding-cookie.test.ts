import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BINDING_COOKIE, bindingCookies, setBindingCookie } from '../../../lambdas/gateway/http/front-door.ts';
import { elapsedMs } from '../support/connection.ts';

const VALUE = 'A'.repeat(43);

describe('hostile cookies', () => {
  const pair = fc.oneof(
    fc.string({ maxLength: 12 }),
    fc
      .tuple(
        fc.constantFrom(BINDING_COOKIE, BINDING_COOKIE.toLowerCase(), `x${BINDING_COOKIE}`, '__Secure-gateway-binding'),
        fc.constantFrom('=', ' = ', '==', ':'),
      )
      .map(([name, sign]) => `${name}${sign}${VALUE}`),
    fc.string({ maxLength: 50 }).map((value) => `${BINDING_COOKIE}=${value}`),
    fc.constant(`${BINDING_COOKIE}=${VALUE}A`),
  );
  const header = fc.tuple(
    fc.constantFrom('Cookie', 'cookie', 'COOKIE', 'Cookie2', 'X-Cookie'),
    fc.array(pair, { maxLength: 5 }).map((pairs) => pairs.join(';')),
  );

  it('CS-3, CS-8: only values of the right form under exactly this name and header are taken, in their order', () => {
    fc.assert(
      fc.property(fc.array(header, { maxLength: 3 }), (headers) => {
        const expected = headers
          .filter(([name]) => name.toLowerCase() === 'cookie')
          .flatMap(([, text]) => text.split(';'))
          .map((one) => /^([^=]*)=(.*)$/s.exec(one))
          .filter((match) => match?.[1]?.trim() === BINDING_COOKIE && /^[\w-]{43}$/.test(match[2]?.trim() ?? ''))
          .map((match) => match?.[2]?.trim());
        expect(bindingCookies(headers)).toEqual(expected);
      }),
      { numRuns: 500 },
    );
  });

  it('CS-3: what is set is found again among any others', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ maxLength: 10 }).filter((one) => !one.includes(';'))), (others) => {
        const [own = ''] = setBindingCookie(VALUE).split(';');
        expect(bindingCookies([['Cookie', [...others, own].join('; ')]])).toEqual([VALUE]);
      }),
    );
  });

  it('DS-4: a header of 100 kB of it takes no longer than a glance', () => {
    const values = [`${BINDING_COOKIE}=${VALUE} ;`.repeat(1500), ' ='.repeat(50_000)];
    expect(elapsedMs(() => bindingCookies(values.map((value) => ['cookie', value])), 200)).toBeLessThan(200);
  });
});
