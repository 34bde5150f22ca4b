/** Checks of the dashboard as browsers see it. They only read, and sign no one in. */
import { type Check, judge } from './check.ts';
import { exchange } from './exchange.ts';
import { described } from './front-checks.ts';

/**
 * Checks of the dashboard's site and of the issuer where its operators sign in.
 * @param baseUrl address of the gateway that the dashboard has to know
 */
export function dashboardChecks(url: string, issuer: string, baseUrl: string): Check[] {
  const section = 'Dashboard';
  return [
    {
      section,
      claim: 'the dashboard is served with its security headers',
      otherwise: 'Run npm run deploy: it uploads the dashboard after the stack.',
      async run() {
        const answer = await exchange(url, { path: '/' });
        return judge(
          answer.status === 200 && answer.header('content-security-policy') !== undefined,
          described(answer),
        );
      },
    },
    {
      section,
      claim: 'the dashboard is configured for this gateway',
      otherwise: 'config.json is from another deployment: run npm run deploy.',
      async run() {
        const answer = await exchange(url, { path: '/config.json' });
        return judge(
          answer.status === 200 && answer.start.toString('utf8').includes(JSON.stringify(baseUrl)),
          described(answer),
        );
      },
    },
    {
      section,
      claim: 'a missing file of the dashboard answers 404',
      otherwise: 'Browsers would keep a page under a script’s name: redeploy.',
      async run() {
        const answer = await exchange(url, { path: '/assets/verify-no-such-file.js' });
        return judge(answer.status === 404, described(answer));
      },
    },
    {
      section,
      claim: 'operators’ sign-in can be reached',
      otherwise: 'The user pool or its domain is missing: see OperatorIssuer among the outputs.',
      async run() {
        const answer = await exchange(issuer, { path: '/.well-known/openid-configuration' });
        return judge(
          answer.status === 200 && answer.start.toString('utf8').includes('authorization_endpoint'),
          described(answer),
        );
      },
    },
  ];
}
