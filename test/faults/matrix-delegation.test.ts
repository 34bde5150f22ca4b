import { delegationRows } from './rows/delegation.ts';
import { describeRows } from './support/describe-rows.ts';

describeRows('service accounts', delegationRows);
