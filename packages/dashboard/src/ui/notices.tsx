import Button from '@cloudscape-design/components/button';
import type { FlashbarProps } from '@cloudscape-design/components/flashbar';
import { createContext, type ReactNode, Suspense, useCallback, useContext, useMemo, useState } from 'react';
import { FailureCatcher } from '../data/failure-catcher.tsx';
import { lazyPart } from '../data/lazy-part.ts';

/** Fetched with the first notice. */
const Flashbar = lazyPart(() => import('@cloudscape-design/components/flashbar'));

/** The button of a notice that starts the next step. */
export interface NoticeButton {
  readonly label: string;
  readonly onClick: () => void;
}

/** Shows the operator the outcome of an action. */
export interface Notices {
  success(text: string): void;
  warning(text: string, button?: NoticeButton): void;
}

const NoticesContext = createContext<Notices | undefined>(undefined);
const SHOWN_MS = 6000;
const WARNING_SHOWN_MS = 20_000;

/** Shows notices above the page, in a corner of their own, so that nothing moves. */
export function NoticesProvider({ children }: { children: ReactNode }) {
  const [items, setItems] = useState<readonly FlashbarProps.MessageDefinition[]>([]);
  const drop = useCallback((id: string) => setItems((all) => all.filter((item) => item.id !== id)), []);
  const add = useCallback(
    (type: 'success' | 'warning', text: string, button?: NoticeButton) => {
      const id = crypto.randomUUID();
      const begin = () => {
        drop(id);
        button?.onClick();
      };
      const item = {
        ...{ id, type, content: text, dismissible: true, dismissLabel: 'Dismiss', onDismiss: () => drop(id) },
        ...(button === undefined ? {} : { action: <Button onClick={begin}>{button.label}</Button> }),
      };
      setItems((all) => [...all.slice(-2), item]);
      // A warning takes longer to read.
      setTimeout(() => drop(id), type === 'success' ? SHOWN_MS : WARNING_SHOWN_MS);
    },
    [drop],
  );
  const notices = useMemo<Notices>(
    () => ({ success: (text) => add('success', text), warning: (text, button) => add('warning', text, button) }),
    [add],
  );
  return (
    <NoticesContext value={notices}>
      {children}
      <section className="notices" aria-live="polite" aria-label="Notices">
        {items.length > 0 && (
          <FailureCatcher instead={() => <Plain items={items} />}>
            <Suspense fallback={null}>
              <Flashbar items={items} />
            </Suspense>
          </FailureCatcher>
        )}
      </section>
    </NoticesContext>
  );
}

/** What notices say where the part that draws them cannot be fetched. */
function Plain({ items }: { items: readonly FlashbarProps.MessageDefinition[] }) {
  return items.map(({ id, content, action }) => (
    <p key={id}>
      {content} {action}
    </p>
  ));
}

/** The notices of this page. @throws Error outside of a `NoticesProvider` */
export function useNotices(): Notices {
  const notices = useContext(NoticesContext);
  if (notices === undefined) throw new Error('A page was rendered outside the dashboard.');
  return notices;
}
