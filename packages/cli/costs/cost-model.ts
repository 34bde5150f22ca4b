import { CALL_LOG_RETENTION_DAYS, type ClientSecretPlace } from '../../../lambdas/gateway/core/contract.ts';
import {
  CENSUS_PAGES_PER_TICK,
  CENSUS_REST_SEC,
  CLIENT_CREDENTIALS_CACHE_MS,
  CONNECTION_CACHE_MS,
  CONNECTION_PAGE_RETENTION_SEC,
  DATA_KEY_CACHE_MS,
  DAY_USE_CACHE_MS,
  DELEGATION_LOOK_SEC,
  DELEGATION_PROBE_SEC,
  DUE_LOOK_MAX_ENTRIES,
  EVENT_RETENTION_SEC,
  HEARTBEAT_INTERVAL_MS,
  HOUR_PAGE_RETENTION_SEC,
  KEEP_ALIVE_SEC,
  KEY_CACHE_MS,
  MIN_CALLS_TO_REPORT,
  MINUTE_PAGE_RETENTION_SEC,
  PROGRESS_WRITE_INTERVAL_MS,
  RATE_WINDOW_SEC,
  SCHEDULED_REFRESH_LEAD_JITTER_SEC,
  SCHEDULED_REFRESH_LEAD_SEC,
  SEARCH_BUCKETS,
  SEARCH_CHECK_REST_SEC,
  SEARCH_SHARDS,
  TICK_NOTE_INTERVAL_MS,
  USAGE_RETENTION_SEC,
  USE_NOTE_INTERVAL_SEC,
} from '../../../lambdas/gateway/core/limits.ts';
import { FUNCTION_MEMORY_MB } from '../../../lib/function-memory.ts';
import {
  ASSUMPTIONS as A,
  FREE_MONTH as F,
  type FrontDoor,
  LEAN_STACK,
  memoryMbOf,
  PRICES as P,
  STACK,
} from './prices.ts';

const MILLION = 1_000_000;
const KB_PER_GB = 1_000_000;
/** A strong read of 4 KB is one unit (DynamoDB guide, "Read and write operations"). */
const KB_PER_READ_UNIT = 4;
const NO_PAGES = { times: 0, entries: 0, kilobytes: 0 };

/** Stored KB per connection, including its rows in lists. */
export const STORED_KB = A.connectionKb + A.listedRows * A.listedRowKb;

/** Named parts of a price, in dollars. */
export type Parts = Readonly<Record<string, number>>;

/** Sum of the parts. */
export function total(parts: Parts): number {
  return Object.values(parts).reduce((sum, part) => sum + part, 0);
}

/** A million proxied calls of a month: how many connections they are of, evenly, and how they come in. */
export interface CallsAsked {
  /** @default `ASSUMPTIONS.countedConnections` */
  readonly connections?: number;
  /** @default 'rest-api' */
  readonly door?: FrontDoor;
  /** Of the proxy function. @default the deployment's */
  readonly memoryMb?: number;
}

/** A million proxied calls. */
export function millionCalls({
  connections = A.countedConnections,
  door = 'rest-api',
  memoryMb = FUNCTION_MEMORY_MB.proxy,
}: CallsAsked = {}): Parts {
  return {
    'Front door': P.doorRequest[door] * MILLION,
    'Lambda, requests and time': (P.lambdaRequest + lambdaTime(A.callSec, memoryMb)) * MILLION,
    'DynamoDB writes, limits': limitReports(connections) * A.limitReportWriteUnits * P.writeUnit,
    'DynamoDB reads': callerItemsRead(connections) * A.callerItemReadUnits * P.readUnit,
    'Counting: line, questions, pages': total(countedMillion(connections)),
    'Transfer out': (((A.callAnswerKb + A.answerHeadKb) * MILLION) / KB_PER_GB) * P.transferGb,
    'Transfer to Google': ((A.providerRequestKb * MILLION) / KB_PER_GB) * P.transferGb,
  };
}

/** Refreshes in a month of the connections whose million calls these are, where each is used every day. */
export function refreshesOfCallers(connections: number): number {
  return (connections / MILLION) * refreshesPerMonth(true) * total(millionRefreshes());
}

/** Uploads of so many GB in all: the bytes leave AWS on their way to the provider. Each is also a call. */
export function uploads(gigabytes: number): number {
  return gigabytes * P.transferGb;
}

/** The lines that Lambda itself writes about invocations. */
export function platformLines(invocations: number): number {
  return ((invocations * A.platformLogKb) / KB_PER_GB) * P.logGb;
}

const CALLS_A_SECOND = MILLION / A.monthSec;

/**
 * Calls per second of each process at a million calls a month: the first takes as many as it can, and calls during its busy time go to
 * a second (Erlang's loss formula). A third gets 1 % of the calls.
 */
function processRates(): readonly number[] {
  const busy = CALLS_A_SECOND * A.callSec;
  const lost = busy / (1 + busy);
  return [CALLS_A_SECOND * (1 - lost), CALLS_A_SECOND * lost];
}

