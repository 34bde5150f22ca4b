import { vi } from 'vitest';
import { delegationRows } from './rows/delegation.ts';
import { describeRows } from './support/describe-rows.ts';

vi.setConfig({ testTimeout: 120_000 });
describeRows('service accounts', delegationRows);
