/** What `npm run generate` makes from the numbers in packages/cli/costs/prices.ts: docs/costs.md. */
import { FUNCTION_MEMORY_MB } from '../../lib/function-memory.ts';
import {
  clientSecretMonth,
  connectionsMonth,
  countedMillion,
  countedMonth,
  dayUseMonth,
  feedsMonth,
  feedsOfDrivesMonth,
  firstListing,
  freeOfCalls,
  freeOfDistribution,
  freeOfIdle,
  idleMonth,
  journalledWrites,
  keyMonth,
  listedPrices,
  loggedCalls,
  lostDomainMonth,
  messagesOfLogs,
  millionApprovals,
  millionCalls,
  millionDelegatedTokens,
  millionDeliveries,
  millionEvents,
  millionFolderPulls,
  millionKeylessSignatures,
  millionMeanings,
  millionMessages,
  millionPaced,
  millionPassedOn,
  millionRefreshes,
  millionReminders,
  millionToolCalls,
  notesOfUse,
  optionPrices,
  type Parts,
  refreshesOfCallers,
  refreshesPerMonth,
  searchPrices,
  slicesWanted,
  statesMonth,
  storedThings,
  thousandDownloads,
  total,
  uploads,
  watchPrices,
  workingDomainMonth,
} from '../../packages/cli/costs/cost-model.ts';
import {
  ASSUMPTIONS,
  type FrontDoor,
  LEAN_STACK,
  memoryMbOf,
  PRICE_PAGES,
  PRICES,
  REST_REQUEST_TIERS,
} from '../../packages/cli/costs/prices.ts';

const CONNECTIONS = [100_000, 10_000_000] as const;
/** Shared drives of a feed of drives. */
const SHARED_DRIVES = 10;
const SHARES_IN_USE = [0, 0.1, 1] as const;

/** Dollars with two decimals, without them from a hundred up. */
export function dollars(amount: number): string {
  const digits = amount >= 100 ? 0 : 2;
  return `$${amount.toLocaleString('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits })}`;
}

function partsTable(heading: string, parts: Parts): string {
  return [
    `| Part | ${heading} |`,
    '|---|---:|',
    ...Object.entries(parts).map(([name, amount]) => `| ${name} | ${dollars(amount)} |`),
    `| **Sum** | **${dollars(total(parts))}** |`,
  ].join('\n');
}

/** Calls of a month and the connections that make them, as `npm run bench:scale` counts them. */
const COUNTED_SIZES = [
  { calls: 1_000_000, connections: 10_000 },
  { calls: 100_000_000, connections: 100_000 },
  { calls: 1_000_000_000, connections: 1_000_000 },
] as const;

function countingTable(): string {
  const months = COUNTED_SIZES.map(({ calls, connections }) => countedMonth(connections, calls));
  const millions = months.map((parts, at) => total(parts) / ((COUNTED_SIZES[at]?.calls ?? 1) / 1e6));
  const heading = COUNTED_SIZES.map(
    ({ calls, connections }) =>
      `${calls.toLocaleString('en-US')} calls, ${connections.toLocaleString('en-US')} connections`,
  );
  return [
    `| Part | ${heading.join(' | ')} |`,
    `|---|${heading.map(() => '---:|').join('')}`,
    ...Object.keys(months[0] ?? {}).map((name) =>
      figuresRow(
        name,
        months.map((parts) => parts[name] ?? 0),
      ),
    ),
    figuresRow('**Sum**', months.map(total), (amount) => `**${dollars(amount)}**`),
    figuresRow('A million calls', millions),
  ].join('\n');
}

function connectionsTable(): string {
  const months = CONNECTIONS.flatMap((connections) =>
    SHARES_IN_USE.map((share) => connectionsMonth(connections, share)),
  );
  const names = Object.keys(months[0]?.parts ?? {});
  const heading = ['Connections', 'Used each day', 'Slices', ...names, '**Sum**'];
  return [
    `| ${heading.join(' | ')} |`,
    `|${heading.map(() => '---:').join('|')}|`,
    ...months.map(({ connections, inUse, slices, parts }) => {
      const amounts = names.map((name) => dollars(parts[name] ?? 0));
      const counts = [connections, inUse].map((count) => count.toLocaleString('en-US'));
      return `| ${[...counts, slices, ...amounts, `**${dollars(total(parts))}**`].join(' | ')} |`;
    }),
  ].join('\n');
}

