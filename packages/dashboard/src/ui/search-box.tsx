import { Suspense, useEffect, useRef, useState } from 'react';
import { lazyPart } from '../data/lazy-part.ts';

const SearchDialog = lazyPart(() => import('./search-dialog.tsx'));

/** Opens the search over everything, by a click or by Ctrl-K (on a Mac: Command-K). */
export function SearchBox() {
  const [isOpen, setOpen] = useState(false);
  // What is typed before the dialog has been fetched; it would go to nobody.
  const early = useRef<string | undefined>(undefined);
  useEffect(() => {
    const type = (event: KeyboardEvent): void => {
      if (early.current === undefined || event.key.length !== 1 || event.ctrlKey || event.metaKey || event.altKey)
        return;
      event.preventDefault();
      early.current += event.key;
    };
    addEventListener('keydown', type);
    return () => removeEventListener('keydown', type);
  }, []);
  const takeEarly = (): string => {
    const text = early.current ?? '';
    early.current = undefined;
    return text;
  };
  useEffect(() => {
    const open = (event: KeyboardEvent): void => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey)
        return;
      event.preventDefault();
      if (document.querySelector('dialog[open]') === null) early.current = '';
      setOpen(true);
    };
    addEventListener('keydown', open);
    return () => removeEventListener('keydown', open);
  }, []);
  return (
    <>
      <button
        type="button"
        className="plain-button"
        aria-haspopup="dialog"
        aria-keyshortcuts="Control+K Meta+K"
        onClick={() => setOpen(true)}
      >
        Search <kbd>Ctrl K</kbd>
      </button>
      {isOpen && (
        <Suspense fallback={null}>
          <SearchDialog takeEarly={takeEarly} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
