import Link from '@cloudscape-design/components/link';
import { useGateway } from '../gateway/gateway-context.tsx';
import type { ConnectionRef } from '../gateway/library.ts';
import { referenceHref } from './link.tsx';

/** Leads to the API reference, in which every call can be tried, with the ids of a connection filled in. */
export function ReferenceLink({ connectionRef }: { connectionRef: ConnectionRef }) {
  const { baseUrl } = useGateway();
  return (
    <Link external externalIconAriaLabel="Opens in a new tab" href={referenceHref(baseUrl, connectionRef)}>
      All API calls, to read about and try with these ids
    </Link>
  );
}