const ACTIVE = [1, 100, 1_000, 10_000, 100_000] as const;
const DOOR_WORDS = { 'rest-api': 'REST API', 'function-url': 'function URL' } as const satisfies Record<
  FrontDoor,
  string
>;
const DOORS: readonly FrontDoor[] = ['rest-api', 'function-url'];

function count(number: number): string {
  return number.toLocaleString('en-US');
}

/** A row of figures. */
function figuresRow(name: string, amounts: readonly number[], write: (amount: number) => string = dollars): string {
  return `| ${[name, ...amounts.map(write)].join(' | ')} |`;
}

function activeHeading(first: string): string[] {
  const counts = ACTIVE.map((count) => count.toLocaleString('en-US'));
  return [`| ${[first, ...counts].join(' | ')} |`, `|---|${ACTIVE.map(() => '---:').join('|')}|`];
}

/** What pacing adds to calls of each kind. */
function pacedTable(): string {
  const rows = [
    ['background, one call in its minute', ASSUMPTIONS.backgroundAloneWriteUnits],
    ['background, a job with ten calls a second', ASSUMPTIONS.backgroundJobWriteUnits],
    ['interactive, ten lists of Drive a second in a process', ASSUMPTIONS.pacedListWriteUnits],
  ] as const;
  return rows.map(([what, units]) => `| ${what} | ${units} | ${dollars(millionPaced(units))} |`).join('\n');
}

/** A million calls by how many connections they are of, and by front door. */
function callsTable(): string {
  const [byRest, byUrl] = DOORS.map((door) => ACTIVE.map((connections) => millionCalls({ connections, door })));
  const shared = Object.keys(byRest?.[0] ?? {}).filter((name) => name !== 'Front door');
  const bold = (amount: number) => `**${dollars(amount)}**`;
  return [
    ...activeHeading('Connections'),
    ...shared.map((name) =>
      figuresRow(
        name,
        (byRest ?? []).map((parts) => parts[name] ?? 0),
      ),
    ),
    ...DOORS.map((door) =>
      figuresRow(
        `Front door: ${DOOR_WORDS[door]}`,
        ACTIVE.map(() => PRICES.doorRequest[door] * 1e6),
      ),
    ),
    figuresRow(`**Sum, ${DOOR_WORDS['rest-api']}**`, (byRest ?? []).map(total), bold),
    figuresRow(`**Sum, ${DOOR_WORDS['function-url']}**`, (byUrl ?? []).map(total), bold),
    figuresRow('Refreshes, if each connection is used daily', ACTIVE.map(refreshesOfCallers)),
  ].join('\n');
}

function notesTable(): string {
  const notes = ACTIVE.map((count) => notesOfUse(count) * ASSUMPTIONS.useNoteWriteUnits * PRICES.writeUnit);
  return [...activeHeading('Connections'), figuresRow('Notes of use', notes)].join('\n');
}

/** A month without use, with most alarms and without. */
function idleTable(): string {
  const [on, off] = [idleMonth(true), idleMonth(false)];
  return [
    '| Part | with alarms | `gateway:monitoring=false` |',
    '|---|---:|---:|',
    ...Object.keys(on).map((name) => figuresRow(name, [on[name] ?? 0, off[name] ?? 0])),
    figuresRow('**Sum**', [total(on), total(off)], (amount) => `**${dollars(amount)}**`),
  ].join('\n');
}

function storageTable(): string {
  const things = storedThings(10_000, 1);
  return [
    '| What | Kept | MB | a month |',
    '|---|---|---:|---:|',
    ...things.map(({ what, kept, gigabytes, dollars: amount }) => {
      return `| ${[what, kept, (gigabytes * 1000).toFixed(1), `$${amount.toFixed(3)}`].join(' | ')} |`;
    }),
    `| **Sum** | | | **${dollars(things.reduce((sum, one) => sum + one.dollars, 0))}** |`,
  ].join('\n');
}

