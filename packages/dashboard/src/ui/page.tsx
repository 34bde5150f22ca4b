import Header from '@cloudscape-design/components/header';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { type ReactNode, useCallback, useEffect, useRef, useState } from 'react';
import { createPortal } from 'react-dom';
import { useLocation } from 'react-router';
import { useNarrow } from '../data/use-narrow.ts';

/** A page: its title in the tab and as the one h1. Its top gets the focus when it was reached by a link. */
export function Page({
  title,
  description,
  freshness,
  actions,
  hasOwnHeading = false,
  children,
}: {
  title: string;
  description?: ReactNode;
  /** How old the page's data is: next to the title at every width. */
  freshness?: ReactNode;
  /** Buttons next to the title, and below the description where there is no room. */
  actions?: ReactNode;
  /** The content draws the h1. */
  hasOwnHeading?: boolean;
  children: ReactNode;
}) {
  const top = useRef<HTMLDivElement>(null);
  const isNarrow = useNarrow();
  const { key, pathname } = useLocation();
  const shownPath = useRef('');
  useEffect(() => {
    document.title = `${title} · Integration gateway`;
  }, [title]);
  useEffect(() => {
    const isStep = shownPath.current === pathname;
    shownPath.current = pathname;
    // A step, filter or tab of the same page leaves the focus where somebody works.
    if (isStep) return;
    // The first page of a visit begins where the browser begins.
    if (key !== 'default') top.current?.focus({ preventScroll: true });
    scrollTo(0, 0);
  }, [key, pathname]);
  // The buttons move with their element: drawn a second time at the other place, they would close the dialog that one of them opened.
  const [buttons] = useState(() => document.createElement('div'));
  const place = useCallback((slot: HTMLElement | null) => slot?.append(buttons), [buttons]);
  const titleActions = (
    <SpaceBetween direction="horizontal" size="s" alignItems="center">
      {freshness}
      <div ref={place} />
    </SpaceBetween>
  );
  return (
    <SpaceBetween size="l">
      <div ref={top} tabIndex={-1} className="page-top">
        {!hasOwnHeading && (
          <Header
            variant="h1"
            description={description}
            actions={isNarrow || actions === undefined ? freshness : titleActions}
          >
            {title}
          </Header>
        )}
        {isNarrow && actions !== undefined && <div ref={place} className="page-actions" />}
        {createPortal(actions, buttons)}
      </div>
      {children}
    </SpaceBetween>
  );
}
