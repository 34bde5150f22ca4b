import Button from '@cloudscape-design/components/button';
import Modal from '@cloudscape-design/components/modal';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { type FormEvent, type ReactNode, useEffect, useId, useRef } from 'react';
import { ActionButton } from './action-button.tsx';
import { ErrorPanel } from './error-panel.tsx';

/**
 * A dialog with one thing to do and a way out; drawn only while it is open, so it begins again each time. Enter in a field
 * does it, Escape leaves; a click alongside it leaves nothing that was typed or is shown once.
 */
export function Dialog({
  title,
  actionLabel,
  closeLabel,
  isRunning = false,
  isDisabled = false,
  isKept = false,
  error,
  onAction,
  onClose,
  children,
}: {
  title: string;
  /** Without one there is only a way out. */
  actionLabel?: string;
  /** Label of the button that closes the dialog, for dialogs whose actions are in the content. */
  closeLabel?: string;
  isRunning?: boolean;
  isDisabled?: boolean;
  /** What it shows cannot be shown again: a click alongside does not close it. What is typed is kept in any case. */
  isKept?: boolean;
  error?: unknown;
  onAction?: () => void;
  onClose: () => void;
  children: ReactNode;
}) {
  const form = useId();
  const content = useRef<HTMLFormElement>(null);
  const firstTitle = useRef(title);
  useEffect(() => {
    // What came of the action takes the place of the form, and the focus that its button had.
    if (title !== firstTitle.current || isKept) content.current?.focus();
    firstTitle.current = title;
  }, [title, isKept]);
  const latestClose = useRef(onClose);
  latestClose.current = onClose;
  useEffect(() => {
    // The modal handles keys only inside itself; after a click outside it nothing has the focus.
    const leave = (event: KeyboardEvent): void => {
      if (event.key === 'Escape' && document.activeElement === document.body) latestClose.current();
    };
    addEventListener('keydown', leave);
    return () => removeEventListener('keydown', leave);
  }, []);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const { submitter } = event.nativeEvent instanceof SubmitEvent ? event.nativeEvent : { submitter: null };
    // Other buttons of the content have work of their own.
    if (submitter !== null && submitter.getAttribute('form') !== form) return;
    if (actionLabel !== undefined && !isDisabled && !isRunning) onAction?.();
  };
  return (
    <Modal
      visible
      header={title}
      closeAriaLabel="Close"
      onDismiss={({ detail }) => {
        if (detail.reason !== 'overlay' || (actionLabel === undefined && !isKept)) onClose();
      }}
      footer={
        <div className="dialog-buttons">
          <Button
            variant={actionLabel === undefined && closeLabel === undefined ? 'primary' : 'link'}
            onClick={onClose}
          >
            {closeLabel ?? (actionLabel === undefined ? 'Done' : 'Cancel')}
          </Button>
          {actionLabel !== undefined && (
            <ActionButton variant="primary" form={form} formAction="submit" loading={isRunning} disabled={isDisabled}>
              {actionLabel}
            </ActionButton>
          )}
        </div>
      }
    >
      <form id={form} ref={content} tabIndex={-1} className="dialog-form" noValidate onSubmit={submit}>
        <SpaceBetween size="m">
          {children}
          <ErrorPanel error={error} />
        </SpaceBetween>
      </form>
    </Modal>
  );
}