function freeTable(): string {
  const rows = (of: string, parts: Parts) =>
    Object.entries(parts).map(([name, amount]) => `| ${of} | ${name} | ${dollars(amount)} |`);
  return [
    '| Of | Part | Free |',
    '|---|---|---:|',
    ...rows('a million calls', freeOfCalls()),
    ...rows('a million calls behind CloudFront', freeOfDistribution()),
    ...rows('a month without use', freeOfIdle()),
  ].join('\n');
}

function searchTable(): string {
  return [
    '| Connections | 1,000 searches | A million changes of names, e-mails or tags |',
    '|---:|---:|---:|',
    ...[1_000, 10_000, 100_000, 1_000_000].map((connections) => {
      const { thousandSearches, millionChanges } = searchPrices(connections);
      return `| ${[connections.toLocaleString('en-US'), dollars(thousandSearches), dollars(millionChanges)].join(' | ')} |`;
    }),
  ].join('\n');
}

const DOWNLOADS_MB = [5, 50, 190] as const;

function downloadsTable(): string {
  const downloads = DOWNLOADS_MB.map(thousandDownloads);
  const row = (name: string, amounts: readonly number[]) => `| ${[name, ...amounts.map(dollars)].join(' | ')} |`;
  return [
    `| Part | ${DOWNLOADS_MB.map((megabytes) => `${megabytes} MB`).join(' | ')} |`,
    `|---|${DOWNLOADS_MB.map(() => '---:').join('|')}|`,
    ...Object.keys(downloads[0] ?? {}).map((name) =>
      row(
        name,
        downloads.map((parts) => parts[name] ?? 0),
      ),
    ),
    row('**Sum**', downloads.map(total)),
  ].join('\n');
}

function optionsTable(): string {
  return [
    '| Option | a month | a million calls |',
    '|---|---:|---:|',
    ...optionPrices().map(
      ({ option, month, millionCalls: calls }) => `| ${option} | ${dollars(month)} | ${dollars(calls)} |`,
    ),
  ].join('\n');
}

/** What CloudFront in front of the function URL adds to a million calls. */
function distributionMillion(): number {
  const gigabytes = ASSUMPTIONS.callAnswerKb + ASSUMPTIONS.answerHeadKb;
  return PRICES.distributionRequest * 1e6 + gigabytes * (PRICES.distributionGb - PRICES.transferGb);
}

