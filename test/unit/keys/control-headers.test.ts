import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { HeaderPairs } from '../../../lambdas/gateway/core/http-message.ts';
import { invalidSecretKey, readProxyControl } from '../../../lambdas/gateway/keys/credentials.rules.ts';
import { anyText } from '../../support/any-text.ts';
import { codeOf, elapsedMs, refusalOf } from '../support/connection.ts';

const KEY = `sk_default_${'a'.repeat(43)}`;
const REQUIRED: HeaderPairs = [
  ['Authorization', `Bearer ${KEY}`],
  ['Provider-Config-Key', 'drive'],
  ['Connection-Id', 'user-1'],
];
const API = 'https://www.googleapis.com';
const NOT_VALID = 'This secret key is not valid';

const read = (extra: HeaderPairs = []) => readProxyControl([...REQUIRED, ...extra], [API]);
const without = (name: string, extra: HeaderPairs = []) =>
  readProxyControl([...REQUIRED.filter(([key]) => key !== name), ...extra], [API]);
const paths = (action: () => unknown) => refusalOf(action).problems?.map(({ path }) => path);
const problems = (action: () => unknown) =>
  refusalOf(action).problems?.map(({ path, message }) => `${path}: ${message}`);

describe('identity headers (PX-9, PX-10)', () => {
  it('reads them in any case', () => {
    const headers = REQUIRED.map(([name, value]) => [name.toUpperCase(), value] as const);
    const who = { secretKey: KEY, integrationId: 'drive', connectionId: 'user-1' };
    expect(readProxyControl(headers, [API])).toEqual({ ...who, retries: 0, retryOn: new Set() });
  });

  it('IA-10: reads no key from a request that is signed, whatever its Authorization says', () => {
    const signed = ['AWS4-HMAC-SHA256 Credential=…', 'Bearer sk_other'].map(
      (value) => ['Authorization', value] as const,
    );
    for (const headers of [REQUIRED.slice(1), [...REQUIRED.slice(1), ...signed]]) {
      expect(readProxyControl(headers, [API], true)).toMatchObject({ secretKey: '', connectionId: 'user-1' });
    }
  });

  it('answers 401 where there is no Authorization at all', () => {
    const { code, message } = refusalOf(() => without('Authorization'));
    expect([code, message]).toEqual([
      'missing_auth_header',
      'Send the secret key as Authorization: Bearer <SECRET_KEY>.',
    ]);
  });

  it.each(['Authorization', 'Provider-Config-Key', 'Connection-Id'])('refuses a second %s, equal or not', (name) => {
    const first = REQUIRED.find(([key]) => key === name)?.[1] ?? '';
    for (const value of [first, 'other']) {
      expect(problems(() => read([[name.toLowerCase(), value]]))).toEqual([`headers.${name}: send it once`]);
    }
  });

  it.each(['Provider-Config-Key', 'Connection-Id'])('refuses a missing, empty or malformed %s', (name) => {
    const isRequired = [`headers.${name}: this header is required`];
    expect(problems(() => without(name))).toEqual(isRequired);
    expect(problems(() => without(name, [[name, '']]))).toEqual(isRequired);
    for (const value of ['a/b', ' a', 'a'.repeat(256)]) {
      expect(paths(() => without(name, [[name, value]]))).toEqual([`headers.${name}`]);
    }
  });

  it('the gateway does not take two ids joined by a comma for one', () => {
    expect(paths(() => without('Connection-Id', [['Connection-Id', 'a, b']]))).toEqual(['headers.Connection-Id']);
  });

  it.each([KEY, `Basic ${KEY}`, 'Bearer', 'Bearer ', `Bearer ${KEY} x`, `Bearer\t${KEY}`, `Bearer ${KEY},`, ''])(
    'the gateway the gateway has one answer for the credentials %j (AK-3)',
    (value) => {
      const refusal = refusalOf(() => without('Authorization', [['Authorization', value]]));
      expect([refusal.code, refusal.status, refusal.problems]).toEqual(['invalid_secret_key', 401, undefined]);
    },
  );

  it.each([
    ...[KEY, ` ${KEY}`, 'cs_a'].map((value) => [value, 'Put the word Bearer and a space before the key']),
    ...['', ' ', 'Bearer', 'bearer '].map((value) => [value, 'The Authorization header holds no key']),
    ...['"a"', "'a'", '<SECRET_KEY>', '[a]', '{a}', '$SECRET_KEY', '  "a"'].map((value) => [
      `Bearer ${value}`,
      'Send the key alone after Bearer',
    ]),
    ...[`Basic ${KEY}`, 'a bearer', 'Bearers', 'Bearer a b', 'X-Bearer "a"'].map((value) => [value, NOT_VALID]),
  ])('says what is wrong with the header %j, by its form alone', (value = '', why = '') => {
    expect(refusalOf(() => without('Authorization', [['Authorization', value]])).message).toContain(why);
  });

  it.each([
    [
      `cs_${'a'.repeat(43)}`,
      'which only lets a user connect. Send a secret key (sk_…) as Authorization: Bearer <SECRET_KEY>.',
    ],
    ['ya29.a0Af', "This is one of Google's access tokens"],
    [
      `ak_default_${'a'.repeat(43)}`,
      "This is an agent's key, which works at /mcp alone. Send a secret key (sk_…) as Authorization: Bearer <SECRET_KEY>.",
    ],
    ...[undefined, 'sk_short', 'nonsense', 'a-ya29.', 'a-ak_'].map((sent) => [sent, NOT_VALID]),
  ])('says what stands where a key belongs: %j', (sent, why = '') => {
    expect(invalidSecretKey(sent).message).toContain(why);
  });

  it('names every problem at once, and what to do', () => {
    const wrong = { Retries: 'many', 'Retry-On': 'x', 'Base-Url-Override': 'https://evil.example' };
    const headers = [...REQUIRED.slice(0, 1), ...Object.entries({ authorization: 'Bearer x', ...wrong })];
    expect(problems(() => readProxyControl(headers, [API]))).toEqual([
      'headers.Authorization: send it once',
      'headers.Provider-Config-Key: this header is required',
      'headers.Connection-Id: this header is required',
      'headers.Retries: send a whole number from 0 to 5',
      'headers.Retry-On: send HTTP statuses separated by commas, such as 429,503',
      "headers.Base-Url-Override: the gateway calls only the provider's own address; omit this header",
    ]);
  });
});

