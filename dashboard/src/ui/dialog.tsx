import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import Modal from '@cloudscape-design/components/modal';
import SpaceBetween from '@cloudscape-design/components/space-between';
import type { ReactNode } from 'react';
import { ErrorPanel } from './error-panel.tsx';

/** A dialog with one thing to do and a way out; drawn only while it is open, so it begins anew each time. */
export function Dialog({
  title,
  actionLabel,
  isRunning = false,
  isDisabled = false,
  error,
  onAction,
  onClose,
  children,
}: {
  title: string;
  /** Without one there is only a way out. */
  actionLabel?: string;
  isRunning?: boolean;
  isDisabled?: boolean;
  error?: unknown;
  onAction?: () => void;
  onClose: () => void;
  children: ReactNode;
}) {
  return (
    <Modal
      visible
      header={title}
      closeAriaLabel="Close"
      onDismiss={onClose}
      footer={
        <Box float="right">
          <SpaceBetween direction="horizontal" size="xs">
            <Button variant={actionLabel === undefined ? 'primary' : 'link'} onClick={onClose}>
              {actionLabel === undefined ? 'Done' : 'Cancel'}
            </Button>
            {actionLabel !== undefined && (
              <Button variant="primary" loading={isRunning} disabled={isDisabled} onClick={() => onAction?.()}>
                {actionLabel}
              </Button>
            )}
          </SpaceBetween>
        </Box>
      }
    >
      <SpaceBetween size="m">
        {children}
        <ErrorPanel error={error} />
      </SpaceBetween>
    </Modal>
  );
}