/** Items read in a month: by each process, each item again after its time in the cache. */
export function callerItemsRead(connections: number): number {
  const perSec = (items: number, rate: number, rememberedMs: number) => items / (rememberedMs / 1000 + items / rate);
  return processRates().reduce((sum, rate) => {
    const keyAndIntegration = 2 * perSec(1, rate, KEY_CACHE_MS);
    const dayUse = perSec(1, rate, DAY_USE_CACHE_MS);
    return sum + A.monthSec * (keyAndIntegration + dayUse + perSec(connections, rate, CONNECTION_CACHE_MS));
  }, 0);
}

/** Reports of calls to the windows of their key and their connection in a month: for every ten calls of one, as slow as these come. */
export function limitReports(connections: number): number {
  const windows = A.monthSec / RATE_WINDOW_SEC;
  const ofOne = (rate: number) => windows * tensOf(rate * RATE_WINDOW_SEC);
  return processRates().reduce((sum, rate) => sum + ofOne(rate) + connections * ofOne(rate / connections), 0);
}

/** How many times ten calls come together where so many are expected by chance (Poisson). */
function tensOf(expected: number): number {
  let chance = Math.exp(-expected);
  let tens = 0;
  for (let calls = 1; calls < 10 * (expected + 10); calls++) {
    chance *= expected / calls;
    tens += chance * Math.floor(calls / MIN_CALLS_TO_REPORT);
  }
  return tens;
}

/** Notes of their use that the connections of a million calls leave in a month: at most one in ten minutes each. */
export function notesOfUse(connections: number): number {
  return (A.monthSec * connections) / (USE_NOTE_INTERVAL_SEC + connections / CALLS_A_SECOND);
}

/** Something that is stored, for how long, and how much of it there is then. */
export interface Stored {
  readonly what: string;
  readonly kept: string;
  readonly gigabytes: number;
  readonly dollars: number;
}

/**
 * All that is stored once everything has reached its age, of so many connections with so many million calls a month of them, evenly. The
 * table is backed up for 35 days, the call log and log groups are not.
 */
export function storedThings(connections: number, millionsOfCalls: number): Stored[] {
  const days = (sec: number) => sec / 86_400;
  const calls = millionsOfCalls * MILLION;
  const inTable = (what: string, kept: string, kilobytes: number): Stored => {
    const gigabytes = kilobytes / KB_PER_GB;
    return { what, kept, gigabytes, dollars: gigabytes * (P.tableGbMonth + P.recoveryGbMonth) };
  };
  const pages = (levelSec: number, keptSec: number, of: 'head' | 'connections' | 'both') => {
    const count = keptSec / levelSec;
    const distinct = distinctOf(connections, (calls * levelSec) / A.monthSec);
    return count * ((of === 'connections' ? 0 : A.pageHeadKb) + (of === 'head' ? 0 : distinct * A.pageEntryKb));
  };
  const events = connections * A.eventsPerConnection * (EVENT_RETENTION_SEC / A.monthSec);
  const keptCalls = (calls * A.failedCallShare * CALL_LOG_RETENTION_DAYS.standard) / days(A.monthSec);
  const logGb = (calls * A.callLogKb) / KB_PER_GB;
  return [
    inTable('Connections, with their index entries', 'as long as they live', connections * A.connectionKb),
    inTable('Rows of lists', 'the same', connections * A.listedRows * A.listedRowKb),
    inTable('Search index', 'the same', connections * A.searchEntryKb),
    inTable('Events, with their index', `${days(EVENT_RETENTION_SEC)} days`, events * A.eventKb),
    inTable(
      'Deliveries, of one webhook',
      `${days(A.deliveryRetentionSec)} days`,
      (connections * A.eventsPerConnection * A.deliveryRowKb * A.deliveryRetentionSec) / A.monthSec,
    ),
    inTable(
      'Pages of calls, minutes',
      `${days(MINUTE_PAGE_RETENTION_SEC)} days`,
      pages(60, MINUTE_PAGE_RETENTION_SEC, 'both'),
    ),
    inTable(
      'Pages of calls, hours',
      `${days(HOUR_PAGE_RETENTION_SEC)} days`,
      pages(3_600, HOUR_PAGE_RETENTION_SEC, 'both'),
    ),
    inTable('Pages of calls, days', `${days(USAGE_RETENTION_SEC)} days`, pages(86_400, USAGE_RETENTION_SEC, 'head')),
    inTable(
      'Pages of calls, connections of days',
      `${days(CONNECTION_PAGE_RETENTION_SEC)} days`,
      pages(86_400, CONNECTION_PAGE_RETENTION_SEC, 'connections'),
    ),
    // Their TTL is two windows; DynamoDB removes what has expired within two days.
    inTable(
      'Windows of limits',
      'two minutes, and until DynamoDB clears',
      ((limitReports(connections) * millionsOfCalls * 2) / days(A.monthSec)) * A.windowCountKb,
    ),
    {
      what: 'Call log, with its indexes',
      kept: `${CALL_LOG_RETENTION_DAYS.standard} days`,
      gigabytes: (keptCalls * A.callLogRowKb) / KB_PER_GB,
      dollars: ((keptCalls * A.callLogRowKb) / KB_PER_GB) * P.tableGbMonth,
    },
    { what: 'Lines of calls, log group', kept: '30 days', gigabytes: logGb, dollars: logGb * P.logGbMonth },
  ];
}

