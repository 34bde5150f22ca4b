// @module-tag long
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { decidePage, type PageFrame } from '../../../lambdas/features/approvals/approvals/approve-page.ts';
import { inWords } from '../../../lambdas/features/approvals/in-words.ts';
import { APPROVAL_TEXTS } from '../../../lambdas/features/approvals/languages/index.ts';
import { LANGUAGE_IDS, type Language } from '../../../lambdas/gateway/languages/language.rules.ts';
import { DESCRIBED_METHODS } from '../../../lambdas/gateway/providers/described.ts';
import { closePages, launchBrowser } from '../../support/browser.ts';
import { aboutOf, CALLS, callOf } from '../../unit/features/approvals/scenes.ts';

const frameOf = (language: Language): PageFrame => ({
  language,
  texts: APPROVAL_TEXTS[language],
  continueWithGoogle: 'Continue with Google',
  brand: { name: 'Example CRM', logo: undefined, accent: undefined },
  nonce: 'a-nonce',
  requestId: 'a-request',
});

/** The page of a call that waits. */
function pageOf(language: Language, [methodId, query, body]: (typeof CALLS)[number]): string {
  const plan = callOf(methodId, query, body);
  const { method, target } = plan;
  const request = { method, target, contentType: 'application/json', body: plan.body?.toString() };
  const frame = frameOf(language);
  const about = { ...aboutOf(methodId, plan), seen: 'version:7~0123456789abcdef' };
  const shown = decidePage(frame, {
    kind: 'decide',
    ...{ about, request },
    words: inWords(frame.texts, language, about, request),
    requestedAtMs: Date.UTC(2026, 2, 1),
    expiresAtMs: Date.UTC(2026, 2, 2),
    service: methodId.startsWith('drive.') ? 'Google Drive' : 'Google Calendar',
    appName: 'Assistant',
    account: 'ann@example.com',
    action: '/approve/a-token',
    note: undefined,
  });
  return String(shown.body);
}

describe('the page of a call of each of the 53 methods', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launchBrowser();
  });
  afterAll(() => browser && closePages(browser));

  const looks = (language: Language) => async () => {
    const page = await browser.newPage({ viewport: { width: 390, height: 844 } });
    expect(new Set(CALLS.map(([id]) => id))).toEqual(new Set(DESCRIBED_METHODS.keys()));
    for (const [at, call] of CALLS.entries()) {
      await page.setContent(pageOf(language, call));
      const found = await page.evaluate(() => {
        const sizes = [...document.querySelectorAll('.pair button')].map((one) => {
          const { width, height } = one.getBoundingClientRect();
          return `${width} ${height}`;
        });
        const request = document.querySelector('details');
        const form = document.querySelector('form');
        const isBelow =
          request !== null &&
          form !== null &&
          request.getBoundingClientRect().bottom <= form.getBoundingClientRect().top;
        return {
          buttons: sizes.length,
          sizes: new Set(sizes).size,
          isBelow,
          width: document.documentElement.scrollWidth,
        };
      });
      expect([call[0], found]).toEqual([call[0], { buttons: 2, sizes: 1, isBelow: true, width: 390 }]);
      await page.screenshot({ path: `dist/screenshots/approve-${language}-${at}-${call[0]}.png`, fullPage: true });
    }
    await page.close();
  };

  test('AP-32: fits a phone, with decisions of equal size below the request', looks('en'));
  for (const language of LANGUAGE_IDS.filter((id) => id !== 'en')) {
    test(`AP-32: the page of a call shows its effect in the language ${language}`, looks(language));
  }
});
