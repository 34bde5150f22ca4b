import Alert from '@cloudscape-design/components/alert';
import type { Integration } from '../gateway/library.ts';

/** The stack that declares a record: changes here are refused. Nothing for a record of nobody's stack. */
export function DeclaredBy({ of: { managedBy } }: { of: Pick<Integration, 'managedBy'> }) {
  if (managedBy === undefined) return null;
  const { stack, resources } = managedBy;
  return (
    <Alert type="info">
      The stack {stack} declares this ({resources.length === 1 ? 'resource' : 'resources'} {resources.join(', ')}).
      Change it in the template of the stack: changes here are refused.
    </Alert>
  );
}