/** Of calls that fall on connections by chance, some are of the same: how many connections they are of. */
function distinctOf(connections: number, calls: number): number {
  return connections * (1 - Math.exp(-calls / connections));
}

/** Savings on a million calls by the permanent free tiers, by part. */
export function freeOfCalls(memoryMb: number = FUNCTION_MEMORY_MB.proxy): Parts {
  const gbSec = MILLION * A.callSec * (memoryMb / 1024);
  return {
    'Lambda, requests and time':
      Math.min(MILLION, F.lambdaRequests) * P.lambdaRequest + Math.min(gbSec, F.lambdaGbSec) * P.lambdaGbSec,
    'Lines in the log': Math.min((MILLION * A.callLogKb) / KB_PER_GB, F.logGb) * P.logGb,
    'Transfer out': Math.min((MILLION * transferredKb()) / KB_PER_GB, F.transferGb) * P.transferGb,
  };
}

/** Off what CloudFront in front of the function URL costs: requests and transfer. */
export function freeOfDistribution(): Parts {
  const gigabytes = (MILLION * (A.callAnswerKb + A.answerHeadKb)) / KB_PER_GB;
  return {
    'Requests of CloudFront': Math.min(MILLION, F.distributionRequests) * P.distributionRequest,
    'Transfer of CloudFront': Math.min(gigabytes, F.distributionGb) * P.distributionGb,
  };
}

/** KB that leave AWS for a call: its answer, and its request to the provider. */
function transferredKb(): number {
  return A.callAnswerKb + A.answerHeadKb + A.providerRequestKb;
}

/** And off a month without use; the functions' ticks too, where nothing else uses the same tiers up. */
export function freeOfIdle(): Parts {
  const ticks = STACK.sweeps + 1;
  const minutes = A.monthSec / 60;
  return {
    Alarms: Math.min(STACK.alarmMetricsMonitored, F.alarmMetrics) * P.alarmMetricMonth,
    'Ticks by the scheduler': Math.min(ticks * minutes, F.schedulerInvocations) * P.schedulerInvocation,
    'Key calls': Math.min(STACK.steadyPrincipals * (A.monthSec / A.tableKeyCacheSec), F.kmsRequests) * P.kmsRequest,
  };
}

/** Counting a million calls of a month, of so many connections evenly. */
export function countedMillion(connections: number = A.countedConnections): Parts {
  return countedMonth(connections, MILLION);
}

/** Counting the calls of a month, of so many connections evenly. */
export function countedMonth(connections: number, calls: number): Parts {
  const minutes = A.monthSec / 60;
  const [minute = NO_PAGES, hour = NO_PAGES, day = NO_PAGES] = [60, 3_600, 86_400].map((seconds) => {
    const times = A.monthSec / seconds;
    const entries = distinctOf(connections, calls / times);
    return { times, entries, kilobytes: A.pageHeadKb + entries * A.pageEntryKb };
  });
  const writes = [minute, hour, day].reduce((units, { times, kilobytes }) => units + times * Math.ceil(kilobytes), 0);
  // Hours are built from the pages of their minutes, days from those of their hours.
  const reads = [minute, hour].reduce(
    (units, { times, kilobytes }) => units + (times * kilobytes) / KB_PER_READ_UNIT,
    0,
  );
  const gigabytes = (A.callLogKb * calls) / KB_PER_GB;
  // A row is taken three times from the log, and its entry read once for its hour; entries of hours are read once for their day.
  const handled = minute.times * minute.entries * 4 + hour.times * hour.entries;
  // In a small account a tick's fixed work dominates, in a large one its variable work.
  const busySec = Math.max(minutes * (A.busyRollUpSec - A.idleRollUpSec), handled * A.countedEntrySec);
  const readUnits = Math.max(minutes * A.rollUpReadUnits, reads);
  return {
    'Lines in the log': gigabytes * P.logGb,
    'Questions to the log': A.lineReads * gigabytes * P.insightsGb,
    'Pages and progress': (writes + minutes) * P.writeUnit + readUnits * P.readUnit,
    'Lambda, more than idle': busySec * STACK.rollUpMemoryGb * P.lambdaGbSec,
    'Invocations, asked for each hour': (A.monthSec / 3_600) * P.metricRequest,
  };
}

