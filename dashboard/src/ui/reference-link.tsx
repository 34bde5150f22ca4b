import Link from '@cloudscape-design/components/link';
import { useGateway } from '../gateway/gateway-context.tsx';
import type { ConnectionRef } from '../gateway/library.ts';
import { referenceHref } from './link.tsx';

/** Leads to the API reference, in which every call can be tried, with the ids of a connection filled in. */
export function ReferenceLink({ connectionRef }: { connectionRef: ConnectionRef }) {
  const { baseUrl } = useGateway();
  return (
    <Link external externalIconAriaLabel="Opens in a new tab" href={referenceHref(baseUrl, connectionRef)}>
      Every call of the API, to read and to try with these ids
    </Link>
  );
}
