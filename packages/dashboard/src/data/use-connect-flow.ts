import { useCallback, useEffect, useRef, useState } from 'react';
import { useGateway } from '../gateway/gateway-context.tsx';
import { type ConnectionRef, type ConnectSession, connect, type PickedFile } from '../gateway/library.ts';

/** How far a connect window is. */
export type ConnectFlow =
  | { readonly kind: 'idle' }
  /** `said`: what went wrong in the window so far; it can be tried again there. */
  | { readonly kind: 'open'; readonly said: string | undefined }
  | {
      readonly kind: 'connected';
      readonly connection: ConnectionRef;
      readonly missingScopes: readonly string[];
      /** What was selected, where the session was for that. */
      readonly picked: readonly PickedFile[] | undefined;
    }
  /** The browser opened no window; the link does the same. */
  | { readonly kind: 'blocked'; readonly link: string }
  | { readonly kind: 'closed'; readonly said: string | undefined }
  | { readonly kind: 'failed'; readonly error: unknown };

/**
 * Lets somebody connect in a window of its own and follows its session.
 *
 * @param onConnected called when the session has made or renewed its connection
 */
export function useConnectFlow(onConnected: () => void): {
  readonly flow: ConnectFlow;
  /** Has to be called by a click: browsers block other windows. Ends the window before. */
  start(makeSession: () => Promise<ConnectSession>): void;
} {
  const { baseUrl } = useGateway();
  const [flow, setFlow] = useState<ConnectFlow>({ kind: 'idle' });
  const current = useRef<AbortController | undefined>(undefined);
  const latestOnConnected = useRef(onConnected);
  latestOnConnected.current = onConnected;
  useEffect(() => () => current.current?.abort(), []);

  const start = useCallback(
    (makeSession: () => Promise<ConnectSession>) => {
      current.current?.abort();
      const controller = new AbortController();
      current.current = controller;
      const show = (next: ConnectFlow): void => {
        if (!controller.signal.aborted) setFlow(next);
      };
      show({ kind: 'open', said: undefined });
      const finished = connect({
        baseUrl,
        sessionToken: async () => (await makeSession()).token,
        signal: controller.signal,
        onProblem: ({ message }) => show({ kind: 'open', said: message }),
      });
      finished.then(
        (result) => {
          if (result.status === 'connected') {
            const { connectionId, integrationId: providerConfigKey, missingScopes, picked } = result;
            show({ kind: 'connected', connection: { connectionId, providerConfigKey }, missingScopes, picked });
            latestOnConnected.current();
          } else if (result.status === 'blocked') show({ kind: 'blocked', link: result.connectLink });
          else show({ kind: 'closed', said: 'message' in result ? result.message : undefined });
        },
        (error: unknown) => show({ kind: 'failed', error }),
      );
    },
    [baseUrl],
  );
  return { flow, start };
}