describe('Retries and Retry-On (PX-24)', () => {
  it.each([
    ['0', 0],
    ['3', 3],
    ['5', 5],
    ['005', 5],
    ['', 0],
    [' 2 ', 2],
  ])('reads Retries %j as %d', (value, retries) => {
    expect(read([['Retries', value]]).retries).toBe(retries);
  });

  it.each(['6', '9', '999999', '-1', '1.5', 'x', '1e3', '0x2', '1234567', 'NaN', '\u0663'])(
    'refuses Retries %j',
    (value) => {
      expect(paths(() => read([['Retries', value]]))).toEqual(['headers.Retries']);
    },
  );

  it('never grants more than five, whatever is generated', () => {
    fc.assert(
      fc.property(anyText({ maxLength: 12 }), (value) => {
        const control = codeOf(() => read([['Retries', value]]));
        if (control !== 'invalid_headers')
          expect(control).toMatchObject({ retries: expect.toSatisfy((n) => n >= 0 && n <= 5) });
      }),
    );
  });

  it('reads a list of statuses', () => {
    expect([...read([['Retry-On', '429, 503,500']]).retryOn]).toEqual([429, 503, 500]);
    expect(read([['Retry-On', '']]).retryOn.size).toBe(0);
  });

  it('takes the last of repeated values that is not empty', () => {
    const repeated = (...values: string[]) => read(values.map((value) => ['Retries', value] as const)).retries;
    expect([repeated('2', ''), repeated('2', '4')]).toEqual([2, 4]);
  });

  it.each(['5xx', '429;503', '42', '4290', '600', '429,', '-429'])('refuses Retry-On %j', (value) => {
    expect(paths(() => read([['Retry-On', value]]))).toEqual(['headers.Retry-On']);
  });
});

describe('Gateway-Priority', () => {
  const values = (...all: string[]) => read(all.map((value) => ['gateway-priority', value] as const)).priority;

  it('says whether somebody waits for the call, and nothing where it is left out', () => {
    expect([values('interactive'), values(' background ')]).toEqual(['interactive', 'background']);
    expect([values(), values(''), values('background', '')]).toEqual([undefined, undefined, 'background']);
  });

  it.each(['Interactive', 'high', 'interactive,background', '1'])('refuses %j, and says what to send', (value) => {
    expect(problems(() => values(value))).toEqual(['headers.Gateway-Priority: send interactive or background']);
  });
});

describe('Base-Url-Override (PX-1)', () => {
  it.each(['', ' ', API, `${API}/`])('ignores %j', (value) => {
    expect(codeOf(() => read([['Base-Url-Override', value]]))).toMatchObject({ integrationId: 'drive' });
  });

  it.each([
    ...['https://evil.example', `${API}.evil.example`, `${API}:8443`, `${API}/drive`, `${API}//`, '//x'],
    'http://www.googleapis.com',
  ])('refuses %s', (value) => {
    expect(paths(() => read([['Base-Url-Override', value]]))).toEqual(['headers.Base-Url-Override']);
  });

  it('judges every repeated value', () => {
    const values = ['https://evil.example', ''].map((value) => ['Base-Url-Override', value] as const);
    expect(paths(() => read(values))).toEqual(['headers.Base-Url-Override']);
  });
});

describe('time on hostile values (DS-4)', () => {
  const hostile = [
    ...[' ', 'a', '1'].map((unit) => unit.repeat(100_000)),
    '429,'.repeat(25_000),
    `${'='.repeat(100_000)} x`,
  ];
  it.each(['Authorization', 'Provider-Config-Key', 'Connection-Id', 'Retries', 'Retry-On', 'Base-Url-Override'])(
    'judges 100 kB in %s in under 50 ms',
    (name) => {
      for (const value of hostile) {
        for (const prefix of ['', 'Bearer ', 'Bearer a']) {
          expect(elapsedMs(() => without(name, [[name, prefix + value]]))).toBeLessThan(50);
        }
      }
    },
  );
});
