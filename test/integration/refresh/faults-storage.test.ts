import { deliveryRows } from '../../faults/rows/deliveries.ts';
import { eventRows } from '../../faults/rows/events.ts';
import { feedRows } from '../../faults/rows/feeds.ts';
import { partialRows } from '../../faults/rows/partial.ts';
import { securityEventRows } from '../../faults/rows/security-events.ts';
import { storageRows } from '../../faults/rows/storage.ts';
import { sweepRows } from '../../faults/rows/sweep.ts';
import { describeRows } from '../../faults/support/describe-rows.ts';

const ROWS = [
  ...storageRows,
  ...partialRows,
  ...sweepRows,
  ...eventRows,
  ...feedRows,
  ...deliveryRows,
  ...securityEventRows,
];

describeRows(
  'keys, stored values, the schedule, events, feeds, deliveries and security events',
  ROWS.filter(({ runs }) => runs !== 'matrix'),
  { quick: true, rules: true },
);
