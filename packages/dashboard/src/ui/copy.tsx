import CopyToClipboard from '@cloudscape-design/components/copy-to-clipboard';
import { Breakable } from './breakable.tsx';

/** A value with a button that copies it. @param shown its beginning, where the whole has no room */
export function CopyValue({ value, what, shown }: { value: string; what: string; shown?: string }) {
  return (
    <CopyToClipboard
      textToDisplay={shown === undefined ? <Breakable text={value} /> : <span title={value}>{shown}</span>}
      variant="inline"
      textToCopy={value}
      copyButtonAriaLabel={`Copy ${what}`}
      copySuccessText={`Copied ${what}`}
      copyErrorText="The browser does not allow copying; select the text instead"
    />
  );
}

/** Code or a link in a box of its own, with a button that copies it. */
export function CopyBlock({ text, what }: { text: string; what: string }) {
  return (
    <div className="copy-block">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: long text scrolls inside its box, and the keyboard must reach it. */}
      <section tabIndex={0} aria-label={what}>
        <pre>{text}</pre>
      </section>
      <CopyToClipboard
        variant="icon"
        textToCopy={text}
        copyButtonAriaLabel={`Copy ${what}`}
        copySuccessText="Copied"
        copyErrorText="The browser does not allow copying; select the text instead"
      />
    </div>
  );
}
