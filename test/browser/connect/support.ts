import type { Page } from 'playwright-core';
import type { TestGateway } from '../../support/gateway.ts';

export const FIRST = 'first.user@example.com';
export const SECOND = 'second.user@example.com';

/** Opens the hosted page of a session and waits for what it offers. */
export async function openConnectPage(page: Page, test: TestGateway, token: string): Promise<void> {
  await page.goto(`${test.gateway.gatewayUrl}/connect#session_token=${token}`);
  await page.getByRole('heading', { level: 1 }).filter({ hasNotText: 'Connect your account' }).waitFor();
}

/** Chooses an account on the provider's page, if it asks which. */
export async function chooseAccount(page: Page, email: string): Promise<void> {
  await page.getByRole('button', { name: email }).click();
}

/** The heading of the page that ends a flow. */
export async function endHeading(page: Page): Promise<string> {
  await page.waitForURL(/\/oauth\/callback/);
  return page.getByRole('heading', { level: 1 }).innerText();
}

/** Everything a page says that it should not: script errors, dialogs, policy violations. */
export function watchForTrouble(page: Page): string[] {
  const trouble: string[] = [];
  page.on('pageerror', (error) => trouble.push(`error: ${error.message}`));
  page.on('dialog', (dialog) => {
    trouble.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on('console', (message) => {
    if (/Content Security Policy|Refused to/.test(message.text())) trouble.push(message.text());
  });
  return trouble;
}

/** The lowest contrast ratio of any text on the page against its background (WCAG 2.2, 1.4.3). */
export function lowestContrast(page: Page): Promise<number> {
  return page.evaluate(() => {
    const channels = (color: string) => (color.match(/[\d.]+/g) ?? []).map(Number);
    const luminance = (color: string) => {
      const [r = 0, g = 0, b = 0] = channels(color).map((value) => {
        const share = value / 255;
        return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
      });
      return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    const backgroundOf = (element: Element | null): string => {
      if (element === null) return 'rgb(255, 255, 255)';
      const color = getComputedStyle(element).backgroundColor;
      return channels(color)[3] === 0 ? backgroundOf(element.parentElement) : color;
    };
    let lowest = 21;
    for (const element of document.querySelectorAll('body *')) {
      const hasText = [...element.childNodes].some(
        (node) => node.nodeType === Node.TEXT_NODE && node.textContent?.trim(),
      );
      if (!hasText || element.getClientRects().length === 0) continue;
      const [a, b] = [luminance(getComputedStyle(element).color), luminance(backgroundOf(element))];
      lowest = Math.min(lowest, (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05));
    }
    return lowest;
  });
}
