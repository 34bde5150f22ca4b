import { Fragment } from 'react';

/** A name or an address whose lines break behind its signs, and inside a word only where one word is longer than the line. */
export function Breakable({ text }: { text: string }) {
  const parts = text.split(/(?<=[@._+/-])(?=[^@._+/-])/u).map((part, i) => ({ part, at: `${i} ${part}` }));
  return (
    <span className="wrap">
      {parts.map(({ part, at }, i) => (
        <Fragment key={at}>
          {i > 0 && <wbr />}
          {part}
        </Fragment>
      ))}
    </span>
  );
}
