import Container from '@cloudscape-design/components/container';
import KeyValuePairs from '@cloudscape-design/components/key-value-pairs';
import type { ReviewedScope } from '../../gateway/library.ts';
import { ScopeList } from '../../ui/scope-list.tsx';
import type { Draft } from './draft.ts';

/** Everything that will be made, before it is. */
export function ReviewStep({ draft, catalogue }: { draft: Draft; catalogue: readonly ReviewedScope[] }) {
  const own = draft.source === 'own';
  return (
    <Container>
      <KeyValuePairs
        columns={2}
        items={[
          { label: 'Provider', value: draft.provider },
          { label: 'Id', value: <code>{draft.uniqueKey}</code> },
          { label: 'Name', value: draft.displayName.trim() === '' ? "The provider's" : draft.displayName },
          { label: 'OAuth client', value: own ? <code>{draft.clientId}</code> : 'Test credentials' },
          ...(own
            ? [
                { label: 'Audience', value: draft.audience },
                { label: 'Publishing status', value: draft.publishingStatus },
              ]
            : []),
          { label: 'Scopes', value: <ScopeList scopes={draft.scopes} catalogue={catalogue} /> },
        ]}
      />
    </Container>
  );
}
