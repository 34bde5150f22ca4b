import { describe, expect, test } from 'vitest';
import {
  isToolDayUsedUp,
  TOOL_SERVER_CAUSES,
  type ToolServerRefusal,
} from '../../../lambdas/gateway/providers/google/tool-server-causes.rules.ts';

const refusal = (parts: Partial<Omit<ToolServerRefusal, 'reasons'>> & { readonly reasons?: readonly string[] }) => ({
  ...{ status: 403, message: '', service: undefined, quotaLimit: '', ...parts },
  reasons: new Set(parts.reasons),
});
const causeOf = (refused: ToolServerRefusal) => TOOL_SERVER_CAUSES.find(({ is }) => is(refused));

describe('GA-23: a refusal of Google’s MCP server', () => {
  test.for([
    ['an unmarked client', { message: 'Use a client for an AI-powered agent.' }, 'client_not_agentic', 'developer'],
    ['a service that is not enabled', { reasons: ['SERVICE_DISABLED'] }, 'service_not_enabled', 'developer'],
    ['an API that is not enabled', { reasons: ['accessNotConfigured'] }, 'service_not_enabled', 'developer'],
    ['a server that is not there yet', { status: 404 }, 'not_rolled_out', 'developer'],
    ['a policy of the domain', { reasons: ['domainPolicy'] }, 'blocked_by_admin', 'workspace_admin'],
    [
      'a policy in words',
      { message: 'Your administrator does not allow this.' },
      'blocked_by_admin',
      'workspace_admin',
    ],
    ['the end of a daily quota', { status: 429, quotaLimit: 'RequestsPerDay' }, 'daily_quota_used', 'developer'],
  ] as const)('for %s names its cause and who can fix it', ([, parts, code, who]) => {
    expect(causeOf(refusal(parts))).toMatchObject({ code, who });
  });

  test.for([
    ['a 429 of a minute', { status: 429, quotaLimit: 'RequestsPerMinute' }],
    ['a 403 for another reason', { reasons: ['forbidden'] }],
    ['a failure of the server', { status: 503, reasons: ['SERVICE_DISABLED'] }],
  ] as const)('with %s has no cause of its own', ([, parts]) => {
    expect(causeOf(refusal(parts))).toBeUndefined();
  });

  test('a refusal of Google’s MCP server for a service that is not enabled names it, where Google does', () => {
    const named = refusal({ reasons: ['SERVICE_DISABLED'], service: 'drivemcp.googleapis.com' });
    expect(causeOf(named)?.message(named)).toContain('has not enabled drivemcp.googleapis.com.');
    const unnamed = refusal({ reasons: ['SERVICE_DISABLED'] });
    expect(causeOf(unnamed)?.message(unnamed)).toContain('has not enabled the API or its MCP server.');
  });
});

test('GA-25: a 429 ends the day for all keys only where its quota limit is that of a day', () => {
  const body = (quotaLimit: string) => {
    const help = {
      links: [{ url: 'https://developers.google.com/workspace/calendar/api/guides/quota#RequestsPerDay' }],
    };
    const reason = { reason: 'RATE_LIMIT_EXCEEDED', metadata: { quota_limit: quotaLimit } };
    return Buffer.from(JSON.stringify({ error: { code: 429, details: [reason, help] } }, null, 2));
  };
  expect(isToolDayUsedUp(429, body('RequestsPerDayPerProject'))).toBe(true);
  expect(isToolDayUsedUp(429, body('RequestsPerMinutePerProject'))).toBe(false);
  expect(isToolDayUsedUp(403, body('RequestsPerDayPerProject'))).toBe(false);
});
