import { eventRows } from '../../faults/rows/events.ts';
import { partialRows } from '../../faults/rows/partial.ts';
import { storageRows } from '../../faults/rows/storage.ts';
import { sweepRows } from '../../faults/rows/sweep.ts';
import { describeRows } from '../../faults/support/describe-rows.ts';

describeRows(
  'keys, stored values, the schedule and events',
  [...storageRows, ...partialRows, ...sweepRows, ...eventRows].filter(({ runs }) => runs !== 'matrix'),
  { quick: true },
);