/** A month of the roll-up without calls: ticks, progress, and the table's key, which one more principal asks for. */
export function idleCountMonth(): number {
  const writesEverySec = PROGRESS_WRITE_INTERVAL_MS / 1000;
  const tick = P.schedulerInvocation + P.lambdaRequest + A.idleRollUpSec * STACK.rollUpMemoryGb * P.lambdaGbSec;
  // Progress, and the note that the tick has ended.
  const note = 2 * P.writeUnit + P.kmsRequest;
  return (A.monthSec / 60) * tick + (A.monthSec / writesEverySec) * note + (A.monthSec / 86_400) * P.metricRequest;
}

/** Additional cost of a million calls of which such a share leaves a row in the call log. */
export function loggedCalls(share: number): number {
  const row = A.callLogWriteUnits * P.writeUnit + lambdaTime(A.callLogSec, FUNCTION_MEMORY_MB.proxy);
  const failed = Math.min(share, A.failedCallShare) * A.failedCallWriteUnits * P.writeUnit;
  return MILLION * (share * row + failed);
}

/** Additional cost of a million writes of keys with a journal. */
export function journalledWrites(): number {
  return MILLION * (A.journalWriteUnits * P.writeUnit + lambdaTime(A.journalSec, FUNCTION_MEMORY_MB.proxy));
}

/** Additional cost of reserving a part of the provider's minute, per million calls that take so many write units each. */
export function millionPaced(writeUnits: number): number {
  return MILLION * writeUnits * P.writeUnit;
}

/** How full the provider's day is, of an account whose days are used up: written after each 1 % of a day. */
export function dayUseMonth(): number {
  return (A.monthSec / 86_400) * 100 * P.writeUnit;
}

/** A million calls of tools that ask Google once: each is a request of the API, and a function that waits for the proxy. */
export function millionToolCalls(): Parts {
  const name = 'Lambda, requests and time';
  const waiting = (P.lambdaRequest + lambdaTime(A.callSec, memoryMbOf('mcp'))) * MILLION;
  const calls = millionCalls();
  const parts = { ...calls, [name]: (calls[name] ?? 0) + waiting };
  const transfer = (((A.callAnswerKb * A.toolAnswerCopies + A.answerHeadKb) * MILLION) / KB_PER_GB) * P.transferGb;
  return { ...parts, 'Transfer out': transfer, Logs: platformLines(MILLION) };
}

/** A million approved calls with their page and a sign-in, in addition to the calls' own cost. For each request one function waits for another. */
export function millionApprovals(): Parts {
  const seconds = A.approvalRequests * A.approvalRequestSec + A.approvalRunSec;
  return {
    Requests: A.approvalRequests * P.doorRequest['rest-api'] * MILLION,
    'Lambda, requests and time':
      (2 * (A.approvalRequests + 1) * P.lambdaRequest +
        lambdaTime(seconds, memoryMbOf('approvals') + FUNCTION_MEMORY_MB.proxy)) *
      MILLION,
    'DynamoDB writes': A.approvalWriteUnits * P.writeUnit * MILLION,
    'DynamoDB reads': A.approvalReadUnits * P.readUnit * MILLION,
    'Three events':
      3 * (P.busEvent + forwarding(1) + P.lambdaRequest + A.eventSec * STACK.deliverMemoryGb * P.lambdaGbSec) * MILLION,
    // Of the requests; of the events, two functions each.
    Logs: platformLines((A.approvalRequests + 3 * 2) * MILLION),
  };
}

/** Dollars of a time in a function. */
function lambdaTime(seconds: number, memoryMb: number): number {
  return seconds * (memoryMb / 1024) * P.lambdaGbSec;
}

/** A thousand proxied downloads of so many MB, at the speed that Lambda streams. */
export function thousandDownloads(megabytes: number): Parts {
  const slowMb = Math.max(0, megabytes - A.streamedAtOnceMb);
  const seconds = A.callSec + slowMb / A.streamedMbPerSec;
  return {
    'API Gateway': Math.ceil(megabytes / 10) * P.doorRequest['rest-api'] * 1_000,
    'Lambda, requests and time': (P.lambdaRequest + lambdaTime(seconds, FUNCTION_MEMORY_MB.proxy)) * 1_000,
    'Lambda, streaming beyond 6 MB': slowMb * P.streamedGb,
    'Transfer out': megabytes * P.transferGb,
  };
}

/** Monthly cost of a key after so many yearly rotations. */
export function keyMonth(rotations: number): number {
  return P.kmsKeyMonth + Math.min(2, rotations) * P.kmsRotationMonth;
}

/** A month of one client secret, where it is kept. */
export function clientSecretMonth(place: ClientSecretPlace): number {
  return place === 'secrets-manager'
    ? P.secretMonth
    : (A.clientSecretKb / KB_PER_GB) * (P.tableGbMonth + P.recoveryGbMonth);
}

/** A month of calls to KMS and Secrets Manager for what sweeps remember only for a while. */
function monthOfRemembered(slices: number): number {
  const dataKeys = A.dataKeys * (A.monthSec / (DATA_KEY_CACHE_MS / 1000));
  const secrets = A.integrations * (A.monthSec / (CLIENT_CREDENTIALS_CACHE_MS / 1000));
  return slices * (dataKeys * P.kmsRequest + secrets * P.secretRequest);
}

