import { approvalRows } from './rows/approvals.ts';
import { journalRows } from './rows/journal.ts';
import { mcpRows } from './rows/mcp.ts';
import { describeRows } from './support/describe-rows.ts';

describeRows('approvals, the journal and assistants', [...approvalRows, ...journalRows, ...mcpRows]);
