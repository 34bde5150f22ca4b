import type { LifecycleEvent } from '../events/lifecycle-event.rules.ts';
import type { ProviderId } from '../providers/provider-ids.rules.ts';
import type { EndpointKind, PinnedList } from './pins.rules.ts';

/** Which pinned list: of an account, so that one's operators decide for nobody else. */
export interface PinnedListRef {
  readonly accountId: string;
  readonly provider: ProviderId;
  readonly endpoint: EndpointKind;
}

export interface PinnedListStore {
  read(ref: PinnedListRef): Promise<PinnedList | undefined>;
  /**
   * Writes a list instead of the one before, with its event if there is one; false where somebody else was faster.
   *
   * @param before the version that was read; undefined where there was none
   */
  write(
    ref: PinnedListRef,
    list: PinnedList,
    before: number | undefined,
    event: LifecycleEvent | undefined,
  ): Promise<boolean>;
}
