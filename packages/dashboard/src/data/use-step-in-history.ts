import { useState } from 'react';
import { useLocation, useNavigate } from 'react-router';

/**
 * The step of a form of several pages, counted from 0, as an entry of the browser's history: its back button goes one step
 * back instead of throwing away what was typed. After a reload, which forgets what was typed, the first step is shown.
 */
export function useStepInHistory(): readonly [step: number, goTo: (step: number) => void] {
  const navigate = useNavigate();
  const { pathname, state } = useLocation();
  const [visit] = useState(() => crypto.randomUUID());
  return [stepOf(state, visit), (step) => void navigate(pathname, { state: { visit, step } })];
}

function stepOf(state: unknown, visit: string): number {
  if (typeof state !== 'object' || state === null || !('visit' in state) || !('step' in state)) return 0;
  return state.visit === visit && typeof state.step === 'number' ? state.step : 0;
}
