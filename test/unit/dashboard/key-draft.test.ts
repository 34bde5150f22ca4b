import fc from 'fast-check';
import { InMemoryWebStorage } from 'oidc-client-ts';
import { describe, expect, it } from 'vitest';
import { keepKeyDraft, parseKeyDraft, readKeyDraft } from '../../../packages/dashboard/src/session/key-draft.ts';

describe('the draft of a secret key', () => {
  it('comes back as it was kept', () => {
    const right = fc.constantFrom('proxy' as const, 'read' as const, 'full' as const);
    const role = fc.record({ arn: fc.string(), id: fc.string() });
    fc.assert(
      fc.property(
        fc.record(
          { name: fc.string({ maxLength: 255 }), right, canReadCredentials: fc.boolean(), role },
          { requiredKeys: ['name', 'right', 'canReadCredentials'] },
        ),
        (draft) => {
          const tab = new InMemoryWebStorage();
          keepKeyDraft(draft, tab);
          expect(readKeyDraft(tab)).toEqual(draft);
        },
      ),
    );
  });

  it('keeps nothing but the name, the right, the access to tokens and the role', () => {
    const tab = new InMemoryWebStorage();
    const typed = { name: 'Reports', right: 'read', secretKey: 'sk_default_x', canReadCredentials: true } as const;
    keepKeyDraft(typed, tab);
    expect([tab.length, tab.getItem(tab.key(0))]).toEqual([
      1,
      '{"name":"Reports","right":"read","canReadCredentials":true}',
    ]);
  });

  it('the draft of a secret key is none where nothing waits', () => {
    expect(readKeyDraft(new InMemoryWebStorage())).toBeUndefined();
  });

  it.each([
    '',
    '{',
    'null',
    '7',
    '[]',
    '{"name":"a"}',
    '{"name":1,"right":"full"}',
    '{"name":"a","right":"root"}',
    '{"name":"a","right":"full","role":{}}',
  ])('the draft of a secret key is none in %j', (text) => {
    expect(parseKeyDraft(text)).toBeUndefined();
  });

  it('the draft of a secret key is none in any other text', () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        expect(parseKeyDraft(text)).toBeUndefined();
      }),
    );
  });
});
