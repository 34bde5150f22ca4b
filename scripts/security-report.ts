/** The way to `tools/security-report.ts` for one day of open branches. */
import { writeFileSync } from 'node:fs';
import { currentSecurityReport, SECURITY_REPORT } from '../tools/security-report.ts';

writeFileSync(SECURITY_REPORT, currentSecurityReport());
