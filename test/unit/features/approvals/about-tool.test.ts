import { describe, expect, test } from 'vitest';
import { aboutTool } from '../../../../lambdas/features/approvals/about-tool.rules.ts';
import { inWords } from '../../../../lambdas/features/approvals/in-words.ts';
import { judgedTool } from '../../../../lambdas/features/approvals/judge-tool.rules.ts';
import { APPROVAL_TEXTS } from '../../../../lambdas/features/approvals/languages/index.ts';
import type { Language } from '../../../../lambdas/gateway/languages/language.rules.ts';
import type { ProviderId } from '../../../../lambdas/gateway/providers/provider-ids.rules.ts';
import { KNOWN_SERVERS } from '../../../../lambdas/gateway/server-tools/known-tools.rules.ts';
import { readToolCall, toolRequest } from '../../../../lambdas/gateway/server-tools/tool-call.rules.ts';

const LANGUAGES = Object.keys(APPROVAL_TEXTS) as Language[];
const ACCOUNT = { email: 'ann@example.com' };

function callOf(name: string, args: Record<string, unknown>, provider: ProviderId = 'google-calendar') {
  const tool = {
    ...{ provider, name, title: 'Title', description: 'What it does.', hash: 'a'.repeat(64) },
    ...{ endpoint: 'full' as const, asksToo: false },
  };
  const { body } = toolRequest(tool, args, true);
  const read = readToolCall({ tool, body });
  if (read === undefined) throw new Error(`${name} is not known`);
  return read;
}

const TOOLS = Object.entries(KNOWN_SERVERS).flatMap(([provider, server]) =>
  (server?.tools ?? []).map(({ name }) => [provider as ProviderId, name] as const),
);

describe('what a person reads of a call to a provider’s MCP server', () => {
  test.each(TOOLS)(
    'GA-24: what a person reads of a call to a provider’s MCP server is a sentence and facts in every language, for %s %s',
    (provider, name) => {
      const about = aboutTool(callOf(name, { eventId: 'e1', fileId: 'f1', title: 'T' }, provider), undefined, ACCOUNT);
      for (const language of LANGUAGES) {
        const words = inWords(APPROVAL_TEXTS[language], language, about, undefined);
        expect(words.sentence.length).toBeGreaterThan(0);
        expect(JSON.stringify(words)).not.toMatch(/undefined|\{\w+\}/);
        expect(words.facts.at(-1)?.after.join()).not.toBe('');
      }
    },
  );

  test('GA-24: shows every argument as it is sent, hidden characters by their numbers, and what stood there before', () => {
    const args = {
      eventId: 'e1',
      summary: 'New\u202e',
      attendeeEmails: ['b@example.com', 'c@elsewhere.example'],
      odd: { deep: [1] },
    };
    const about = aboutTool(
      callOf('update_event', args),
      { summary: 'Old', iCalUID: 'e1@google.com', recurrence: ['RRULE:FREQ=DAILY'] },
      ACCOUNT,
    );
    const { sentence, facts, risks } = inWords(APPROVAL_TEXTS.en, 'en', about, undefined);
    expect(sentence.map((one) => (typeof one === 'string' ? one : one.name)).join('')).toBe(
      'Change all events of the series Old',
    );
    const shown = new Map(facts.map(({ label, before, after }) => [label, [before, after]]));
    expect(shown.get('summary')).toEqual([['Old'], ['New[U+202E]']]);
    expect(shown.get('attendeeEmails')?.[1]).toEqual([
      'b@example.com',
      'c@elsewhere.example (outside your organization)',
    ]);
    expect(shown.get('As it is now')?.[1]).toContain('iCalUID: e1@google.com');
    expect(shown.get('odd')?.[1]).toEqual(['deep: 1']);
    expect(risks).toEqual([
      'This reaches people outside your organization.',
      'This is about all events of the series, past and future.',
    ]);
  });

  test.each([
    ['the object', { summary: 'Old' }, { summary: 'Other' }],
    ['what the object shows at all', { summary: 'Old' }, undefined],
  ])(
    'GA-24: what a person reads of a call to a provider’s MCP server is another once %s is another',
    (_, before, after) => {
      const call = callOf('delete_event', { eventId: 'e1' });
      expect(aboutTool(call, before, ACCOUNT).seen).not.toBe(aboutTool(call, after, ACCOUNT).seen);
      const accepted = { ...call, tool: { ...call.tool, hash: 'b'.repeat(64) } };
      expect(aboutTool(accepted, before, ACCOUNT).seen).not.toBe(aboutTool(call, before, ACCOUNT).seen);
    },
  );
});

describe('how an approved call to a provider’s MCP server ended', () => {
  const answer = (value: object, status = 200) => ({
    status,
    headers: [['content-type', 'application/json'] as const],
    body: Buffer.from(JSON.stringify({ jsonrpc: '2.0', id: 1, ...value })).toString('base64'),
  });
  const form = answer({ result: { resultType: 'input_required', inputRequests: {} } });
  test.each([
    ['a result', answer({ result: { content: [] } }), false, 'done', '200'],
    ['a failure of the tool', answer({ result: { content: [], isError: true } }), false, 'failed', 'tool_error'],
    ['a form where both are to ask', form, true, 'failed', 'provider_asks'],
    ['a form where only the gateway is to ask', form, false, 'failed', 'approval_needed'],
    [
      'a client that would need forms',
      answer({ error: { code: -32021, message: '' } }, 400),
      true,
      'failed',
      'approval_needed',
    ],
    ['another error', answer({ error: { code: -32602, message: '' } }), false, 'failed', 'error -32602'],
    ['a refusal', answer({ error: { code: 1, message: '' } }, 403), false, 'failed', '403'],
    ['a failure of the server', answer({}, 503), false, 'unknown', '503'],
    ['what cannot be read', answer({}), false, 'unknown', 'upstream_invalid_response'],
    ['a result that is too long to be kept', { ...form, body: undefined }, true, 'done', '200'],
  ])(
    'GA-24: how an approved call to a provider’s MCP server ended is said of %s',
    (_, result, asksToo, state, outcome) => {
      expect(judgedTool({ asksToo }, result)).toEqual({ state, outcome });
    },
  );
});
