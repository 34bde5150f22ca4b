/** Small helpers of the pages' scripts. Everything from outside is set as text, never as markup (UI-4). */
export interface PageTools {
  element<Name extends keyof HTMLElementTagNameMap>(
    name: Name,
    text?: string,
    className?: string,
  ): HTMLElementTagNameMap[Name];
  /** A button that leads to Google's consent, with Google's mark as its branding guidelines ask. */
  googleButton(label: string, onClick: (button: HTMLButtonElement) => void): HTMLButtonElement;
  button(label: string, onClick: (button: HTMLButtonElement) => void, quiet?: boolean): HTMLButtonElement;
  /** A link to a foreign page, in this window. */
  link(label: string, href: string): HTMLAnchorElement;
  /** Whether the page explains errors that Google shows; it does by default. */
  explainGoogleErrors(isWanted: boolean): void;
  /** Replaces the page's content. The heading gets the focus when the content changes after the first time. */
  show(heading: string, parts: readonly (Node | string)[], mark?: 'good' | 'bad'): void;
  /** Announces progress, visibly and to a screen reader. */
  say(text: string): void;
}

export function pageTools(): PageTools {
  const content = document.getElementById('content') ?? document.body;
  const status = document.getElementById('status') ?? document.body;
  let shown = 0;
  let explainsGoogleErrors = true;

  const element: PageTools['element'] = (name, text, className) => {
    const made = document.createElement(name);
    if (text !== undefined) made.textContent = text;
    if (className !== undefined) made.className = className;
    return made;
  };

  const button: PageTools['button'] = (label, onClick, quiet) => {
    const made = element('button', label, quiet ? 'quiet' : undefined);
    made.type = 'button';
    made.addEventListener('click', () => onClick(made));
    return made;
  };

  return {
    element,
    button,
    googleButton(label, onClick) {
      const made = button(label, onClick);
      made.className = 'google';
      const mark = document.getElementById('mark-google');
      if (mark instanceof HTMLTemplateElement) made.prepend(mark.content.cloneNode(true));
      return made;
    },
    link(label, href) {
      const made = element('a', label, 'button quiet');
      made.href = href;
      return made;
    },
    explainGoogleErrors(isWanted) {
      explainsGoogleErrors = isWanted;
    },
    show(heading, parts, mark) {
      const title = element('h1', heading);
      title.tabIndex = -1;
      const template = mark === undefined ? null : document.getElementById(`mark-${mark}`);
      const top = element('div', undefined, 'mark');
      if (template instanceof HTMLTemplateElement) top.append(template.content.cloneNode(true));
      top.append(title);
      content.replaceChildren(top, ...parts);
      document.title = heading;
      // A page with a result mark is final, so the provider's errors no longer matter.
      document.getElementById('google-errors')?.toggleAttribute('hidden', mark !== undefined || !explainsGoogleErrors);
      shown += 1;
      // The first content needs no focus; a change of it would go unnoticed without.
      if (shown > 1) title.focus();
    },
    say(text) {
      status.textContent = text;
      status.hidden = text === '';
    },
  };
}
