import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import Modal from '@cloudscape-design/components/modal';

/** Asks for another sign-in. */
export default function SignInEndedDialog({ onSignIn, onClose }: { onSignIn: () => void; onClose: () => void }) {
  return (
    <Modal
      visible
      onDismiss={onClose}
      header="Your sign-in has ended"
      closeAriaLabel="Close"
      footer={
        <Box float="right">
          <Button variant="primary" onClick={onSignIn}>
            Sign in again
          </Button>
        </Box>
      }
    >
      Sign in again to continue; you will return to this page. To copy what you typed first, close this dialog.
    </Modal>
  );
}
