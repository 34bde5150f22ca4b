import { TABLE } from '../core/contract.ts';
import type { NewItemWriter, ThresholdTeller } from './ports.ts';
import { thresholdMark } from './threshold.rules.ts';

/** Writes the mark of a share and the event that reports it in one transaction, so that nothing is reported twice or lost between them. */
export function thresholdTeller(items: NewItemWriter): ThresholdTeller {
  return {
    tell: ({ accountId, what, day, percent, goneAfterEpochSec }, event) =>
      items.putNew(
        accountId,
        thresholdMark({ what, day, percent }),
        {
          type: 'threshold',
          [TABLE.timeToLive]: goneAfterEpochSec,
          // What the overview shows of it.
          toldAt: event.occurredAt,
          about: { ...event.subject },
          says: event.says ?? {},
        },
        event,
      ),
  };
}
