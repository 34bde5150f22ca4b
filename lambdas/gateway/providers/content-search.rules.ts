/** A search that can cover contents, and the method that reads them. */
interface ContentSearch {
  readonly method: string;
  /** Parameter of the query, in lower case. */
  readonly parameter: string;
  /** Term of the search language for contents, in lower case. */
  readonly term: string;
  readonly needs: string;
}

/** Google Drive API, "Search query terms and operators". */
const SEARCHES: readonly ContentSearch[] = [
  { method: 'drive.files.list', parameter: 'q', term: 'fulltext', needs: 'drive.files.get#media' },
];

/**
 * The method that a caller needs as well, because a search for words in contents reveals them (LK-20).
 *
 * @returns undefined where a request of the method searches no contents
 */
export function neededToSearch(
  methodId: string,
  { target, form }: { readonly target: string; readonly form?: string },
): string | undefined {
  const search = SEARCHES.find(({ method }) => method === methodId);
  if (search === undefined) return undefined;
  const query = `${target.slice(target.indexOf('?') + 1)}&${form ?? ''}`;
  const asks = query.split(/[&;]/).some((pair) => {
    const at = pair.indexOf('=');
    const name = decoded(at < 0 ? pair : pair.slice(0, at))
      .trim()
      .toLowerCase();
    return name.replace(/^\$/, '') === search.parameter && outsideQuotes(decoded(pair)).includes(search.term);
  });
  return asks ? search.needs : undefined;
}

function decoded(text: string): string {
  return text
    .replaceAll('+', ' ')
    .replace(/%([0-7][0-9A-Fa-f])/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}

/** A search in lower case without its quoted texts; with them where quoting is ambiguous. */
function outsideQuotes(search: string): string {
  const whole = search.toLowerCase();
  let outside = '';
  let isQuoted = false;
  for (let at = 0; at < whole.length; at++) {
    const letter = whole[at] ?? '';
    if (isQuoted && letter === '\\') at++;
    else if (letter === "'") isQuoted = !isQuoted;
    else if (!isQuoted) outside += letter;
  }
  return isQuoted || outside.includes('"') ? whole : outside;
}
