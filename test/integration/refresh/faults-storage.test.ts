// @module-tag long
// @module-tag first
import { approvalRows } from '../../faults/rows/approvals.ts';
import { deliveryRows } from '../../faults/rows/deliveries.ts';
import { eventRows } from '../../faults/rows/events.ts';
import { feedRows } from '../../faults/rows/feeds.ts';
import { journalRows } from '../../faults/rows/journal.ts';
import { mcpRows } from '../../faults/rows/mcp.ts';
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
  // Last: these let connections write.
  ...approvalRows,
  ...journalRows,
  ...mcpRows,
];

describeRows(
  'keys, stored values, the schedule, events, feeds, deliveries, security events and assistants',
  ROWS.filter(({ runs }) => runs !== 'matrix'),
  { quick: true, rules: true },
);
