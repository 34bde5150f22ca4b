import { describe, expect, it } from 'vitest';
import { inWords, plainText } from '../../../../lambdas/features/approvals/in-words.ts';
import { APPROVAL_TEXTS } from '../../../../lambdas/features/approvals/languages/index.ts';
import { shownLines, shownText } from '../../../../lambdas/features/approvals/shown-text.rules.ts';
import { LANGUAGE_IDS, type Language } from '../../../../lambdas/gateway/languages/language.rules.ts';
import { DESCRIBED_METHODS } from '../../../../lambdas/gateway/providers/described.ts';
import { aboutOf, CALLS, callOf, type Plan, refusedFor } from './scenes.ts';

/** Everything that a person reads of a call, line by line. */
function read(methodId: string, plan: Plan, changes: Parameters<typeof aboutOf>[2] = [], language: Language = 'en') {
  const words = inWords(APPROVAL_TEXTS[language], language, aboutOf(methodId, plan, changes), undefined);
  return {
    sentence: plainText(words.sentence),
    facts: words.facts.map(({ label, before, after }) => {
      const now = after.length === 0 ? 'nothing' : after.join(' | ');
      return before === undefined ? `${label}: ${now}` : `${label}: ${before.join(' | ')} → ${now}`;
    }),
    risks: words.risks,
    mails: words.mails,
    warning: words.warning,
  };
}

const SERIES = [
  [
    /\/events\/e1/,
    { id: 'e1', etag: '"7"', summary: 'Weekly', recurrence: ['RRULE:FREQ=WEEKLY'], start: { date: '2026-03-10' } },
  ],
] as const;
const WEB = 'Everyone on the internet can then see it.';
const OUTSIDE = 'This reaches people outside your organization.';

