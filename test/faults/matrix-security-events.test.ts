import { securityEventRows } from './rows/security-events.ts';
import { describeRows } from './support/describe-rows.ts';

describeRows('security events', securityEventRows);
