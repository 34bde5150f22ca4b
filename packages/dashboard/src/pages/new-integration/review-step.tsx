import Container from '@cloudscape-design/components/container';
import KeyValuePairs from '@cloudscape-design/components/key-value-pairs';
import type { ReviewedScope } from '../../gateway/library.ts';
import { LANGUAGES } from '../../model/languages.ts';
import { givenNames } from '../../model/public-names.ts';
import { ScopeList } from '../../ui/scope-list.tsx';
import type { Draft } from './draft.ts';

/** Everything that will be made, before it is. */
export function ReviewStep({ draft, catalogue }: { draft: Draft; catalogue: readonly ReviewedScope[] }) {
  const own = draft.source === 'own';
  const names = givenNames(draft.publicNames) ?? {};
  return (
    <Container>
      <KeyValuePairs
        columns={2}
        items={[
          { label: 'Provider', value: draft.provider },
          { label: 'Id', value: <code>{draft.uniqueKey}</code> },
          { label: 'Name', value: draft.displayName.trim() === '' ? "The provider's" : draft.displayName },
          ...(draft.publicName.trim() === '' ? [] : [{ label: 'Name for end users', value: draft.publicName }]),
          ...LANGUAGES.flatMap(({ value, label }) => {
            const name = names[value];
            return name === undefined
              ? []
              : [{ label: `Name for end users, ${label}`, value: <span lang={value}>{name}</span> }];
          }),
          { label: 'OAuth client', value: own ? <code>{draft.clientId}</code> : 'Test credentials' },
          ...(own
            ? [
                { label: 'Audience', value: draft.audience },
                { label: 'Publishing status', value: draft.publishingStatus },
                { label: 'Used by', value: draft.agentic ? 'AI agents only; cannot be changed later' : 'Your app' },
              ]
            : []),
          { label: 'Scopes', value: <ScopeList scopes={draft.scopes} catalogue={catalogue} /> },
        ]}
      />
    </Container>
  );
}
