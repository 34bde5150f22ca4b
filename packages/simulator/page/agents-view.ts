import { ACCOUNTS } from '../accounts.ts';
import { pacificDay } from '../clock.ts';
import { MCP_SERVERS, SERVICES, toolsOf } from '../mcp/servers.ts';
import type { Simulation } from '../simulation.ts';
import { APPROVAL_POLICIES, usageKey } from '../state/agents.ts';
import { projectOf } from '../state/store.ts';
import { type Markup, markup, PAGE_PREFIX, section, table } from './layout.ts';

const ACTION = `${PAGE_PREFIX}/agents`;

/** Google's MCP servers: the day's requests, approvals of users, services of Cloud projects, and tools. */
export function agentsView(sim: Simulation): Markup {
  return markup`${requestsOfDay(sim)}${approvals(sim)}${services(sim)}${tools(sim)}`;
}

/** Cloud projects that have an OAuth client. */
function projects(sim: Simulation): string[] {
  return [...new Set([...sim.state.clients.keys()].map(projectOf))];
}

function requestsOfDay(sim: Simulation): Markup {
  const { agents } = sim.state;
  const today = pacificDay(sim.clock.nowMs());
  const rows = projects(sim).flatMap((project) =>
    MCP_SERVERS.map(({ host }) => {
      const used = agents.used.get(usageKey(project, host));
      return [project, host, used?.day === today ? used.requests : 0, agents.requestsPerDay];
    }),
  );
  return section(
    'Requests of the day',
    markup`<p class="soft">It is ${today} in Pacific Time, where the days of Google's quotas begin.</p>
${table(['Cloud project', 'Server', 'Used', 'Limit'], rows, 'No OAuth client yet.')}
<form method="post" action="${ACTION}"><label>Requests a day <input name="requestsPerDay" type="number" min="0" value="${agents.requestsPerDay}" required></label><button name="do" value="requests">Set the limit</button></form>`,
  );
}

function approvals(sim: Simulation): Markup {
  const rows = ACCOUNTS.map(({ email, sub }) => {
    const now = sim.state.agents.policies.get(sub) ?? 'none';
    const options = APPROVAL_POLICIES.map((policy) =>
      policy === now ? markup`<option selected>${policy}</option>` : markup`<option>${policy}</option>`,
    );
    return [
      email,
      now,
      markup`<form method="post" action="${ACTION}"><input type="hidden" name="account" value="${email}">
<label>Calls <select name="policy">${options}</select></label><button name="do" value="approvals">Set</button></form>`,
    ];
  });
  const about = markup`<p class="soft">Calls that Google asks a user to approve: none, those that change something, or all.</p>`;
  return section('Approvals', markup`${about}${table(['Account', 'Asked about', 'What to do'], rows, 'None.')}`);
}

function services(sim: Simulation): Markup {
  const rows = projects(sim).flatMap((project) =>
    SERVICES.map((service) => {
      const isDisabled = sim.state.agents.disabledServices.get(project)?.has(service) === true;
      const [wanted, name] = isDisabled ? ['enable', 'Enable'] : ['disable', 'Disable'];
      return [
        service,
        project,
        isDisabled ? 'disabled' : 'enabled',
        markup`<form method="post" action="${ACTION}"><input type="hidden" name="project" value="${project}"><input type="hidden" name="service" value="${service}"><button name="do" value="${wanted}" aria-label="${name} ${service}">${name}</button></form>`,
      ];
    }),
  );
  return section(
    'Services of Cloud projects',
    table(['Service', 'Cloud project', 'State', 'What to do'], rows, 'No OAuth client yet.'),
  );
}

function tools(sim: Simulation): Markup {
  const rows = MCP_SERVERS.flatMap((server) => {
    const offered = toolsOf(sim.state.agents, server);
    return offered.map(({ name, description, effect, requests, self }) => [
      markup`<code>${name}</code>`,
      server.host,
      description,
      effect,
      requests,
      self ? 'yes' : 'no',
    ]);
  });
  const heads = ['Tool', 'Server', 'Description', 'What it does', 'Requests', 'At /mcp/v1self'];
  const about = markup`<p class="soft">POST /__sim/mcp adds tools, hides them and changes their descriptions.</p>`;
  return section('Tools', markup`${about}${table(heads, rows, 'None.')}`);
}