/** The whole page. */
export function costsPage(): string {
  const call = total(millionCalls());
  return `# Costs

What the gateway costs at AWS, at list prices of us-east-1 without free tiers. It is for everyone who decides on it or pays for it. No figure has been compared with a real bill yet.

Prices, sizes and habits assumed here are in \`packages/cli/costs/prices.ts\`, from which \`npm run generate\` writes this page. [More detail](../contributing/cost-details.md): the parts of each sum, the pages of the prices, counting, storage and searches.

\`gateway costs\` prints the bill for your size by line, from the same numbers:

<!-- not run: test/unit/cli/costs.test.ts runs the command and adds up its lines -->
\`\`\`sh
npx gateway costs --users 10000 --calls 1000000 --used-daily 10
\`\`\`

## A month without use

${idleTable()}

- Each integration adds a secret, ${dollars(PRICES.secretMonth)}; 10,000 of them cost ${dollars(10_000 * clientSecretMonth('secrets-manager'))} a month, and ${dollars(10_000 * clientSecretMonth('table'))} as rows of the table ([\`gateway:clientSecrets\`](operations.md#keep-client-secrets-in-the-table)).
- Without [all features that can be left out](deploy.md#leave-out-features) it is ${dollars(total(idleMonth(true, LEAN_STACK)))}, and ${dollars(total(idleMonth(false, LEAN_STACK)))} with \`gateway:monitoring=false\`. Proxied calls cost the same.
- The key is rotated each year: ${dollars(keyMonth(1))} a month from the second year on, ${dollars(keyMonth(2))} from the third.
- The dashboard's Cognito, CloudFront and S3 add cents.

## A million proxied calls

Each call has a response of ${ASSUMPTIONS.callAnswerKb} KB and ${ASSUMPTIONS.answerHeadKb} KB of headers, sends ${ASSUMPTIONS.providerRequestKb} KB to Google, takes ${ASSUMPTIONS.callSec * 1000} ms and ${FUNCTION_MEMORY_MB.proxy.toLocaleString('en-US')} MB of memory on arm64 (\`gateway:proxyMemoryMb\`). The columns are numbers of connections, whose calls are spread evenly over the month, which is the most expensive pattern.

${callsTable()}

| Also | A million calls |
|---|---:|
| Behind CloudFront (\`gateway:proxyDomain\`), for callers in North America; not verified | ${dollars(distributionMillion())} more than the function URL |
| Calls of one second instead of ${ASSUMPTIONS.callSec * 1000} ms | ${dollars(call + (1 - ASSUMPTIONS.callSec) * (FUNCTION_MEMORY_MB.proxy / 1024) * PRICES.lambdaGbSec * 1e6)} in all, by the REST API |
| Uploads of 1 MB | ${dollars(uploads(1_000))} more, for transfer to Google |
| [Call log](calls.md#call-log), if ${ASSUMPTIONS.failedCallShare * 100} % fail | ${dollars(loggedCalls(ASSUMPTIONS.failedCallShare))} more |
| Call log with \`gateway:callLog=all\` | ${dollars(loggedCalls(1))} more |
| Writes of keys with [a journal](undo.md) | ${dollars(journalledWrites())} more, and at Google 10 units of Drive for each write |

Beyond ${count(REST_REQUEST_TIERS[0].upTo)} requests a month, API Gateway takes ${dollars(REST_REQUEST_TIERS[1].each * 1e6)} a million, and less from a billion on; \`gateway costs\` counts with that.

Where few calls are made for each connection, refreshes cost most: connections that are used every day are [refreshed ahead](#keeping-connections-for-a-month). A month of connections has them and the notes of use, so do not add both.

## Pacing

Reserving [a part of Google's minute](calls.md#calls-in-the-background) for interactive calls costs writes of the table:

| A million calls | Write units each | a million |
|---|---:|---:|
${pacedTable()}

## Assistants and approvals

| A million | Sum |
|---|---:|
| calls of [a tool](agents.md#what-it-costs) with one call to Google | ${dollars(total(millionToolCalls()))} |
| further calls to Google by a tool | ${dollars(ASSUMPTIONS.callSec * ((memoryMbOf('mcp') + FUNCTION_MEMORY_MB.proxy) / 1024) * PRICES.lambdaGbSec * 1e6)} |
| messages that call no tool, such as a request for the list of tools | ${dollars((PRICES.doorRequest['rest-api'] + 2 * PRICES.lambdaRequest) * 1e6)} |
| calls that wait 15 s for their user at a page | ${dollars(15 * ((memoryMbOf('mcp') / 1024) * PRICES.lambdaGbSec + PRICES.lambdaRequest) * 1e6)} |
| calls that [a person approves](approvals.md) on the page, with a sign-in, one request for the result, and the run | ${dollars(total(millionApprovals()))} |

## A thousand downloads

A response costs transfer and one request of API Gateway per started 10 MB. Beyond ${ASSUMPTIONS.streamedAtOnceMb} MB it also costs streaming and time, because Lambda sends the rest at ${ASSUMPTIONS.streamedMbPerSec} MB a second.

${downloadsTable()}

## A million refreshes

| A million | Sum |
|---|---:|
| refreshes | ${dollars(total(millionRefreshes()))} |
| tokens of [a service account](service-accounts.md) | ${dollars(total(millionDelegatedTokens()))} |
| the same without a key, for signatures | ${dollars(millionKeylessSignatures())} more |

A connection that is used each day is refreshed before each expiry, ${Math.round(refreshesPerMonth(true))} times a month; an unused one every 30 days. Connections of a service account get a token at the first call in an hour. A lost domain is checked every ten minutes, ${dollars(lostDomainMonth())} a month; a working one every hour, ${dollars(1_000 * workingDomainMonth())} a month for a thousand domains.

## Feeds

| What | Sum |
|---|---:|
| A million messages from Google, ${ASSUMPTIONS.messagesPerPull} for each pull, each pull with a batch on the bus | ${dollars(total(millionMessages()))} |
| the same for drives of a feed of \`drives\` | ${dollars(messagesOfLogs(SHARED_DRIVES))} more |
| 100,000 feeds for a month without messages: a channel each, a pull every six hours | ${dollars(total(feedsMonth(100_000)))} |
| 100,000 feeds of \`drives\` likewise, with ${SHARED_DRIVES} shared drives each | ${dollars(total(feedsOfDrivesMonth(100_000, SHARED_DRIVES)))} |

A feed without push is pulled every five minutes and costs ${Math.round(21_600 / 300)} times the safety pulls, so set \`poll_interval_sec\` to what you need.

Options and kinds of feeds add:

- **\`meaning\`**: ${dollars(millionMeanings())} for a million changes, and ${dollars(statesMonth(100_000))} a month for the stored states of 100,000 files.
- **A folder**: ${dollars(firstListing(100_000))} for the first listing of 100,000 files and folders, and ${dollars(statesMonth(100_000))} a month to store their places. A million pulls with changes cost ${dollars(millionFolderPulls(100))} more with 100 folders, and ${dollars(millionFolderPulls(5_000))} more with 5,000.
- **Several feeds of [one history](changes.md#several-feeds-of-one-history)**: ${dollars(millionPassedOn())} for a million messages, for each further feed without a change.
- **\`reminders\`**: ${dollars(millionReminders())} for a million. Each takes one of Google's calls, as do each day of such a calendar and each read with changes. 100,000 calendars with five events a day take 600,000 calls, and those after changes, of the 1,000,000 a day of a Cloud project.

## Connect sessions, events and webhooks

| A million | Sum |
|---|---:|
| connect sessions | ${dollars(ASSUMPTIONS.sessionWriteUnits * PRICES.writeUnit * 1e6)} |
| events, with or without subscribers | ${dollars(total(millionEvents()))} |
| messages to a webhook, of ${ASSUMPTIONS.deliveryKb} KB, accepted in ${ASSUMPTIONS.deliverySec * 1000} ms at the first attempt | ${dollars(total(millionDeliveries()))} |

## Keeping connections for a month

In addition to a month without use; calls are not included.

${connectionsTable()}

- With \`gateway:refreshAhead=always\`, every connection is refreshed hourly, used or not, so ten million cost as much as in the last row. With \`on-use\` no connection is refreshed ahead: only calls and keep-alive cost, and callers wait instead.

## Storage and searches

Everything that is stored for 10,000 connections with a million calls a month costs ${dollars(storedThings(10_000, 1).reduce((sum, one) => sum + one.dollars, 0))} a month. A thousand searches among 100,000 connections cost ${dollars(searchPrices(100_000).thousandSearches)}.

## Free tiers

The figures above do not include free tiers. These do not end after a year, and every AWS account has them once:

${freeTable()}

The first 25 GB of tables are free too, their backups are not. With free tiers, a million calls of 10,000 connections cost ${dollars(total(millionCalls()) - total(freeOfCalls()))} by the REST API and ${dollars(total(millionCalls({ door: 'function-url' })) - total(freeOfCalls()))} by the function URL, and a month without use ${dollars(total(idleMonth(true)) - total(freeOfIdle()))}.

## Options that cost something by themselves

${optionsTable()}

The web ACL's price counts every request, proxied or not.
`;
}

