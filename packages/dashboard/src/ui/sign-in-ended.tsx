import { Suspense, useEffect, useState } from 'react';
import { FailureCatcher } from '../data/failure-catcher.tsx';
import { lazyPart } from '../data/lazy-part.ts';
import { useWorkplace } from '../gateway/gateway-context.tsx';

const SignInEndedDialog = lazyPart(() => import('./sign-in-ended-dialog.tsx'));

/** Appears when the gateway no longer takes the sign-in. What was typed stays on the page behind it until the operator leaves. */
export function SignInEnded() {
  const { session } = useWorkplace();
  const [isEnded, setEnded] = useState(false);
  useEffect(() => session.onEnd(() => setEnded(true)), [session]);
  const signIn = () => void session.signInAgain();
  if (!isEnded) return null;
  return (
    <FailureCatcher
      instead={() => (
        <div role="alert">
          Your sign-in has ended.{' '}
          <button type="button" onClick={signIn}>
            Sign in again
          </button>
        </div>
      )}
    >
      <Suspense fallback={null}>
        <SignInEndedDialog onSignIn={signIn} onClose={() => setEnded(false)} />
      </Suspense>
    </FailureCatcher>
  );
}
