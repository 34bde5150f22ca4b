import type { LimitMethod } from '../gateway/library.ts';

/** Methods in words, each with its id. */
export function MethodList({ methods }: { methods: readonly Pick<LimitMethod, 'id' | 'meaning'>[] }) {
  return (
    <ul>
      {methods.map(({ id, meaning }) => (
        <li key={id}>
          {meaning} <span className="soft">{id}</span>
        </li>
      ))}
    </ul>
  );
}
