import { useCallback, useRef, useState } from 'react';

/** An operator's action: whether it runs, and its failure. */
export interface Action<Input> {
  readonly isRunning: boolean;
  /** Undefined while it runs and after it worked. */
  readonly error: unknown;
  /** Runs once at a time; a second request meanwhile is dropped. @returns whether it worked */
  run(input: Input): Promise<boolean>;
  /** Forgets the failure. */
  clear(): void;
}

/** Wraps a call of the gateway for a button. */
export function useAction<Input = void>(work: (input: Input) => Promise<void>): Action<Input> {
  const [state, setState] = useState<{ isRunning: boolean; error: unknown }>({ isRunning: false, error: undefined });
  const latestWork = useRef(work);
  latestWork.current = work;
  const running = useRef(false);

  const run = useCallback(async (input: Input) => {
    if (running.current) return false;
    running.current = true;
    setState({ isRunning: true, error: undefined });
    try {
      await latestWork.current(input);
      setState({ isRunning: false, error: undefined });
      return true;
    } catch (error) {
      setState({ isRunning: false, error });
      return false;
    } finally {
      running.current = false;
    }
  }, []);
  const clear = useCallback(() => setState({ isRunning: false, error: undefined }), []);
  return { ...state, run, clear };
}
