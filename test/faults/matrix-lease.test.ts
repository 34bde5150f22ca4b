import { leaseRows } from './rows/lease.ts';
import { lostAnswerRows } from './rows/lost-answers.ts';
import { describeRows } from './support/describe-rows.ts';

describeRows('lease', [...leaseRows, ...lostAnswerRows]);
