import Box from '@cloudscape-design/components/box';
import { PageLink } from '../ui/link.tsx';
import { Page } from '../ui/page.tsx';

/** An address that leads nowhere. */
export default function NotFoundPage() {
  return (
    <Page title="There is no such page">
      <Box>
        Go to the <PageLink href="/">overview</PageLink>.
      </Box>
    </Page>
  );
}
