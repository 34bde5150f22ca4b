import { callRows, lossRows } from './rows/calls.ts';
import { describeRows } from './support/describe-rows.ts';

describeRows('counted calls', callRows);
describeRows('calls without a line', lossRows);
