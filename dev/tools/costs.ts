/** What `npm run generate` makes from the numbers in packages/cli/costs/prices.ts: docs/costs.md. */
import { FUNCTION_MEMORY_MB } from '../../lib/function-memory.ts';
import {
  connectionsMonth,
  countedMillion,
  countedMonth,
  dayUseMonth,
  feedsMonth,
  feedsOfDrivesMonth,
  firstListing,
  freeOfCalls,
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
  refreshesPerMonth,
  searchPrices,
  slicesWanted,
  statesMonth,
  storedThings,
  thousandDownloads,
  total,
  watchPrices,
  workingDomainMonth,
} from '../../packages/cli/costs/cost-model.ts';
import { ASSUMPTIONS, type FrontDoor, PRICE_PAGES, PRICES } from '../../packages/cli/costs/prices.ts';

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
    ['in the background, each alone in its minute', ASSUMPTIONS.backgroundAloneWriteUnits],
    ['in the background, of a job that makes ten a second', ASSUMPTIONS.backgroundJobWriteUnits],
    ['that somebody waits for: lists of Drive, ten a second in a process', ASSUMPTIONS.pacedListWriteUnits],
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
    '| Of | Part | taken off |',
    '|---|---|---:|',
    ...rows('a million calls', freeOfCalls()),
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
  const gigabytes = (ASSUMPTIONS.callAnswerKb * 1e6) / 1e6;
  return PRICES.distributionRequest * 1e6 + gigabytes * (PRICES.distributionGb - PRICES.transferGb);
}

