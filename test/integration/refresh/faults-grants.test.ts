// @module-tag long
// @module-tag first
import { grantRows } from '../../faults/rows/grants.ts';
import { describeRows } from '../../faults/support/describe-rows.ts';

describeRows(
  'what the provider answers, and what becomes of the connection',
  grantRows.filter(({ runs }) => runs !== 'matrix'),
  { quick: true },
);