/** A million refreshes by the schedule. */
export function millionRefreshes(): Parts {
  return {
    'DynamoDB writes': A.refreshWriteUnits * P.writeUnit * MILLION,
    'DynamoDB reads': A.refreshReadUnits * P.readUnit * MILLION,
    'Lambda time': A.refreshSec * STACK.functionMemoryGb * P.lambdaGbSec * MILLION,
    Logs: ((A.refreshLogKb * MILLION) / KB_PER_GB) * P.logGb,
  };
}

/** A million tokens for users of service accounts, each alongside the call that needs it. */
export function millionDelegatedTokens(): Parts {
  return {
    'DynamoDB writes': A.delegatedTokenWriteUnits * P.writeUnit * MILLION,
    'DynamoDB reads': A.delegatedTokenReadUnits * P.readUnit * MILLION,
    'Lambda time, waiting for Google': lambdaTime(A.delegatedTokenSec, FUNCTION_MEMORY_MB.proxy) * MILLION,
  };
}

/** Additional cost of the signatures of a million of them without a key. */
export function millionKeylessSignatures(): number {
  return lambdaTime(A.keylessSec, FUNCTION_MEMORY_MB.proxy) * MILLION;
}

/** A month of a domain that does not list its service account, probed by the schedule. */
export function lostDomainMonth(): number {
  const asked = A.lostDomainWriteUnits * P.writeUnit + A.lostDomainReadUnits * P.readUnit;
  return (A.monthSec / DELEGATION_PROBE_SEC) * (asked + A.refreshSec * STACK.functionMemoryGb * P.lambdaGbSec);
}

/** A month of a domain that lists it, in which the schedule looks whether it still does. */
export function workingDomainMonth(): number {
  const asked = A.workingDomainWriteUnits * P.writeUnit + A.workingDomainReadUnits * P.readUnit;
  return (A.monthSec / DELEGATION_LOOK_SEC) * (asked + A.refreshSec * STACK.functionMemoryGb * P.lambdaGbSec);
}

/**
 * A month of the ticks of a number of slices; the number of slices, if more than one, does not change the sweeps' reads.
 *
 * @param entries in the index of due work
 */
export function monthOfTicks(slices: number, entries = 0): number {
  const readsAtOnce = slices === 1 && entries < DUE_LOOK_MAX_ENTRIES;
  const ticks = A.monthSec / 60;
  return (
    ticks *
      slices *
      (P.schedulerInvocation +
        P.lambdaRequest +
        (readsAtOnce ? A.idleSweepSec : A.askingSweepSec) * STACK.functionMemoryGb * P.lambdaGbSec) +
    ticks * (readsAtOnce ? A.idleSweepReadUnits : A.askingSweepReadUnits) * P.readUnit
  );
}

/** A month of the tick of the feed sweep. */
function monthOfFeedTicks(): number {
  const sweep = P.schedulerInvocation + P.lambdaRequest + A.idleSweepSec * STACK.functionMemoryGb * P.lambdaGbSec;
  return (A.monthSec / 60) * (sweep + A.idleFeedSweepReadUnits * P.readUnit);
}

/**
 * Calls of a feed in the function core.
 *
 * @param sec how long they take
 * @param together feeds whose calls share an execution
 */
function callsInCore(sec: number, together: number): number {
  const execution = P.lambdaRequest + lambdaTime(sec, FUNCTION_MEMORY_MB.core) + platformLines(1);
  return execution / together + A.pullInCoreReadUnits * P.readUnit;
}

/** A million messages of Google's push channels, the pulls they start and the batches these store. */
export function millionMessages(): Parts {
  const pulls = MILLION / A.messagesPerPull;
  const perMessage = P.lambdaRequest + A.messageSec * STACK.functionMemoryGb * P.lambdaGbSec;
  return {
    'API Gateway': P.doorRequest['rest-api'] * MILLION,
    'Lambda, messages': perMessage * MILLION,
    'Lambda, pulls': pulls * (P.lambdaRequest + A.pullSec * STACK.functionMemoryGb * P.lambdaGbSec),
    'Calls of pulls in core': pulls * callsInCore(A.pullInCoreSec, 1),
    'DynamoDB writes': (MILLION * A.messageWriteUnits + pulls * A.pullWriteUnits) * P.writeUnit,
    'DynamoDB reads': (MILLION * A.messageReadUnits + pulls * A.pullReadUnits) * P.readUnit,
    'Trigger and bus': pulls * (P.busEvent + forwarding(1)),
    'Batches, kept for two weeks':
      ((pulls * A.feedBatchKb) / KB_PER_GB) *
      (A.feedBatchRetentionSec / A.monthSec) *
      (P.tableGbMonth + P.recoveryGbMonth),
    Logs: ((MILLION * A.messageLogKb + pulls * A.pullLogKb) / KB_PER_GB) * P.logGb,
  };
}

