import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CommanderError } from 'commander';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { eventOf, followFile } from '../../../cli/events/follow-file.ts';
import { commaList, given, wholeNumber } from '../../../cli/options.ts';
import { printFields, printTable } from '../../../cli/output.ts';
import { CommandProblem, describe as describeProblem } from '../../../cli/problems.ts';
import { GatewayError, NetworkError, TimeoutError } from '../../../client/src/index.ts';

function printed(work: () => void): string {
  let text = '';
  const write = vi.spyOn(process.stdout, 'write').mockImplementation((chunk) => {
    text += String(chunk);
    return true;
  });
  try {
    work();
  } finally {
    write.mockRestore();
  }
  return text;
}

afterEach(() => vi.restoreAllMocks());

describe('output', () => {
  it('shows nothing that would move the cursor of a terminal', () => {
    const text = printed(() => {
      printTable(['Name'], [['evil\u001b[2Jname\r\n\u202e']], 'none');
      printFields({ Name: ['a\u0007b'] });
    });
    expect(text).not.toMatch(/(?!\n)\p{Cc}|\u202e/u);
    expect(text).toContain('evil·[2Jname··');
  });

  it('says in words that a table is empty', () => {
    expect(printed(() => printTable(['Name'], [], 'There is none.'))).toBe('There is none.\n');
  });
});

describe('problems', () => {
  const facts = {
    code: 'reauthorization_required',
    status: 424,
    requestId: 'r-1',
    problems: [],
    retryAfterSec: undefined,
    applied: undefined,
    mayHaveBeenApplied: false,
    connection: {
      status: 'reauthorization_required',
      cause: 'user_revoked',
      certain: false,
      whatHappened: 'Probably: It was removed.',
      canBeCheckedAgain: false,
      likelyCauses: [
        { cause: 'user_revoked', likelihood: 0.7, who: 'end_user', explanation: 'It was removed.', remedy: 'Again.' },
      ],
      remedy: 'Connect again.',
      since: undefined,
    },
  };

  it('tells the likeliest cause, the remedy and the request id of a refusal', () => {
    const { lines, exitCode } = describeProblem(new GatewayError('Refused', facts));
    expect(exitCode).toBe(1);
    expect(lines).toEqual([
      'Refused',
      '  Probably: It was removed.',
      '  What to do: Connect again.',
      '  Request id: r-1',
    ]);
  });

  it.each([
    ['usage', new CommanderError(1, 'commander.unknownOption', 'x'), 2],
    ['help', new CommanderError(0, 'commander.helpDisplayed', 'x'), 0],
    ['a problem of its own', new CommandProblem('x', 4), 4],
    ['a wrong value', new TypeError('x'), 2],
    ['a gateway out of reach', new NetworkError('x', false), 3],
    ['a gateway that is silent', new TimeoutError(1, false), 3],
    ['anything else', new Error('x'), 1],
  ])('ends with its own code for %s', (_, error, code) => {
    expect(describeProblem(error).exitCode).toBe(code);
  });
});

describe('options', () => {
  it('reads lists and whole numbers, and refuses what is neither', () => {
    expect(commaList(' a, b,,c ')).toEqual(['a', 'b', 'c']);
    expect(wholeNumber('12')).toBe(12);
    for (const wrong of ['0', '1.5', 'x', '']) expect(() => wholeNumber(wrong)).toThrow(/whole number/);
    expect(given({ a: 1, b: undefined })).toEqual({ a: 1 });
  });
});

describe('events of a file', () => {
  const line = (id: string) =>
    `${JSON.stringify({ 'detail-type': 'ConnectionCreated', detail: { event_id: id, time: 't', integration_id: 'i', cause: '' } })}\n`;

  it('reads envelopes of the bus and nothing else', () => {
    expect(eventOf(line('e1'))).toEqual({
      eventId: 'e1',
      time: 't',
      type: 'ConnectionCreated',
      integration: 'i',
      connection: '',
      cause: undefined,
      isGuess: false,
    });
    for (const other of ['', '{', '[]', '{"detail":{}}', 'null']) expect(eventOf(other)).toBeUndefined();
  });

  it('goes on with added lines, waits for the end of one, and begins again with a new file', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'events-'));
    const file = join(folder, 'events.jsonl');
    writeFileSync(file, line('e1') + line('e2').slice(0, 20));
    const events = followFile(folder, true);
    expect((await events.next()).value).toMatchObject({ eventId: 'e1' });
    const second = events.next();
    appendFileSync(file, line('e2').slice(20));
    expect((await second).value).toMatchObject({ eventId: 'e2' });
    const third = events.next();
    writeFileSync(file, line('e3'));
    expect((await third).value).toMatchObject({ eventId: 'e3' });
    await events.return(undefined);
    rmSync(folder, { recursive: true });
  });
});
