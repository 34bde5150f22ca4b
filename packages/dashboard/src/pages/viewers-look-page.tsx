import Box from '@cloudscape-design/components/box';
import { VIEWERS_ONLY_LOOK } from '../ui/action-button.tsx';
import { PageLink } from '../ui/link.tsx';
import { Page } from '../ui/page.tsx';

/** Shown to viewers instead of a page on which only operators have something to do. */
export default function ViewersLookPage() {
  return (
    <Page title="This page is for operators">
      <Box>
        {VIEWERS_ONLY_LOOK} Go to the <PageLink href="/">overview</PageLink>.
      </Box>
    </Page>
  );
}