/** A month of keeping feeds, without the messages: safety pulls every six hours and channels that are replaced. */
export function feedsMonth(feeds: number): Parts {
  // A sweep has many pulls at the same time.
  const inCore = callsInCore(A.pullInCoreSec, A.feedCallsPerQuestion);
  const time = A.pullSec * STACK.functionMemoryGb * P.lambdaGbSec + inCore;
  const pull = time + A.emptyPullWriteUnits * P.writeUnit + A.emptyPullReadUnits * P.readUnit;
  const channel = time + A.channelWriteUnits * P.writeUnit;
  return {
    'Safety pulls': feeds * (A.monthSec / A.feedSafetyIntervalSec) * pull,
    'New channels': feeds * (A.monthSec / (A.channelDays * 86_400 * A.channelRenewalShare)) * channel,
    Storage: ((feeds * A.feedKb) / KB_PER_GB) * (P.tableGbMonth + P.recoveryGbMonth),
  };
}

/** Additional cost of a million messages whose pulls read the log of a shared drive as well as the user's own. */
export function messagesOfLogs(drives: number): number {
  const time = A.logSec * STACK.functionMemoryGb * P.lambdaGbSec + callsInCore(A.logInCoreSec, 1);
  const reads = (A.logsReadUnits + drives * A.logReadUnits) * P.readUnit;
  return (MILLION / A.messagesPerPull) * (time + reads + A.logPullWriteUnits * P.writeUnit);
}

/** Additional cost of a million changes with a reported meaning. */
export function millionMeanings(): number {
  return MILLION * (A.stateWriteUnits * P.writeUnit + A.stateReadUnits * P.readUnit);
}

/** The first listing of so many files and folders by a feed of a folder. */
export function firstListing(things: number): number {
  return things * A.folderFileWriteUnits * P.writeUnit;
}

/** Additional cost of a million pulls with changes where the feed is one of a folder with so many folders. */
export function millionFolderPulls(folders: number): number {
  const reads = A.folderPullReadUnits + folders * A.folderReadUnits;
  return MILLION * (A.folderPullWriteUnits * P.writeUnit + reads * P.readUnit);
}

/** Additional cost of a million messages for each further feed of the same log that has no change of its own. */
export function millionPassedOn(): number {
  const pulls = MILLION / A.messagesPerPull;
  return pulls * (A.passedOnWriteUnits * P.writeUnit + A.passedOnReadUnits * P.readUnit);
}

/** A month of a feed's memory of so many things. */
export function statesMonth(things: number): number {
  return ((things * A.stateKb) / KB_PER_GB) * (P.tableGbMonth + P.recoveryGbMonth);
}

/** A million reminders, each with a list of what starts and a batch on the bus. */
export function millionReminders(): number {
  const inCore = callsInCore(A.pullInCoreSec, A.feedCallsPerQuestion);
  const time = A.pullSec * STACK.functionMemoryGb * P.lambdaGbSec + inCore;
  const units = A.reminderWriteUnits * P.writeUnit + A.reminderReadUnits * P.readUnit;
  return MILLION * (time + units + P.busEvent + forwarding(1));
}

/** A month of keeping feeds of drives that follow so many shared drives each. */
export function feedsOfDrivesMonth(feeds: number, drives: number): Parts {
  const one = feedsMonth(feeds);
  const inCore = callsInCore(A.logInCoreSec, A.feedCallsPerQuestion);
  const time = A.logSec * STACK.functionMemoryGb * P.lambdaGbSec + inCore;
  const pulls = feeds * (A.monthSec / A.feedSafetyIntervalSec);
  const pull =
    drives * (time + A.logReadUnits * P.readUnit) + A.logsReadUnits * P.readUnit + A.logsWriteUnits * P.writeUnit;
  const channel = time * 2 + A.logChannelWriteUnits * P.writeUnit;
  const channels = feeds * drives * (A.monthSec / (A.channelDays * 86_400 * A.channelRenewalShare));
  const gb = (feeds * drives * A.logKb) / KB_PER_GB;
  return {
    'Safety pulls': (one['Safety pulls'] ?? 0) + pulls * pull,
    'New channels': (one['New channels'] ?? 0) + channels * channel,
    Storage: (one.Storage ?? 0) + gb * (P.tableGbMonth + P.recoveryGbMonth),
  };
}

/** A month of ticks that find no delivery due. */
function monthOfDeliveryTicks(): number {
  const perTick =
    P.schedulerInvocation +
    P.lambdaRequest +
    A.idleDeliverySweepSec * STACK.deliverMemoryGb * P.lambdaGbSec +
    A.idleDeliverySweepReadUnits * P.readUnit;
  return (A.monthSec / 60) * perTick;
}