/** The page of details that only few readers need. */
export function costDetailsPage(): string {
  return `# Details of the costs

Figures behind [the page of costs](../docs/costs.md), at the same prices. The prices are from:

${PRICE_PAGES.map((title) => `- *${title}*`).join('\n')}

## Parts of the sums

A call of a tool is a request of the API, an invocation of a function of ${memoryMbOf('mcp')} MB that waits, and one of the proxy. A million calls with one call to Google each:

${partsTable('a million', millionToolCalls())}

A million calls that a person approves. An operator's decision on the dashboard takes two requests fewer, and lists while the page is open. A call without a decision costs the call, its rows and two events:

${partsTable('a million', millionApprovals())}

A million refreshes:

${partsTable('a million', millionRefreshes())}

A million tokens of a service account:

${partsTable('a million', millionDelegatedTokens())}

A million messages to feeds, ${ASSUMPTIONS.messagesPerPull} for each pull:

${partsTable('a million', millionMessages())}

100,000 feeds for a month, then 100,000 feeds of \`drives\` with ${SHARED_DRIVES} shared drives each, whose histories are read in addition to the user's own:

${partsTable('a month', feedsMonth(100_000))}

${partsTable('a month', feedsOfDrivesMonth(100_000, SHARED_DRIVES))}

A connect session takes ${ASSUMPTIONS.sessionWriteUnits} write units: the session, its event, and the item by which the sessions of an end user are found. A million events, and a million messages to webhooks:

${partsTable('a million', millionEvents())}

${partsTable('a million', millionDeliveries())}

A month of connections:

- *Storage* is ${ASSUMPTIONS.connectionKb} KB for a connection, and ${ASSUMPTIONS.listedRows} [rows of lists](decisions/0036-rows-of-lists.md) of ${Math.round(ASSUMPTIONS.listedRowKb * 1000)} bytes each. *Rows of lists* are the writes if ${ASSUMPTIONS.madePerConnection * 100} % of the connections are created in a month and ${ASSUMPTIONS.deadPerConnection * 100} % die or are authorized again.
- Ten million connections that are all used each day keep ${slicesWanted(10_000_000, 1)} slices busy, of at most 64: [scale.md](../docs/scale.md).

Paced calls wait some milliseconds for the table. A process that has taken less than 0.1 % of Google's minute writes nothing. The use of Google's day costs an account whose days are used up $${dayUseMonth().toFixed(3)} a month.

## Counting calls

[Counting the calls](../docs/calls.md#usage) of ${ASSUMPTIONS.countedConnections.toLocaleString('en-US')} connections costs:

${partsTable('a million', countedMillion())}

Counting by size, in a month:

${countingTable()}

## Notes of use

Calls also cause two things that are part of [a month of connections](../docs/costs.md#keeping-connections-for-a-month) and not of the sums of calls. The last use of a connection is written to DynamoDB at most once in ten minutes, and connections in use are refreshed ahead. The notes of a million calls cost at most this; there are fewer when calls come in bursts:

${notesTable()}

## Storage

For 10,000 connections with a million calls a month, spread evenly, after every retention period has passed. The table is backed up for 35 days, which is part of its price; call log and log groups are not backed up.

${storageTable()}

## Searching for people

Every search reads all entries of its account once ([reason](decisions/0024-search-index.md)). A change of a name, an e-mail address or a tag also writes the entries that share its item:

${searchTable()}

A page of a list costs almost nothing, for any number of connections. Only a list by name costs as much as a search until the first walk has added [rows of lists](decisions/0036-rows-of-lists.md). Rows of lists cost:

| A million | Cost |
|---|---:|
| new connections of end users with an organization, whose tags repeat name, address and organization | ${dollars(listedPrices().millionMade)} |
| the same, more for each tag of your own | ${dollars(listedPrices().millionTags)} |
| connections that die or are authorized again | ${dollars(listedPrices().millionDead)} |

## Watching connections

The counters of the overview cost ${dollars(watchPrices().millionCounted)} for a million connections that are created, deleted, die or are fixed; refreshes are counted together, every ten seconds. A million marks of connections whose calls the provider begins or stops refusing cost ${dollars(watchPrices().millionMarks)}. The usage of each day is part of a million calls above.
`;
}
