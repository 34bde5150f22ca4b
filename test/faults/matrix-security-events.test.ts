import { vi } from 'vitest';
import { securityEventRows } from './rows/security-events.ts';
import { describeRows } from './support/describe-rows.ts';

vi.setConfig({ testTimeout: 120_000 });
describeRows('security events', securityEventRows);