/** A month of heartbeats on the path of events, and of the sweeps' records of their ends. */
function monthOfHeartbeats(of: IdleStack): number {
  const { monthSec } = A;
  const calls = of.heartbeatFunctions * (P.lambdaRequest + A.eventSec * STACK.deliverMemoryGb * P.lambdaGbSec);
  const beats = (monthSec / (HEARTBEAT_INTERVAL_MS / 1000)) * (P.writeUnit + P.busEvent + calls);
  return beats + of.sweeps * (monthSec / (TICK_NOTE_INTERVAL_MS / 1000)) * P.writeUnit;
}

/**
 * The events function's part of putting one event on the bus. Its trigger reads the stream for nothing.
 *
 * @param together events that one call of the function takes
 */
export function forwarding(together: number): number {
  const requests = Math.ceil(together / 10);
  return (P.lambdaRequest + requests * A.forwardSec * STACK.eventsMemoryGb * P.lambdaGbSec) / together;
}

/** A million events, from their item to the bus and the deliver function, which finds no webhook for them. */
export function millionEvents(): Parts {
  return {
    'Index of events': A.eventListWriteUnits * P.writeUnit * MILLION,
    'Trigger and bus': (P.busEvent + forwarding(1)) * MILLION,
    'Lambda, requests and time': (P.lambdaRequest + A.eventSec * STACK.deliverMemoryGb * P.lambdaGbSec) * MILLION,
    'DynamoDB reads': A.eventReadUnits * P.readUnit * MILLION,
    // Of the function that puts it on the bus, and of the one that looks for webhooks.
    Logs: platformLines(2 * MILLION),
  };
}

/** A million messages to webhooks, each taken at the first attempt. */
export function millionDeliveries(): Parts {
  return {
    'Lambda time': A.deliverySec * STACK.deliverMemoryGb * P.lambdaGbSec * MILLION,
    'DynamoDB writes': A.deliveryWriteUnits * P.writeUnit * MILLION,
    'Transfer out': ((A.deliveryKb * MILLION) / KB_PER_GB) * P.transferGb,
  };
}

/** A month of the lines that Lambda writes about ticks and heartbeats. A tick that finds nothing writes none of its own. */
function idleLogMonth(of: IdleStack): number {
  const beats = A.monthSec / (HEARTBEAT_INTERVAL_MS / 1000);
  return platformLines(of.sweeps * (A.monthSec / 60) + of.heartbeatFunctions * beats);
}

/** What an unused stack pays for by number. */
type IdleStack = Readonly<Record<keyof typeof LEAN_STACK, number>>;

/** A month of an unused stack. @param of `LEAN_STACK`: without the features that can be left out */
export function idleMonth(monitoring: boolean, of: IdleStack = STACK): Parts {
  const ticksOfFeatures = { 'Feed tick': monthOfFeedTicks(), 'Tick of the webhooks': monthOfDeliveryTicks() };
  return {
    'KMS key, first year': STACK.keys * keyMonth(0),
    Secrets: STACK.secrets * P.secretMonth,
    'Refresh tick': monthOfTicks(1),
    ...(of === LEAN_STACK ? {} : ticksOfFeatures),
    'Tick of the roll-up': idleCountMonth(),
    'Key calls for the table': of.steadyPrincipals * (A.monthSec / A.tableKeyCacheSec) * P.kmsRequest,
    Alarms: (monitoring ? of.alarmMetricsMonitored : of.alarmMetricsAlways) * P.alarmMetricMonth,
    'Alarm of silence': STACK.compositeAlarms * P.compositeAlarmMonth,
    Heartbeats: monthOfHeartbeats(of),
    'Logs of ticks and heartbeats': idleLogMonth(of),
  };
}

/** Refreshes of a connection in a month: kept fresh ahead of use while it is used each day, else kept alive. */
export function refreshesPerMonth(inUse: boolean): number {
  const leadSec = SCHEDULED_REFRESH_LEAD_SEC + SCHEDULED_REFRESH_LEAD_JITTER_SEC / 2;
  return A.monthSec / (inUse ? A.accessTokenSec - leadSec : KEEP_ALIVE_SEC);
}

/** A month of counting all connections: a few pages of 1 MB a tick, then a rest. */
function monthOfCounts(connections: number): number {
  const kilobytes = connections * A.listEntryKb;
  const ticksPerCount = Math.max(1, Math.ceil(kilobytes / 1024 / CENSUS_PAGES_PER_TICK)) + CENSUS_REST_SEC / 60;
  return (A.monthSec / 60 / ticksPerCount) * (kilobytes / 8) * P.readUnit;
}

/** The weekly walk that looks for connections without a search entry: the list and the search index, read once. */
function monthOfSearchWalks(connections: number): number {
  const kilobytes = connections * (A.listEntryKb + A.searchEntryKb);
  return (A.monthSec / SEARCH_CHECK_REST_SEC) * (kilobytes / 8) * P.readUnit;
}

