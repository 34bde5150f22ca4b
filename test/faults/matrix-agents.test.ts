import { vi } from 'vitest';
import { approvalRows } from './rows/approvals.ts';
import { journalRows } from './rows/journal.ts';
import { mcpRows } from './rows/mcp.ts';
import { describeRows } from './support/describe-rows.ts';

vi.setConfig({ testTimeout: 120_000 });
describeRows('approvals, the journal and assistants', [...approvalRows, ...journalRows, ...mcpRows]);
