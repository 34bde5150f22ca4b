import { useParams } from 'react-router';
import { CopyValue } from '../../ui/copy.tsx';
import { Page } from '../../ui/page.tsx';
import { WritesPanel } from './writes-panel.tsx';

/** Everything that keys with a journal did to one file or event, on every connection, each to be undone. */
export default function ObjectPage() {
  const { objectId = '' } = useParams();
  return (
    <Page
      title="Changes to a file or event"
      description={
        <>
          What keys with a journal did to <CopyValue value={objectId} what="id" />, on every connection, newest first
        </>
      }
    >
      <WritesPanel of={{ objectId }} />
    </Page>
  );
}
