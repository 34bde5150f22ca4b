import { vi } from 'vitest';
import { scaleRows } from './rows/scale.ts';
import { describeRows } from './support/describe-rows.ts';

// Thousands of rows through real processes take their time where these share two processors with others.
vi.setConfig({ testTimeout: 600_000 });
describeRows('scale', scaleRows);
