import { hasFeature, listed } from './features.ts';

/** What a deletion erases with a connection. @param without features that are left out */
export function erasedWithConnection(without: ReadonlySet<string>): string {
  const held = [
    'tokens',
    'tags',
    'metadata',
    ...(hasFeature('feeds', without) ? ['feeds'] : []),
    ...(hasFeature('undo', without) ? ['journal'] : []),
    'recorded calls',
    ...(hasFeature('approvals', without) ? ['calls that wait for approval'] : []),
  ];
  return `its ${listed(held)}`;
}

/** What no deletion of a person reaches, and for how long it is there. @param without features that are left out */
export function keptOfPerson(without: ReadonlySet<string>): readonly string[] {
  return [
    'The audit trail, with the end user id: 400 days.',
    'Logs of the functions in CloudWatch, with ids of connections: 30 days, or as the deployment sets it.',
    ...(hasFeature('security-events', without)
      ? ['What Google stated in security events, with the id of the account at Google: 30 days.']
      : []),
    'Backups of the table: 35 days, and copies that you made.',
    ...(hasFeature('agents', without) ? ['Ids of the person and of connections in revoked agent keys: 90 days.'] : []),
    'Counts of calls by connection id: 92 days.',
    'What your own systems hold: events that you received, and what your app read from Google.',
  ];
}
