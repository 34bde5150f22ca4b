import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');
const INDEX = readFileSync(join(ROOT, 'docs/README.md'), 'utf8');

/** What people ask in their first days: the question as the index has it, its page, and the sentence of the page that answers it. */
const QUESTIONS: readonly (readonly [question: string, page: string, answer: string])[] = [
  [
    'What does it do, and is it for me?',
    '../README.md',
    'A self-hosted OAuth gateway for Google Drive and Google Calendar, in your own AWS account.',
  ],
  ['Has it run against live Google?', 'comparison.md', 'it has not run against live AWS or live Google yet'],
  ['What does it cost?', 'costs.md', 'What the gateway costs at AWS, at list prices of us-east-1 without free tiers.'],
  ['How do I try it?', 'first-call.md', 'no AWS account, no Google project'],
  ['Which limits does it have?', 'limits.md', 'Request body | 4.5 MB'],
  ['How do I call Google from Python?', 'first-call.md', 'answer = drive.get("/drive/v3/files"'],
  [
    'How do users connect from my own page?',
    'connect-page.md',
    'Create a session, send the user to its `connect_link`, then ask for the resulting connection:',
  ],
  [
    'How do I find the connection of a user?',
    'first-call.md',
    'Afterwards you find the connection by your own id of the user.',
  ],
  [
    'What happens when a user removes my app?',
    'first-call.md',
    'The remedy says who can fix it; most often a new link for the same connection does.',
  ],
  [
    'How do I follow changes of files and calendars?',
    'changes.md',
    'A *feed* watches one resource of a connection and turns its changes into numbered batches',
  ],
  [
    'How do I receive events?',
    'webhooks.md',
    'Every [event](events.md) of the gateway can be sent to an https endpoint of yours',
  ],
  [
    'How do I test my app in CI?',
    'testing-your-app.md',
    'Your tests can start a whole gateway with a simulated Google',
  ],
  ['How do I deploy it?', 'deploy.md', 'The gateway is one stack in one AWS account and region.'],
  [
    'What does Google require before the public can connect?',
    'go-live.md',
    'Before the public can connect, Google reviews an app that asks for sensitive or restricted scopes.',
  ],
  [
    'Can I avoid the security assessment?',
    'drive-files.md',
    '`drive.file` is not restricted and needs no such review.',
  ],
  [
    'Who can read tokens?',
    'security-overview.md',
    'Call Google as a connection. It gets no token, unless you allow that for the account **and** the key.',
  ],
  [
    'How do I limit what a key may do?',
    'key-limits.md',
    'You can limit a secret key with the right `proxy` to what its service needs',
  ],
  [
    'Can an assistant use it?',
    'agents.md',
    "An assistant such as Claude Code or Gemini CLI can read and change one end user's Google Drive and Google Calendar",
  ],
  [
    'How do I move from Nango, and back?',
    'from-nango.md',
    'You can go back the same way, or to any system that accepts refresh tokens.',
  ],
  [
    'What do I do when an alarm rings?',
    'runbook.md',
    'One entry for everything that can go wrong: what it means, where to look and what to do.',
  ],
];

describe('the 20 questions of a newcomer', () => {
  it('the 20 questions of a newcomer are 20 different ones', () => {
    expect(new Set(QUESTIONS.map(([question]) => question)).size).toBe(20);
  });

  it.each(QUESTIONS)('%s is in the index, and %s answers it', (question, page, answer) => {
    const row = INDEX.split('\n').find((line) => line.startsWith(`| ${question} |`));
    expect(row, `docs/README.md has no row of "${question}"`).toContain(`](${page}`);
    const text = readFileSync(join(ROOT, 'docs', page), 'utf8').replaceAll(/\s+/g, ' ');
    expect(text).toContain(answer);
  });
});

describe('the map of the documents', () => {
  it('the map of the documents is read in a minute: at most 230 words before the list of pages', () => {
    const map = INDEX.slice(0, INDEX.indexOf('\n## All pages'));
    expect(INDEX).toContain('\n## All pages');
    expect(map.split(/\s+/).length).toBeLessThanOrEqual(230);
  });
});
