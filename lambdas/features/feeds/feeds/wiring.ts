import { readCoreFunctionName } from '../../../gateway/config.ts';
import { innerDoor } from '../../../gateway/platform/inner-door.ts';
import { withoutTokens } from '../../../gateway/platform/kms/token-cipher.ts';
import type { CommonDependencies } from '../../../gateway/wiring.ts';
import { askingCaller, openableFeeds } from '../asking-caller.ts';
import { inboxAddressOf, makeFeedWork } from '../wiring.ts';

/** Works on feeds without a token: another function makes the calls. */
export function makeAskingFeedWork(shared: CommonDependencies): ReturnType<typeof makeFeedWork> {
  const door = innerDoor(readCoreFunctionName(), 'feeds');
  const asking = {
    ...{ ...shared, door, inboxAddress: inboxAddressOf(shared.config) },
    pause: (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms)),
  };
  const cipher = withoutTokens(shared.cipher);
  const work = makeFeedWork({ ...shared, cipher }, (counted) => askingCaller({ ...asking, counted }));
  return { ...work, feeds: openableFeeds(work.feeds, door) };
}
