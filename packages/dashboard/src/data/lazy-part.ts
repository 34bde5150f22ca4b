import { type ComponentType, lazy } from 'react';

/** A part of the dashboard could not be fetched: the network is gone, or a new version has replaced it. */
export class MissingPartError extends Error {
  constructor(cause: unknown) {
    super('A part of the dashboard could not be loaded.', { cause });
    this.name = 'MissingPartError';
  }
}

/** A component that is fetched when it is first drawn. Drawing throws MissingPartError when it cannot be. */
export function lazyPart<Props>(load: () => Promise<{ default: ComponentType<Props> }>) {
  return lazy(() =>
    load().catch((cause: unknown) => {
      throw new MissingPartError(cause);
    }),
  );
}
