import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { connectPage } from '../../../lambdas/connect/pages/connect-page.ts';
import { problemPage } from '../../../lambdas/connect/pages/problem-page.ts';
import {
  FLOW_FAILURES,
  FlowFailure,
  type FlowFailureKind,
} from '../../../lambdas/gateway/authorization/flow-failure.ts';
import { refusal } from '../../../lambdas/gateway/core/errors.ts';
import { html, scriptJson } from '../../../lambdas/gateway/http/html-page.ts';
import { TEXTS } from '../../../lambdas/gateway/languages/index.ts';
import { providerRefusal } from '../../../lambdas/oauth-callback/complete-authorization.ts';
import { resultPage } from '../../../lambdas/oauth-callback/result-page.ts';
import { anyText } from '../../support/any-text.ts';

const OPTIONS = {
  language: 'en' as const,
  texts: TEXTS.en,
  brand: undefined,
  baseUrl: 'https://gateway.example/prod',
  connectReturnUrls: ['https://app.example/done'],
  script: 'run()',
  nonce: 'n0',
  requestId: 'r-1',
};
const FLOW = {
  returnUrl: undefined,
  openerOrigin: undefined,
  integrationId: 'drive',
  language: undefined,
  canStartAgain: true,
};

function textOf(page: { body: unknown }): string {
  return page.body instanceof Uint8Array ? Buffer.from(page.body).toString('utf8') : '';
}

function headerOf(page: { headers: readonly (readonly [string, string])[] }, name: string): string {
  return page.headers.find(([key]) => key === name)?.[1] ?? '';
}

function failedPage(failure: FlowFailure, flow: object = {}) {
  return resultPage({ kind: 'failed', failure, ...FLOW, ...flow }, OPTIONS);
}

describe('the page that ends a flow', () => {
  test.each(Object.keys(FLOW_FAILURES) as FlowFailureKind[])('%s says what happened and whose move it is', (kind) => {
    const failure = new FlowFailure(kind);
    const { text } = failure;
    const page = textOf(failedPage(failure));
    expect(page).toContain(html`<h1>${text.title}</h1>`.text);
    expect(page).toContain(html`${text.happened}`.text);
    expect(page).toContain(html`<strong>${text.next}</strong>`.text);
    expect(page.includes('id="retry"')).toBe(failure.canRetry);
    expect(text.next).toMatch(/[Tt]ry again|[Gg]o back|close this page|developer/);
  });

  test('OA-11: it loads nothing from elsewhere, is not stored, sends no referrer and cannot be framed', () => {
    const page = failedPage(new FlowFailure('refused'));
    const policy = headerOf(page, 'content-security-policy');
    expect(policy).toMatch(
      /^default-src 'none'; script-src 'nonce-n0'; style-src 'nonce-n0'; img-src data:; connect-src 'self';/,
    );
    expect(policy).toContain("frame-ancestors 'none'");
    expect(headerOf(page, 'cache-control')).toBe('no-store');
    expect(headerOf(page, 'referrer-policy')).toBe('no-referrer');
    expect(textOf(page)).not.toMatch(/(?:src|href)="(?!data:,")/);
  });

  test('OA-10: hostile words of the provider change no markup and stay out of the message', () => {
    const hostile = fc.oneof(
      anyText(),
      fc.constantFrom('</script><script>x()</script>', '"><img src=x onerror=x()>', '\u2028x()//', '<!--', "';x()//"),
    );
    const tagsOf = (text: string) => text.match(/<[a-z!/][^>]*>/gi)?.length;
    const calm = tagsOf(textOf(failedPage(providerRefusal('some_error', 'calm'))));
    fc.assert(
      fc.property(hostile, (words) => {
        const page = textOf(failedPage(providerRefusal('some_error', words)));
        expect(tagsOf(page)).toBe(calm);
        expect(page.split('<script')[1]).not.toContain('some_error');
      }),
    );
  });

  test('what the gateway found is not put into the mouth of Google', () => {
    const page = textOf(failedPage(new FlowFailure('malformed_answer', { detail: 'The parameter state is missing.' })));
    expect(page).toContain('Detail: <code lang="en">The parameter state is missing.</code>');
    expect(page).not.toContain('Google said');
  });

  test('OA-12: a return URL that is no longer listed is not offered', () => {
    const failure = new FlowFailure('refused');
    const offering = (returnUrl: string) => textOf(failedPage(failure, { returnUrl }));
    expect(offering('https://app.example/done')).toContain('href="https://app.example/done"');
    expect(offering('https://old.example/done')).not.toContain('old.example');
  });

  test('CS-9: the result goes to one exact origin and holds neither token nor code', () => {
    const opened = failedPage(new FlowFailure('refused'), { openerOrigin: 'https://app.example' });
    const script = textOf(opened).split('<script')[1] ?? '';
    expect(script).toContain('"targetOrigin":"https://app.example"');
    expect(script).not.toContain("'*'");
    expect(textOf(failedPage(new FlowFailure('refused')))).toContain('"targetOrigin":"https://gateway.example"');
  });
});

describe('the page of a start that is refused', () => {
  test('names every problem, each once', () => {
    const problems = ['public_key', 'connection_id'].map((path) => ({ path, message: 'not taken' }));
    const page = textOf(problemPage(refusal('invalid_query_params', problems), OPTIONS));
    expect(page.match(/not taken/g)).toHaveLength(2);
    expect(page).not.toContain('see errors');
  });
});

describe('the hosted connect page', () => {
  const page = connectPage({ ...OPTIONS, allowedOrigins: ['https://app.example'] });

  test('CS-11: only listed origins may frame it', () => {
    expect(headerOf(page, 'content-security-policy')).toMatch(/frame-ancestors https:\/\/app\.example$/);
  });

  test('CS-10: a popup keeps its opener', () => {
    expect(headerOf(page, 'cross-origin-opener-policy')).toBe('unsafe-none');
  });
});

describe('what a page passes to its script', () => {
  test('any value arrives as it was and cannot end the script element', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const json = scriptJson(value);
        expect(json).not.toMatch(/[<>&\u2028\u2029]/);
        expect(JSON.parse(json)).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
  });
});
