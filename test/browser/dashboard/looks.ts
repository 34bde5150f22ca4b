import type { Page } from 'playwright-core';
import { accessibilityProblems, COLOR_RULES, shapeOf } from '../../support/dashboard.ts';

/** Widths of a phone, a small laptop and a desk. */
export const WIDTHS = [390, 1024, 1440] as const;

/** How a page is looked at. */
interface Look {
  /** Of the window, in pixels. */
  readonly height: number;
  /** What else is wrong with the page, asked at every width. */
  readonly further?: (page: Page) => Promise<readonly string[]>;
  /** Selector of a dialog that is open: what lies behind it, which the page without the dialog shows too, is looked at once. */
  readonly dialog?: string;
}

/**
 * What axe finds on the page at hand at every width in both themes, and whether it is too wide anywhere. In the dark it asks the rules
 * that read colors; all of them where anything but colors differs.
 *
 * @param name of the page, for the texts
 */
export async function problemsInAnyLook(
  page: Page,
  name: string,
  { height, further = async () => [], dialog }: Look,
): Promise<string[]> {
  const found: string[] = [];
  for (const [at, width] of WIDTHS.entries()) {
    await page.emulateMedia({ colorScheme: 'light' });
    await page.setViewportSize({ width, height });
    await drawn(page);
    const excess = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    if (excess > 0) found.push(`${name}, ${width} px: ${excess} px too wide`);
    found.push(...(await further(page)).map((problem) => `${name}, ${width} px: ${problem}`));
    const light = await accessibilityProblems(page, undefined, at === 0 ? undefined : dialog);
    const shape = await shapeOf(page, dialog);
    await page.emulateMedia({ colorScheme: 'dark' });
    await drawn(page);
    const isSame = (await shapeOf(page, dialog)) === shape;
    const dark = await accessibilityProblems(page, isSame ? COLOR_RULES : undefined, dialog);
    found.push(...light.map((problem) => `${name}, ${width} px, light: ${problem}`));
    found.push(...dark.map((problem) => `${name}, ${width} px, dark: ${problem}`));
  }
  return found;
}

/** Waits until the page is drawn as its window is now. */
async function drawn(page: Page): Promise<void> {
  await page.evaluate(
    () => new Promise<void>((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve()))),
  );
}
