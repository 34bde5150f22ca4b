import { TABLE } from '../core/contract.ts';
import type { NewItemWriter, ThresholdReporter } from './ports.ts';
import { thresholdMark } from './threshold.rules.ts';

/** Writes the mark of a share and the event that reports it in one transaction, so that nothing is reported twice or lost between them. */
export function thresholdReporter(items: NewItemWriter): ThresholdReporter {
  return {
    report: ({ accountId, what, day, percent, goneAfterEpochSec }, event) =>
      items.putNew(
        accountId,
        thresholdMark({ what, day, percent }),
        {
          type: 'threshold',
          [TABLE.timeToLive]: goneAfterEpochSec,
          // Shown in the overview.
          toldAt: event.occurredAt,
          about: { ...event.subject },
          says: event.says ?? {},
        },
        event,
      ),
  };
}
