import { readFacts } from '../overview/read-facts.ts';
import { bareRoute, type Route } from '../route.ts';
import { noQuery } from '../schemas/common.ts';
import { overviewOnTheWire } from '../wire/overview.ts';

/** The state of the account at a glance. */
export const overviewRoutes: readonly Route[] = [
  bareRoute({
    method: 'GET',
    pattern: '/overview',
    access: { right: 'read' },
    summary: 'What is alive, what is not, and what needs somebody, with how many connections it covers',
    query: noQuery,
    async handle({ caller }, services) {
      const facts = await readFacts(services, caller.accountId, caller.integrationIds);
      return { status: 200, body: { data: overviewOnTheWire(facts, services.clock.nowMs()) } };
    },
  }),
];
