import Box from '@cloudscape-design/components/box';
import { PageLink } from '../ui/link.tsx';
import { Page } from '../ui/page.tsx';

/** A page whose features this deployment leaves out. */
export default function LeftOutPage({ features }: { features: readonly string[] }) {
  return (
    <Page title="This deployment has no such page">
      <Box>
        The gateway was deployed without {features.join(', ')} (<code>gateway:without</code>). Go to the{' '}
        <PageLink href="/">overview</PageLink>.
      </Box>
    </Page>
  );
}
