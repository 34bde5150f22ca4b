/** The raw request target: path and query exactly as sent. `URL` resolves dot segments and re-encodes, so it has no place here. */

/** `query` is undefined when there is no `?`. */
export interface RequestTarget {
  path: string;
  query: string | undefined;
}

/** Splits a request target. An absolute-form target loses scheme and host; leading slashes collapse into one. */
export function splitTarget(rawTarget: string): RequestTarget {
  const originForm = rawTarget.replace(/^[A-Za-z][A-Za-z0-9+.-]*:\/\/[^/?]*/, '');
  const mark = originForm.indexOf('?');
  const path = mark < 0 ? originForm : originForm.slice(0, mark);
  return {
    path: path.startsWith('/') ? path.replace(/^\/+/, '/') : `/${path}`,
    query: mark < 0 ? undefined : originForm.slice(mark + 1),
  };
}

/**
 * Takes the stage off a path, as execute-api addresses have it.
 * @returns undefined when the path is not below the stage.
 */
export function withoutStage(path: string, stage: string): string | undefined {
  const prefix = `/${stage}`;
  if (path === prefix) return '/';
  return path.startsWith(`${prefix}/`) ? path.slice(prefix.length).replace(/^\/+/, '/') : undefined;
}