/** The whole page. */
export function costsPage(): string {
  const call = total(millionCalls());
  return `# What it costs

Written by \`npm run generate\` from \`packages/cli/costs/prices.ts\`, the one place of all prices, sizes and habits assumed here. List prices of us-east-1 without free tiers; nothing of this has been seen on a bill yet. Where the prices are from:

${PRICE_PAGES.map((title) => `- *${title}*`).join('\n')}

\`gateway costs\` prints the bill of your own size by line, from the same numbers:

<!-- not run: test/unit/cli/costs.test.ts runs the command and adds up its lines -->
\`\`\`sh
npx gateway costs --users 10000 --calls 1000000 --used-daily 10
\`\`\`

## A month without use

${idleTable()}

A secret is made when it is first set, and metrics of its own are counted when there is something to count, so neither is here. Each integration adds a secret, ${dollars(PRICES.secretMonth)}. The
key is rotated each year: ${dollars(keyMonth(1))} a month from the second year on, ${dollars(keyMonth(2))} from the third. The dashboard's Cognito, CloudFront and S3 add cents.

Reading the table's stream costs nothing: AWS does not bill Lambda's triggers for it. The function behind the trigger runs only when there is an event.

## A million proxied calls

${ASSUMPTIONS.callAnswerKb} KB of answer, ${ASSUMPTIONS.callSec * 1000} ms, ${FUNCTION_MEMORY_MB.proxy.toLocaleString('en-US')} MB of memory on arm64 (\`gateway:proxyMemoryMb\`), by how many connections they are of, evenly, all month, which is the dearest way to call;
and by the front door that they come through (\`gateway:frontDoor\`).

${callsTable()}

Behind CloudFront (\`gateway:proxyDomain\`) the function URL's sums are ${dollars(distributionMillion())} higher: ${dollars(PRICES.distributionRequest * 1e6)} for requests, and its transfer is cheaper by half a cent a GB. That is for
callers in North America. The price of a request is not verified: it is what others cite, while AWS's page as it was read has only that of transfer.

Of that, counting the calls of ${ASSUMPTIONS.countedConnections.toLocaleString('en-US')} connections ([how](calls.md#usage)):

${partsTable('a million', countedMillion())}

The same by size, in a month:

${countingTable()}

A call that waits longer costs more in Lambda alone: at one second a million is ${dollars(call + (1 - ASSUMPTIONS.callSec) * (FUNCTION_MEMORY_MB.proxy / 1024) * PRICES.lambdaGbSec * 1e6)} by the REST API.

In the background of calls, the last use of a connection is written to DynamoDB, at most once in ten minutes, and connections in use are refreshed ahead. Both are parts of
[a month of connections](#keeping-connections-for-a-month) and not of the sums above. The notes of a million calls; where calls come together, as people work, there are fewer:

${notesTable()}

The call log (\`gateway:callLog\`) adds a row for each call that failed: ${dollars(loggedCalls(ASSUMPTIONS.failedCallShare))} where ${ASSUMPTIONS.failedCallShare * 100} of a hundred do. With \`all\` each call leaves one: ${dollars(loggedCalls(1))}. Rows go by TTL, which is free.

Writes of keys with [a journal](undo.md) cost ${dollars(journalledWrites())} a million more: ${ASSUMPTIONS.journalWriteUnits} write units and ${ASSUMPTIONS.journalSec} s each. Reads of such keys cost nothing more. At Google each takes a read before and after it, 10 of Drive’s units in addition to the 50 of the write. Rows live for a week.

## Pacing

Keeping [a part of Google's minute](calls.md#calls-in-the-background) free is paid in writes of the table:

| A million calls | Write units each | a million |
|---|---:|---:|
${pacedTable()}

A call in the background waits for its question, some milliseconds of Lambda's time. A process that has taken less than 0.1 % of the minute writes nothing, and a refused call costs what its question costs.
How full Google's day is costs an account whose days are used up $${dayUseMonth().toFixed(3)} a month; calls read it with their integration, which is in the reads above.

## Assistants and approvals

A call of [a tool](agents.md#what-it-costs) is a request of the API and an invocation of its function of ${FUNCTION_MEMORY_MB.mcp} MB; what it asks Google is no request more. A million that ask once, as above:

${partsTable('a million', millionToolCalls())}

Tools that ask twice wait twice, which is ${dollars(ASSUMPTIONS.callSec * (FUNCTION_MEMORY_MB.mcp / 1024) * PRICES.lambdaGbSec * 1e6)} a million more. A message that calls no tool, such as one for the list of tools, costs ${dollars((PRICES.doorRequest['rest-api'] + PRICES.lambdaRequest) * 1e6)} a million and its milliseconds. A call that waits for its user at a page (up to 15 s) costs ${dollars(15 * (FUNCTION_MEMORY_MB.mcp / 1024) * PRICES.lambdaGbSec * 1e6)} a million.

A million calls that [a person approves](approvals.md) on the page, with a sign-in, one question for the result, and the run:

${partsTable('a million', millionApprovals())}

An operator's decision on the dashboard takes two requests less, and lists while the page is open. One that nobody decides on costs the call, its rows and two events.

## A thousand downloads

Answers pay for transfer, for one request of API Gateway per started 10 MB, and beyond ${ASSUMPTIONS.streamedAtOnceMb} MB for streaming and for the time it takes, since Lambda sends the rest at
${ASSUMPTIONS.streamedMbPerSec} MB a second.

${downloadsTable()}

## A million refreshes

${partsTable('a million', millionRefreshes())}

A connection that is used each day is refreshed before each expiry, ${Math.round(refreshesPerMonth(true))} times a month; one that is not, every 30 days.

A connection of [a service account](service-accounts.md) is not refreshed ahead: each hour with calls takes a token, with the call that needs it.

${partsTable('a million', millionDelegatedTokens())}

Without a key, its signature costs ${dollars(millionKeylessSignatures())} a million more. Connections that nobody uses cost what they take in storage. A domain that does not list the account is asked for every ten minutes, ${dollars(lostDomainMonth())} a month, however many connections it has; one that lists it every hour, ${dollars(1_000 * workingDomainMonth())} for a thousand domains.

## Feeds

A million messages of Google's, ${ASSUMPTIONS.messagesPerPull} of them to a pull, each pull with a batch on the bus:

${partsTable('a million', millionMessages())}

Keeping 100,000 feeds for a month, with a channel each and a pull every six hours in which no message came; without the messages. A feed that has no push
is pulled every five minutes and costs ${Math.round(21_600 / 300)} times the safety pulls, so set \`poll_interval_sec\` to what you need.

${partsTable('a month', feedsMonth(100_000))}

Keeping 100,000 feeds of \`drives\` that follow ${SHARED_DRIVES} shared drives each, with a channel on each drive. Where a message of such a drive
has its history read in addition to the user's own, a million messages cost ${dollars(messagesOfLogs(SHARED_DRIVES))} more than above:

${partsTable('a month', feedsOfDrivesMonth(100_000, SHARED_DRIVES))}

With \`meaning\`, a million changes cost ${dollars(millionMeanings())} more, and what a feed remembers of 100,000 files ${dollars(statesMonth(100_000))} a month. It takes twice as many pages where a read finds more than 50 changes, each a list of Google's quota.

A feed of a folder lists what is below it when it begins: ${dollars(firstListing(100_000))} for 100,000 files and folders, and ${dollars(statesMonth(100_000))} a month to keep where they lie. A million pulls with changes cost ${dollars(millionFolderPulls(100))} more with 100 folders, and ${dollars(millionFolderPulls(5_000))} more with 5,000, as all folders are read where something has changed. A pull that finds nothing reads none of them.

Where several feeds of a connection [follow one history](changes.md#several-feeds-of-one-history), a million messages cost ${dollars(millionPassedOn())} more for each further feed that they bring no change.

A million \`reminders\` cost ${dollars(millionReminders())}. Each is a list of what starts, one of Google's calls, and each day of a calendar with reminders and each read that finds changes is another: 100,000 calendars with five events a day take 600,000 calls and those after changes, of the 1,000,000 that Google gives a Cloud project a day.

## A million connect sessions

Creating them takes ${ASSUMPTIONS.sessionWriteUnits} write units each, ${dollars(ASSUMPTIONS.sessionWriteUnits * PRICES.writeUnit * 1e6)} a million: the session, its event, and the item by which the sessions of an end user are found. All but
the event go a day after the session has run out.

## A million events, and a million messages to webhooks

An event costs this whether anybody listens or not:

${partsTable('a million', millionEvents())}

Each webhook that gets it adds a message of ${ASSUMPTIONS.deliveryKb} KB on the wire, taken in ${ASSUMPTIONS.deliverySec * 1000} ms at the first attempt:

${partsTable('a million', millionDeliveries())}

## Keeping connections for a month

On top of a month without use, without the calls themselves.

${connectionsTable()}

Storage counts ${ASSUMPTIONS.listedRows} [rows of lists](decisions/0036-rows-of-lists.md) of ${Math.round(ASSUMPTIONS.listedRowKb * 1000)} bytes each in addition to the ${ASSUMPTIONS.connectionKb} KB of a connection, and *Rows of lists* what is written of them where, in a month, ${ASSUMPTIONS.madePerConnection * 100} of a
hundred connections are made and ${ASSUMPTIONS.deadPerConnection * 100} die or live again.

Ten million connections that are all used each day keep ${slicesWanted(10_000_000, 1)} slices busy, of at most 64: [scale.md](scale.md).
Refreshing every one of ten million hourly, used or not, is what the last row shows, and what \`gateway:refreshAhead=always\` asks for: the other rows are
why it is not the default. With \`on-use\` no connection is refreshed ahead, so only its calls and its keep-alive cost; callers wait instead.

## What is stored

Of 10,000 connections and a million calls a month of theirs, evenly, once everything has reached its age. The table is backed up for 35 days, which is part of its price; call log and log groups are not.

${storageTable()}

## Searching for people

A search reads all entries of its account once, whatever it looks for ([why](decisions/0024-search-index.md)). Anyone who changes what is found writes the
entries that share its item along. A page of any list costs nothing worth a price, however many connections there are, but for one by name while the first walk has not added
[rows of lists](decisions/0036-rows-of-lists.md), which costs as much as a search. Those rows cost ${dollars(listedPrices().millionMade)} for a million connections that an end user of an organization makes, in whose tags name, address and organization stand once more, ${dollars(listedPrices().millionTags)} more for each tag of your own, and ${dollars(listedPrices().millionDead)} for a
million that die or live again.

${searchTable()}

## Watching connections

The counters of the overview cost ${dollars(watchPrices().millionCounted)} for a million connections that are made, deleted, die or are fixed; refreshes are counted together, every ten seconds. Marks of connections whose calls the
provider begins or ceases to refuse cost ${dollars(watchPrices().millionMarks)} a million. The usage of each day is among the parts of a million calls above.

## What free tiers take off

Nothing above counts them. These do not end after a year, and every account has them once, for all that runs in it:

${freeTable()}

The first 25 GB of tables are free as well, their backups are not. What is left of a million calls of 10,000 connections is ${dollars(total(millionCalls()) - total(freeOfCalls()))} by the REST API and ${dollars(total(millionCalls({ door: 'function-url' })) - total(freeOfCalls()))} by the function URL, and of a month without
use ${dollars(total(idleMonth(true)) - total(freeOfIdle()))}.

## Options that cost something by themselves

${optionsTable()}

The web ACL's price per million counts every request, proxied or not. Of a process kept started the time it works is cheaper than the table of calls has it.
Traces are counted at X-Ray's default sampling: one request each second and ${100 * ASSUMPTIONS.tracedShare} % of the others.
`;
}
