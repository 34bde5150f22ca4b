import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { quickFolder } from './quick-folder.ts';

/** A new folder, removed when the test ends that asked for it, or whose `beforeEach` did. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(quickFolder(), 'gateway-test-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
