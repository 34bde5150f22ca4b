import Box from '@cloudscape-design/components/box';
import Container from '@cloudscape-design/components/container';
import Header from '@cloudscape-design/components/header';
import type { ReactNode } from 'react';

/** A chart in its frame: a title, what period and which connections it covers, and the picture. */
export function ChartPanel({ title, covers, children }: { title: string; covers: string; children: ReactNode }) {
  return (
    <Container
      fitHeight
      header={<Header variant="h2">{title}</Header>}
      footer={
        <Box color="text-body-secondary" fontSize="body-s">
          {covers}
        </Box>
      }
    >
      {children}
    </Container>
  );
}

/** Instead of a picture without anything in it. */
export function EmptyChart({ children }: { children: ReactNode }) {
  return (
    <Box textAlign="center" color="text-body-secondary" padding={{ vertical: 'xxxl' }}>
      {children}
    </Box>
  );
}
