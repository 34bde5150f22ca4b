import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import Modal from '@cloudscape-design/components/modal';
import { useEffect, useState } from 'react';
import { useWorkplace } from '../gateway/gateway-context.tsx';

/** Appears when the gateway no longer takes the sign-in. What was typed stays on the page behind it until the operator leaves. */
export function SignInEnded() {
  const { session } = useWorkplace();
  const [isEnded, setEnded] = useState(false);
  useEffect(() => session.onEnd(() => setEnded(true)), [session]);
  return (
    <Modal
      visible={isEnded}
      onDismiss={() => setEnded(false)}
      header="Your sign-in has ended"
      closeAriaLabel="Close"
      footer={
        <Box float="right">
          <Button variant="primary" onClick={() => void session.signInAgain()}>
            Sign in again
          </Button>
        </Box>
      }
    >
      Sign in again to continue; you will return to this page. To copy what you typed first, close this dialog.
    </Modal>
  );
}
