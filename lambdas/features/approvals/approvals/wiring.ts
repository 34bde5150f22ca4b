import { setTimeout } from 'node:timers/promises';
import { readAskingConfig } from '../../../gateway/config.ts';
import { brandSource } from '../../../gateway/http/html-page.ts';
import { openBuiltTexts, readBuiltFile } from '../../../gateway/platform/built-file.ts';
import { systemRandom } from '../../../gateway/platform/clock.ts';
import { innerDoor } from '../../../gateway/platform/inner-door.ts';
import { jsonLogger } from '../../../gateway/platform/telemetry.ts';
import { APPROVAL_TEXTS } from '../languages/index.ts';

/** What this function stands on: the proxy, and no table, key or secret. @throws Error naming every wrong setting */
export function openDependencies() {
  const { brand, proxyFunctionName } = readAskingConfig();
  return {
    logger: jsonLogger('approvals'),
    random: systemRandom,
    pause: (ms: number) => setTimeout(ms),
    door: innerDoor(proxyFunctionName, 'approvals'),
    brand: brandSource(brand, readBuiltFile),
    texts: APPROVAL_TEXTS,
    builtText: openBuiltTexts(),
  };
}
