/** What an operator asks of the list of connections and of the search, as requests of the API. */

import { person } from './people.ts';

/** A question with the path that asks it; `round` counts its repetitions, so that no two ask for the same person. */
export interface Question {
  readonly name: string;
  readonly path: (round: number) => string;
}

/** The dashboard's own page. */
const PAGE = 'limit=50&include=total,last_used';

/** The questions about an account that `person` filled. @param count how many connections it has */
export function questions(count: number): readonly Question[] {
  const number = (round: number) => (round * 9_973 + 17) % count;
  const id = (round: number) => person(number(round), count, 0).connectionId;
  const search = (text: string) => `/search?q=${encodeURIComponent(text)}`;
  return [
    { name: 'first page of the list, with its total', path: () => `/connections?${PAGE}` },
    { name: 'page 150 of the list', path: () => `/connections?${PAGE}&page=149` },
    { name: 'dead connections', path: () => `/connections?${PAGE}&status=reauthorization_required` },
    { name: 'one cause', path: () => `/connections?${PAGE}&cause=password_changed` },
    { name: 'one integration', path: () => `/connections?${PAGE}&integrationId=google-calendar` },
    { name: 'one end user', path: (round) => `/connections?${PAGE}&endUserId=customer-${number(round)}` },
    { name: 'one organization', path: (round) => `/connections?${PAGE}&endUserOrganizationId=org-${round % 400}` },
    { name: 'one connection id', path: (round) => `/connections?${PAGE}&connectionId=${id(round)}` },
    { name: 'one integration of many', path: () => `/connections?${PAGE}&integrationId=google-drive` },
    {
      name: 'one integration of many, active',
      path: () => `/connections?${PAGE}&integrationId=google-drive&status=active`,
    },
    {
      name: 'one integration of many, by name',
      path: () => `/connections?${PAGE}&integrationId=google-drive&sort=name`,
    },
    { name: 'failing ones', path: () => `/connections?${PAGE}&health=failing` },
    {
      name: 'failing ones of one integration',
      path: () => `/connections?${PAGE}&health=failing&integrationId=google-drive`,
    },
    { name: 'one tag that is rare', path: (round) => `/connections?${PAGE}&tags[ticket]=T-${100_000 + number(round)}` },
    { name: 'one tag that a third have', path: () => `/connections?${PAGE}&tags[plan]=team` },
    { name: 'active ones', path: () => `/connections?${PAGE}&status=active` },
    { name: 'active ones, by health', path: () => `/connections?${PAGE}&health=active` },
    { name: 'oldest first', path: () => `/connections?${PAGE}&sort=created` },
    { name: 'by name', path: () => `/connections?${PAGE}&sort=name` },
    { name: 'by name, page 150', path: () => `/connections?${PAGE}&sort=name&page=149` },
    { name: 'by last use', path: () => `/connections?${PAGE}&sort=-last_used` },
    { name: 'search "bob"', path: () => search('bob') },
    { name: 'search the middle of an e-mail', path: (round) => search(`.${number(round)}@comp`) },
    { name: 'search an organization', path: (round) => search(`company ${round % 400}`) },
    { name: 'search a tag', path: (round) => search(`ticket=T-${100_000 + number(round)}`) },
    { name: 'search a connection id', path: (round) => search(`-${number(round)}`) },
    { name: 'search nobody', path: () => search('nobody-is-called-so') },
    { name: 'list of those called "bob", by last use', path: () => `/connections?${PAGE}&search=bob&sort=-last_used` },
    { name: 'overview', path: () => '/overview' },
    { name: 'request id', path: () => '/calls/00000000-0000-4000-8000-000000000000' },
  ];
}