/** A thousand searches of an account, and a million changes of searchable text: names, e-mails, tags. */
export function searchPrices(connections: number): {
  readonly thousandSearches: number;
  readonly millionChanges: number;
} {
  const buckets = Math.min(SEARCH_BUCKETS, connections);
  // A unit of an eventual read is 8 KB, and each of the partitions is rounded up.
  const units = Math.max(SEARCH_SHARDS / 2, (connections * A.searchEntryKb) / 8);
  // In a transaction each started KB of the bucket counts twice; it is read once before, strongly consistent.
  const bucketKb = Math.ceil((connections * A.searchEntryKb) / buckets);
  const change = 2 * bucketKb * P.writeUnit + Math.ceil(bucketKb / 4) * P.readUnit;
  return { thousandSearches: units * P.readUnit * 1_000, millionChanges: change * MILLION };
}

/** The cost of counting a million changes of connections, and of a million marks of connections whose calls begin or cease to fail. */
export function watchPrices(): { readonly millionCounted: number; readonly millionMarks: number } {
  return {
    millionCounted: A.changeCountWriteUnits * P.writeUnit * MILLION,
    millionMarks: A.faultMarkWriteUnits * P.writeUnit * MILLION,
  };
}

/** The cost of list rows for a million new connections, for each of their tags, and for a million that die or recover. */
export function listedPrices(): {
  readonly millionMade: number;
  readonly millionTags: number;
  readonly millionDead: number;
} {
  const millionRows = A.listedRowWriteUnits * P.writeUnit * MILLION;
  return {
    millionMade: A.listedRows * millionRows,
    millionTags: millionRows,
    millionDead: A.listedDeadRows * millionRows,
  };
}

/** A month of writing rows of lists: connections that come, die and live again. */
function monthOfListedRows(connections: number): number {
  const { millionMade, millionDead } = listedPrices();
  return (connections / MILLION) * (A.madePerConnection * millionMade + A.deadPerConnection * millionDead);
}

/** Connections, how many of them are used each day, and what keeping them costs in a month, calls not counted. */
export interface ConnectionsMonth {
  readonly connections: number;
  readonly inUse: number;
  readonly slices: number;
  readonly parts: Parts;
}

/** A month of keeping connections. */
export function connectionsMonth(connections: number, shareInUse: number): ConnectionsMonth {
  const inUse = connections * shareInUse;
  const refreshes = inUse * refreshesPerMonth(true) + (connections - inUse) * refreshesPerMonth(false);
  const perMinute = refreshes / (A.monthSec / 60);
  const needed = Math.max(1, perMinute / A.refreshesPerSliceMinute);
  const slices = Math.min(64, 2 ** Math.ceil(Math.log2(needed)));
  const gigabytes = (connections * STORED_KB) / KB_PER_GB;
  return {
    connections,
    inUse,
    slices,
    parts: {
      Refreshes: (refreshes / MILLION) * total(millionRefreshes()),
      'Notes of use': inUse * A.useNotesPerMonth * A.useNoteWriteUnits * P.writeUnit,
      Storage: gigabytes * (P.tableGbMonth + P.recoveryGbMonth),
      Events: ((connections * A.eventsPerConnection) / MILLION) * total(millionEvents()),
      'Rows of lists': monthOfListedRows(connections),
      Counting: monthOfCounts(connections) + monthOfSearchWalks(connections),
      'Key and secret calls': monthOfRemembered(slices),
      'More slices and metrics': monthOfTicks(slices) - monthOfTicks(1) + A.customMetricsBusy * P.customMetricMonth,
    },
  };
}

/** Slices that a number of connections would need, without the limit of 64. */
export function slicesWanted(connections: number, shareInUse: number): number {
  const perMinute = (connections * shareInUse * refreshesPerMonth(true)) / (A.monthSec / 60);
  return Math.ceil(perMinute / A.refreshesPerSliceMinute);
}

/** The price of an option: a monthly part, and a part per million calls. */
export interface OptionPrice {
  readonly option: string;
  readonly month: number;
  readonly millionCalls: number;
}

/** Options that cost something by themselves. */
export function optionPrices(): OptionPrice[] {
  return [
    {
      option: '`gateway:webAcl=make`',
      month: P.webAclMonth + STACK.webAclRules * P.webAclRuleMonth,
      millionCalls: P.webAclRequest * MILLION,
    },
    {
      option: '`gateway:provisionedConcurrency`, each process',
      month: (FUNCTION_MEMORY_MB.proxy / 1024) * P.provisionedGbSec * A.monthSec,
      millionCalls: 0,
    },
    {
      option: '`gateway:callLog=all` instead of `errors`',
      month: 0,
      millionCalls: loggedCalls(1) - loggedCalls(A.failedCallShare),
    },
    { option: '`gateway:operationsDashboard`', month: P.dashboardMonth, millionCalls: 0 },
    { option: '`gateway:tracing`', month: 0, millionCalls: A.tracedShare * P.trace * MILLION },
    {
      option: '`gateway:refreshSlices`, each further slice',
      month: monthOfTicks(3) - monthOfTicks(2),
      millionCalls: 0,
    },
  ];
}
