import { Suspense, useEffect, useState } from 'react';
import { lazyPart } from '../data/lazy-part.ts';

const SearchDialog = lazyPart(() => import('./search-dialog.tsx'));

/** Opens the search over everything, by a click or by Ctrl-K (on a Mac: Command-K). */
export function SearchBox() {
  const [isOpen, setOpen] = useState(false);
  // What is typed before the dialog has been fetched; it would go to nobody.
  const [early, setEarly] = useState<string | undefined>(undefined);
  useEffect(() => {
    if (early === undefined) return;
    const type = (event: KeyboardEvent): void => {
      if (event.key.length !== 1 || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      setEarly((text = '') => text + event.key);
    };
    addEventListener('keydown', type);
    return () => removeEventListener('keydown', type);
  }, [early]);
  useEffect(() => {
    const open = (event: KeyboardEvent): void => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey)
        return;
      event.preventDefault();
      setEarly('');
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
          <SearchDialog early={early ?? ''} onShown={() => setEarly(undefined)} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
