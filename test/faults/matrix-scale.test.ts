import { vi } from 'vitest';
import { scaleRows } from './rows/scale.ts';
import { describeRows } from './support/describe-rows.ts';

// Ten thousand rows through real processes take their time where these share two processors with others.
vi.setConfig({ testTimeout: 400_000 });
describeRows('scale', scaleRows);
