// @module-tag first
import { leaseRows } from '../../faults/rows/lease.ts';
import { describeRows } from '../../faults/support/describe-rows.ts';

describeRows(
  'faults around the lease',
  leaseRows.filter(({ runs }) => runs !== 'matrix'),
  { quick: true },
);
