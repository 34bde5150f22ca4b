import { eventRows } from '../faults/rows/events.ts';
import { grantRows } from '../faults/rows/grants.ts';
import { leaseRows } from '../faults/rows/lease.ts';
import { partialRows } from '../faults/rows/partial.ts';
import { storageRows } from '../faults/rows/storage.ts';
import { sweepRows } from '../faults/rows/sweep.ts';
import { describeRows } from '../faults/support/describe-rows.ts';

describeRows(
  'the fast rows that npm test leaves out',
  [...leaseRows, ...grantRows, ...storageRows, ...partialRows, ...sweepRows, ...eventRows].filter(
    ({ runs }) => runs === 'long',
  ),
  { quick: true },
);