describe('what a person reads of a call', () => {
  it('AP-31: a calendar that becomes public is said to be', () => {
    const said = read(
      'calendar.acl.insert',
      callOf('calendar.acl.insert', '', { role: 'reader', scope: { type: 'default' } }),
    );
    expect(said.sentence).toBe('Share the calendar “Team calendar” with “everyone on the internet” (may view)');
    expect(said.risks).toEqual([WEB]);
  });

  it('AP-31: a domain is named, and so is everyone who has the link', () => {
    const domain = read(
      'drive.permissions.create',
      callOf('drive.permissions.create', '', { type: 'domain', domain: 'other.org', role: 'writer' }),
    );
    expect(domain.sentence).toBe('Share “Budget 2027.xlsx” with “everyone in other.org” (may edit)');
    expect(domain.risks).toEqual([OUTSIDE]);
    const link = read(
      'drive.permissions.create',
      callOf('drive.permissions.create', '', { type: 'anyone', role: 'reader' }),
    );
    expect([link.sentence, ...link.risks]).toEqual([
      'Share “Budget 2027.xlsx” with “everyone who has the link” (may view)',
      'Everyone who has the link can then open it, without signing in.',
    ]);
    const found = read(
      'drive.permissions.create',
      callOf('drive.permissions.create', '', { type: 'anyone', role: 'reader', allowFileDiscovery: true }),
    );
    expect([found.sentence, ...found.risks]).toEqual([
      'Share “Budget 2027.xlsx” with “everyone on the internet” (may view)',
      'Everyone on the internet can then find and open it.',
    ]);
  });

  it('AP-32: a change of access names who has it, with old and new', () => {
    const anyone = [[/\/permissions\/permission1/, { id: 'anyoneWithLink', type: 'anyone', role: 'reader' }]] as const;
    const file = read('drive.permissions.update', callOf('drive.permissions.update', '', { role: 'writer' }), anyone);
    expect(file.sentence).toBe('Change what “everyone who has the link” may do with “Budget 2027.xlsx” (may edit)');
    expect(file.facts).toContain('Access: may view → may edit');
    expect(file.risks).toEqual(['Everyone who has the link can then open it, without signing in.']);
    const rule = [[/\/acl\/user/, { role: 'reader', scope: { type: 'default' } }]] as const;
    const calendar = read('calendar.acl.patch', callOf('calendar.acl.patch', '', { role: 'writer' }), rule);
    expect(calendar.risks).toEqual([WEB]);
  });

  it('AP-32: accepting a request for access says who gets what', () => {
    const plan = callOf('drive.accessproposals.resolve', '', {
      action: 'ACCEPT',
      role: ['writer'],
      sendNotification: true,
    });
    const said = read('drive.accessproposals.resolve', plan);
    expect(said.sentence).toBe('Give “eve@elsewhere.net” access to “Budget 2027.xlsx” (may edit)');
    expect(said.facts).toContain('Access: may edit');
    expect([said.risks, said.mails]).toEqual([[OUTSIDE], 'Google sends e-mail to: eve@elsewhere.net']);
  });

  it('AP-32: guests that come and go are named, with the new time in its zone and the recipients of mail from Google', () => {
    const said = read(
      'calendar.events.patch',
      callOf('calendar.events.patch', 'sendUpdates=all', {
        start: { dateTime: '2026-03-11T09:00:00+01:00' },
        attendees: [{ email: 'bob@example.com', responseStatus: 'accepted' }, { email: 'eve@elsewhere.net' }],
      }),
    );
    expect(said.facts).toEqual([
      'Which events: a single event',
      'Guests added: eve@elsewhere.net (outside your organization)',
      'Guests removed: carol@example.com',
      'Guests kept: bob@example.com',
      'Start: Tuesday, March 10, 2026 at 9:00 AM (Europe/Berlin) → Wednesday, March 11, 2026 at 9:00 AM (Europe/Berlin)',
      'Calendar: Team calendar',
      'Who can open it there: everyone in example.com',
      'Owner: Ann (ann@example.com)',
    ]);
    expect(said.risks).toEqual([OUTSIDE]);
    expect(said.mails).toBe('Google sends e-mail to: bob@example.com, carol@example.com, eve@elsewhere.net');
  });

  it('AP-32: an address outside the organization in the text of a quick event is said in red', () => {
    const quick = (text: string) =>
      read('calendar.events.quickAdd', callOf('calendar.events.quickAdd', new URLSearchParams({ text }).toString()));
    expect(quick('Lunch with eve@elsewhere.net tomorrow.').risks).toEqual([OUTSIDE]);
    expect(quick('Lunch with bob@example.com.').risks).toEqual([]);
  });

  it('AP-32: a whole series is distinguished from one event of it', () => {
    const all = read('calendar.events.delete', callOf('calendar.events.delete'), SERIES);
    expect(all.sentence).toBe('Delete all events of the series “Weekly”');
    expect(all.facts).toContain('Which events: all events of the series');
    expect(all.risks).toEqual(['This is about all events of the series, past and future.']);
    const one = [[/\/events\/e1/, { id: 'e1_1', etag: '"7"', summary: 'Weekly', recurringEventId: 'e1' }]] as const;
    expect(read('calendar.events.delete', callOf('calendar.events.delete'), one).facts).toContain(
      'Which events: one event of a series',
    );
  });

  it('AP-32: what a PUT leaves out is shown as taken away, guests by address', () => {
    const said = read('calendar.events.update', callOf('calendar.events.update', '', { summary: 'Board' }));
    expect(said.facts).toContain('Guests removed: bob@example.com | carol@example.com');
    expect(said.facts).toContain('Location: Room 4 → nothing');
    expect(said.facts).toContain('Description: Agenda follows → nothing');
  });

  it.each([
    ['files.update', 'addParents=f2', {}],
    ['files.copy', '', { parents: ['f2'] }],
    ['files.copy', '', {}],
    ['files.create', '', { name: 'a', parents: ['f2'] }],
    ['files.update', '', { inheritedPermissionsDisabled: false }],
  ])('AP-32, AP-35: %s %s %j names the folder and says that it is public', (id, query, body) => {
    const said = read(`drive.${id}`, callOf(`drive.${id}`, query, body));
    expect(said.facts).toContain('Folder: Press kit');
    expect(said.facts).toContain('Who can open it there: everyone who has the link');
    expect(said.risks).toContain('Everyone who has the link, or everyone on the internet, can open what is there.');
  });

  it('AP-32: the text that Google mails is shown, and nobody can approve what could not be read', () => {
    const share = { type: 'user', role: 'reader', emailAddress: 'bob@example.com' };
    const said = read(
      'drive.permissions.create',
      callOf('drive.permissions.create', 'emailMessage=Come+and+see', share),
    );
    expect([said.facts[0], said.mails]).toEqual(['Message: Come and see', 'Google sends e-mail to: bob@example.com']);
    const gone = [[/\/files\//, null]] as const;
    expect(read('drive.files.delete', callOf('drive.files.delete'), gone).warning).toMatch(/cannot be approved/);
    const cut = [[/\/events\/e1/, { id: 'e1', attendeesOmitted: true }]] as const;
    expect(read('calendar.events.patch', callOf('calendar.events.patch', '', { attendees: [] }), cut).warning).toMatch(
      /cannot be approved/,
    );
  });

  describe('of an answer to an invitation whose guests Google hides', () => {
    const own = { email: 'ann@example.com', displayName: 'Ann', responseStatus: 'accepted' };
    const was = { ...own, responseStatus: 'needsAction', self: true };
    const event = { id: 'e1', etag: '"7"', summary: 'Review', attendees: [was], attendeesOmitted: true };
    const answer = (attendees: readonly unknown[], more = {}, query = '') => {
      const plan = callOf('calendar.events.patch', query, { attendeesOmitted: true, attendees, ...more });
      return read('calendar.events.patch', plan, [[/\/events\/e1/, event]]);
    };

    it('AP-32: the answer is shown, and that nothing else changes', () => {
      const said = answer([own], {}, 'sendUpdates=all');
      expect(said.sentence).toBe('Answer the invitation to the event “Review”');
      expect(said.facts).toEqual([
        'Which events: a single event',
        'ann@example.com: responseStatus: needsAction → accepted',
        'Guests kept: all others, as they are',
        'Calendar: Team calendar',
        'Who can open it there: everyone in example.com',
      ]);
      expect([said.risks, said.warning]).toEqual([[], undefined]);
      expect(said.mails).toBe(
        'Google sends e-mail to the guests of this event, including those hidden from this account. Visible guests: ann@example.com',
      );
    });

    it('AP-32: an answer for somebody else, or one that changes more, cannot be approved', () => {
      const cannot = expect.stringMatching(/cannot be approved/);
      expect(answer([{ ...own, email: 'bob@example.com' }]).warning).toEqual(cannot);
      expect(answer([{ ...own, optional: true }]).warning).toEqual(cannot);
      expect(answer([{ email: own.email, responseStatus: 'accepted' }]).warning).toEqual(cannot);
      for (const [attendees, more, member] of [
        [[], {}, 'attendees.0'],
        [[own, { email: 'bob@example.com' }], {}, 'attendees.1'],
        [[own], { summary: 'x' }, 'summary'],
      ] as const) {
        const plan = callOf('calendar.events.patch', '', { attendeesOmitted: true, attendees, ...more });
        expect(refusedFor('calendar.events.patch', plan)).toBe(member);
      }
    });

    it('AP-32: other changes of the event can be approved, and mail to hidden guests is named', () => {
      const plan = callOf('calendar.events.patch', 'sendUpdates=all', { location: 'Room 5' });
      const said = read('calendar.events.patch', plan, [[/\/events\/e1/, event]]);
      expect(said.warning).toBeUndefined();
      expect(said.mails).toMatch(/including those hidden from this account/);
    });
  });

  it('AP-32: what a list holds is shown member by member, without JSON', () => {
    const labels = read(
      'drive.files.modifyLabels',
      callOf('drive.files.modifyLabels', '', {
        labelModifications: [
          { labelId: 'L1', fieldModifications: [{ fieldId: 'F1', setTextValues: ['final\nlabelId: L9'] }] },
          { labelId: 'L2', removeLabel: true },
        ],
      }),
    );
    expect(labels.facts[0]).toBe(
      'labelModifications: 1.labelId: L1 | 1.fieldModifications.fieldId: F1 | 1.fieldModifications.setTextValues: final[U+000A]labelId: L9 | 2.labelId: L2 | 2.removeLabel: yes',
    );
    const reviewers = read(
      'drive.approvals.reassign',
      callOf('drive.approvals.reassign', '', {
        addReviewers: [{ addedReviewerEmail: 'eve@elsewhere.net' }],
        replaceReviewers: [{ addedReviewerEmail: 'bob@example.com', removedReviewerEmail: 'dan@elsewhere.net' }],
      }),
    );
    expect(reviewers.facts.slice(0, 2)).toEqual([
      'addReviewers: addedReviewerEmail: eve@elsewhere.net (outside your organization)',
      'replaceReviewers: addedReviewerEmail: bob@example.com | removedReviewerEmail: dan@elsewhere.net (outside your organization)',
    ]);
    expect(reviewers.risks).toEqual([OUTSIDE]);
  });

  it('AP-35: what opens a file, a drive or an event is said in red', () => {
    const opens = 'This lets more people in, or lets people do more.';
    for (const [id, body] of [
      ['drive.drives.update', { restrictions: { domainUsersOnly: false } }],
      ['drive.files.update', { writersCanShare: true }],
      ['calendar.events.patch', { anyoneCanAddSelf: true }],
      ['calendar.events.patch', { visibility: 'public' }],
    ] as const) {
      expect([id, read(id, callOf(id, '', body)).risks]).toEqual([id, [opens]]);
    }
  });

  it('AP-36: characters that have no shape are shown by their numbers, and lines stay lines', () => {
    expect(shownText('a\u202Eb\u2800c\u3164d\u115Fe\u{E0041}f\u200Bg')).toBe(
      'a[U+202E]b[U+2800]c[U+3164]d[U+115F]e[U+E0041]f[U+200B]g',
    );
    expect(shownText('x'.repeat(210))).toBe(`${'x'.repeat(200)}… [+10]`);
    expect(shownLines('one\r\ntwo\n\n\n\nthree')).toBe('one\ntwo\n[U+000A][U+000A][U+000A]three');
  });

  it('AP-30: a call of each of the 53 methods is described, in every language', () => {
    expect(new Set(CALLS.map(([id]) => id))).toEqual(new Set(DESCRIBED_METHODS.keys()));
    for (const [id, query, body] of CALLS) {
      for (const language of LANGUAGE_IDS) {
        const said = read(id, callOf(id, query, body), [], language);
        expect([id, language, said.warning]).toEqual([id, language, undefined]);
        expect(JSON.stringify(said)).not.toMatch(/\{\w+\}|undefined|\[object/);
      }
    }
  });
});
