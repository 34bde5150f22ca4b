import type { FRONT_DOORS } from '../../../lambdas/gateway/core/contract.ts';
import { FUNCTION_MEMORY_MB } from '../../../lib/function-memory.ts';

/** Where proxied calls come in. */
export type FrontDoor = (typeof FRONT_DOORS)[number];

/** Titles of the pages that the prices are copied from. */
export const PRICE_PAGES = [
  'Amazon API Gateway pricing',
  'AWS Lambda Pricing',
  'Amazon CloudFront pricing',
  'Amazon DynamoDB pricing for on-demand capacity',
  'AWS Key Management Service pricing',
  'AWS Secrets Manager pricing',
  'Amazon EventBridge pricing',
  'Amazon CloudWatch Pricing',
  'AWS WAF Pricing',
  'AWS X-Ray pricing',
  'Amazon EC2 On-Demand Pricing (data transfer)',
  'AWS Free Tier',
] as const;

/** API Gateway REST, requests of a month up to so many, each (Amazon API Gateway pricing, "REST APIs"). */
export const REST_REQUEST_TIERS = [
  { upTo: 333e6, each: 3.5 / 1e6 },
  { upTo: 1e9, each: 2.8 / 1e6 },
  { upTo: 20e9, each: 2.38 / 1e6 },
  { upTo: Number.POSITIVE_INFINITY, each: 1.51 / 1e6 },
] as const;

/**
 * List prices of us-east-1 in US dollars, November 2026, without free tiers. Copied from AWS's price pages, not from a bill;
 * your own bill decides.
 */
export const PRICES = {
  /**
   * A front door's price per request. API Gateway REST: each started 10 MB of a streamed answer counts as one. A function URL only
   * costs Lambda's price.
   */
  doorRequest: { 'rest-api': REST_REQUEST_TIERS[0].each, 'function-url': 0 } satisfies Record<FrontDoor, number>,
  /**
   * CloudFront in front of a function URL, callers in North America: an HTTPS request, as others cite it, not read from AWS's page, and
   * transfer instead of AWS's own, which that page says.
   */
  distributionRequest: 0.01 / 1e4,
  distributionGb: 0.085,
  lambdaRequest: 0.2 / 1e6,
  /** Lambda on arm64, per GB and second. */
  lambdaGbSec: 13.3334 / 1e6,
  /** Lambda, the part of a streamed answer beyond its first 6 MB. */
  streamedGb: 0.008,
  /** DynamoDB on demand: a write unit is 1 KB, a strongly consistent read unit 4 KB, an eventual one half of that. */
  writeUnit: 0.625 / 1e6,
  readUnit: 0.125 / 1e6,
  tableGbMonth: 0.25,
  recoveryGbMonth: 0.2,
  logGb: 0.5,
  /** CloudWatch Logs, storage; of the compressed size, which is not estimated here. */
  logGbMonth: 0.03,
  /** CloudWatch Logs Insights, scanned by a query; CloudWatch, a requested metric. */
  insightsGb: 0.005,
  metricRequest: 0.01 / 1e3,
  transferGb: 0.09,
  kmsKeyMonth: 1,
  /** Added by each of a key's first two rotations; later ones add nothing. */
  kmsRotationMonth: 1,
  kmsRequest: 0.03 / 1e4,
  secretMonth: 0.4,
  secretRequest: 0.05 / 1e4,
  schedulerInvocation: 1 / 1e6,
  busEvent: 1 / 1e6,
  /** CloudWatch: each metric that an alarm looks at, through a query as well, a dashboard, a metric of our own. */
  alarmMetricMonth: 0.1,
  compositeAlarmMonth: 0.5,
  dashboardMonth: 3,
  customMetricMonth: 0.3,
  /** Lambda on arm64, per GB and second that a process is kept started, used or not. */
  provisionedGbSec: 3.3334 / 1e6,
  /** Web application firewall: an ACL, each rule or managed group in it, a request it judges. */
  webAclMonth: 5,
  webAclRuleMonth: 1,
  webAclRequest: 0.6 / 1e6,
  /** X-Ray, a recorded trace. */
  trace: 5 / 1e6,
} as const;

/** Monthly free amounts of every account, however old, in the units of AWS's price pages (AWS Free Tier, "Always free"). */
export const FREE_MONTH = {
  lambdaRequests: 1e6,
  lambdaGbSec: 400_000,
  logGb: 5,
  transferGb: 100,
  kmsRequests: 20_000,
  schedulerInvocations: 14e6,
  distributionRequests: 10e6,
  distributionGb: 1_000,
  alarmMetrics: 10,
} as const;

/** Memory of a function of a feature, in MB. Without the feature, the sums about it have no meaning. */
export function memoryMbOf(name: string): number {
  const all: Readonly<Record<string, number>> = FUNCTION_MEMORY_MB;
  return all[name] ?? FUNCTION_MEMORY_MB.others;
}

/** Numbers of a deployment's resources; a test compares them with the template. */
export const STACK = {
  keys: 1,
  secrets: 1,
  /** Metrics that alarms look at: without `monitoring`, and with it. */
  alarmMetricsAlways: 11,
  alarmMetricsMonitored: 25,
  compositeAlarms: 1,
  /** Functions that a schedule calls each minute. */
  sweeps: 3,
  functionMemoryGb: FUNCTION_MEMORY_MB.others / 1024,
  deliverMemoryGb: memoryMbOf('deliver') / 1024,
  eventsMemoryGb: FUNCTION_MEMORY_MB.events / 1024,
  rollUpMemoryGb: FUNCTION_MEMORY_MB.rollUp / 1024,
  /** Constant users of the table: the functions of the three ticks, and the trigger of the events function, which reads its stream. */
  steadyPrincipals: 4,
  /** Functions that pass a heartbeat on: from the stream to the bus, and at its far end. */
  heartbeatFunctions: 2,
  /** Rules of the web ACL that `gateway:webAcl=make` makes. */
  webAclRules: 3,
} as const;

/** The same of a deployment without all features that can be left out; a test compares them, too. */
export const LEAN_STACK = {
  alarmMetricsAlways: 6,
  alarmMetricsMonitored: 18,
  sweeps: 1,
  steadyPrincipals: 2,
  heartbeatFunctions: 1,
} as const satisfies Partial<Record<keyof typeof STACK, number>>;

/** Measured or assumed sizes and habits; every figure of docs/costs.md follows from these. */
export const ASSUMPTIONS = {
  /** Deliveries of webhooks are kept for so long; a test compares it with the feature. */
  deliveryRetentionSec: 14 * 86_400,
  /** Limits of feeds. A test compares them. */
  feedBatchRetentionSec: 14 * 86_400,
  feedCallsPerQuestion: 25,
  feedSafetyIntervalSec: 6 * 3600,
  channelRenewalShare: 0.8,
  /** A proxied call, as a caller of small JSON makes it. */
  callSec: 0.3,
  callAnswerKb: 10,
  /** Headers of its answer: about 0.6 KB of the provider's, 0.3 KB of the gateway's and API Gateway's. Assumed until a deployment shows it. */
  answerHeadKb: 0.9,
  /** What the proxy sends to the provider for it: the request line, a token of 220 characters and the caller's headers, as HTTP/1.1 in TLS. Assumed likewise. */
  providerRequestKb: 0.7,
  /** The line that a call leaves, and the 26 bytes that CloudWatch adds to it; a test measures it. */
  callLogKb: 0.431,
  /** An item of the caller's three, or how full the provider's day is, read with the others of a call that does not find it in memory: half a unit, eventually consistent. */
  callerItemReadUnits: 0.5,
  /** Items of one window that a process reports its calls to. */
  limitReportWriteUnits: 1,
  /** Units of a background call on its project's and user's minutes: as the only one in its minute, and as one of a job's ten per second. */
  backgroundAloneWriteUnits: 4,
  backgroundJobWriteUnits: 0.2,
  /** Units of a process's reports about interactive lists, at ten per second. */
  pacedListWriteUnits: 0.01,
  /** Connections that a million calls of a month are of, evenly: each call is the only one in its minute. */
  countedConnections: 10_000,
  /** The entry of a connection on a page, and the head of one with its integration, key and project; a test measures both. */
  pageEntryKb: 0.07,
  pageHeadKb: 0.39,
  /** A line is read four times: with its minute, again at a quarter of an hour, at night, and for the number of calls begun. */
  lineReads: 4,
  /** Taking a row of the log, or an entry of a page, into a larger page, in the function's share of a processor; `npm run bench:scale` measures it. */
  countedEntrySec: 0.00002,
  /** A tick of the roll-up that finds nothing, assumed until a deployment shows it; it writes its progress every ten minutes. */
  idleRollUpSec: 0.08,
  /** Strongly consistent reads of a tick with calls: the heads of two pages. */
  rollUpReadUnits: 2,
  /** Three calls of the table more, assumed to take some ten milliseconds each. */
  busyRollUpSec: 0.11,
  /** A row of the call log and its entry in the index by request; the process waits for the write. */
  callLogWriteUnits: 2,
  /** The entry of a failed call in the list of those. */
  failedCallWriteUnits: 1,
  callLogSec: 0.01,
  /**
   * A write of a key with a journal, as measured: its row, of 0.5 to 1.7 KB before it and 0.8 to 2.9 KB after it, and its entry in the
   * index by key. Its reads at the provider take about 0.1 s before and after it.
   */
  journalWriteUnits: 5,
  journalSec: 0.2,
  /**
   * An approved call: its rows, steps, three events with their entry in the list of events, and the schedule's deletions. Reads are
   * strongly consistent: two by the page, one by the run, one by the caller. A test counts these.
   */
  approvalWriteUnits: 41,
  approvalReadUnits: 18,
  /** The call, the page, a sign-in's way out and back, the page again, the decision, one question for the result. */
  approvalRequests: 7,
  /** Of each request, and of the run, which reads the object, sends, and may refresh; assumed until a deployment shows it. */
  approvalRequestSec: 0.1,
  approvalRunSec: 1,
  /** Times that a result holds what Google answered: as data, and as text for clients that read only that. */
  toolAnswerCopies: 2,
  /** Calls that fail, of which `gateway:callLog=errors` keeps a row. */
  failedCallShare: 0.02,
  /** A refresh: lease 3 units, tokens 3, index entry out and in 2; reads itself once, strongly; fifty share a process. A test counts the units. */
  /** A token for a user of a service account: lease and tokens, without an index entry; reads its integration. A test counts the units. */
  delegatedTokenWriteUnits: 4,
  delegatedTokenReadUnits: 2,
  /** How long the proxy waits for Google during a call; without a key also for a signature. Assumed until a deployment shows it. */
  delegatedTokenSec: 0.2,
  keylessSec: 0.1,
  /** A probed lost domain: its turn, lease and release, and a loss that is on record already. A test counts the units. */
  lostDomainWriteUnits: 11,
  lostDomainReadUnits: 6,
  /** The same of a domain that works, of which a token is written. A test counts the units. */
  workingDomainWriteUnits: 7,
  workingDomainReadUnits: 6,
  refreshWriteUnits: 8,
  refreshReadUnits: 1,
  refreshSec: 0.3 / 50,
  refreshLogKb: 0.4,
  /** The two lines of an invocation that Lambda itself writes, `platform.start` and `platform.report`, with the 26 bytes that CloudWatch adds to each: in all functions but the proxy and the roll-up. A test measures such lines. */
  platformLogKb: 0.4,
  /** A sweep of nothing that asks three queries of half a unit for each of the 64 shards, the items of the running count and of the search walk, the calls to clear and the approvals to end. */
  askingSweepReadUnits: 99,
  askingSweepSec: 0.5,
  /** The same where one read of half a unit takes the whole index of due work; its time as measured alongside other work. */
  idleSweepReadUnits: 3.5,
  idleSweepSec: 0.1,
  /** A sweep of no feeds: one read of the index of due work, and one for reminders. */
  idleFeedSweepReadUnits: 1,
  /** A message of Google's: its channel is read, its feed's mark is written, the first before a pull with an index entry; most of the time is the table's. */
  messageSec: 0.025,
  messageReadUnits: 1,
  messageWriteUnits: 4 / 3,
  messageLogKb: 0.8,
  /** Messages that one pull answers. */
  messagesPerPull: 3,
  /** A pull with its two calls to Google. */
  pullSec: 0.5,
  /** The part of it in which the function core makes the calls, and what core reads for them, strongly: the feed's place, connection and integration. A test counts these. */
  pullInCoreSec: 0.4,
  pullInCoreReadUnits: 3,
  /** Of a pull with a batch: mark, feed, connection and integration, strongly; whether the user rests, 0.5; the cursor of a consumer that has read all. A test counts these. */
  pullReadUnits: 5.5,
  /** Lease, batch and cursor in a transaction, end, cleaned mark, quota; index entries of mark, feed and event. */
  pullWriteUnits: 13,
  /** A pull that finds nothing, which looks at the mark once more. */
  emptyPullReadUnits: 6.5,
  emptyPullWriteUnits: 6,
  /** Writes of a new channel, in addition to its pull. */
  channelWriteUnits: 9,
  /** A batch of three changes, with its entry in the index of events. */
  feedBatchKb: 1.3,
  pullLogKb: 0.5,
  /** A feed with its index entries, its mark, its place, a channel and a consumer's cursor. */
  /** A client secret that is a row, with its key. */
  clientSecretKb: 1,
  feedKb: 2.7,
  /** Each log of a shared drive that a feed of drives follows, in every turn: its row is read in one query with the others. A test counts these. */
  logReadUnits: 0.2,
  /** Logs that are read in one turn: whether the user rests, quota, and which feeds the connection has. */
  logsReadUnits: 1.5,
  logsWriteUnits: 1,
  /** A pull with a batch of such a log, in addition to the feed's units. */
  logPullWriteUnits: 3,
  /** A new channel of such a log. */
  logChannelWriteUnits: 8,
  /** A list of a log that has nothing new, and the part of it in core. */
  logSec: 0.25,
  logInCoreSec: 0.2,
  /** A log's row and its channel. */
  logKb: 1,
  /**
   * Added by a changed thing where changes have meanings: its row is read strongly consistent, and written in the batch's transaction;
   * a pull also reads the key. A test counts these.
   */
  stateReadUnits: 1,
  stateWriteUnits: 2,
  /** That row. */
  stateKb: 0.225,
  /** A file or folder that a feed of a folder lists: its row in a transaction, with the feed's for each 75. A test counts these. */
  folderFileWriteUnits: 2.15,
  /** Of a pull with a change of such a feed: which feeds the connection has, the key of what this one remembers, and the file's row, strongly; its own row is larger than a unit. */
  folderPullReadUnits: 3,
  folderPullWriteUnits: 4,
  /** And each folder below its own, read in one query with the others. */
  folderReadUnits: 0.035,
  /** Each further feed of the same log that a message is passed on to, where it has no change of its own: its row, mark, lease, end and cleaned mark, with index entries. A test counts these. */
  passedOnReadUnits: 7.6,
  passedOnWriteUnits: 6.6,
  /**
   * A reminder: reads of a turn, the plan of reminders and the user's rest; lease, batch, end, quota and the report, with index
   * entries. A test counts these.
   */
  reminderReadUnits: 7.5,
  reminderWriteUnits: 13,
  /** Life of a channel in days, of which 80 % pass before it is replaced: watch, stop, and their writes. */
  channelDays: 7,
  /** A sweep of deliveries that finds none: one read of the index of due work. */
  idleDeliverySweepReadUnits: 0.5,
  idleDeliverySweepSec: 0.3,
  /** An event of the bus in the deliver function: an account's webhooks, read strongly, and its entry in the index of events. */
  eventReadUnits: 1,
  eventListWriteUnits: 1,
  eventSec: 0.02,
  /** A call of the events function: it waits for the bus, once for up to ten events; under load a call takes up to a hundred. */
  forwardSec: 0.02,
  /** A message of 1 KB that its receiver takes at the first attempt, in 300 ms: its row stored with its index entry, then settled. */
  deliveryWriteUnits: 6,
  deliverySec: 0.3,
  deliveryKb: 2,
  /** DynamoDB asks KMS for the table's key once in five minutes for each principal (DynamoDB encryption at rest). */
  tableKeyCacheSec: 300,
  /** Integrations whose client secrets a sweep reads, each once while it remembers them. */
  integrations: 2,
  /** Data keys that a sweep meets: this week's and last week's. */
  dataKeys: 2,
  /** A connection with its index entries, without its rows of lists and its events. */
  connectionKb: 3.6,
  /**
   * List rows of an active connection of an organization's end user: integration, end user, organization, name, the five tags that
   * repeat these, and the two index keys of its refresh token. Each with the 100 bytes that DynamoDB adds to an item; a test measures
   * them.
   */
  listedRows: 11,
  listedRowKb: 0.279,
  /** An entry of the index that lists connections, which a count of all of them reads: half a unit for 4 KB. */
  listEntryKb: 1,
  /** A connection's entry in the search index: name, e-mail, ids, organization and account as in the tests' data. */
  searchEntryKb: 0.18,
  /** The counter of what became of connections, in the transaction of the change; the mark of failing calls on a row of 3 units, index entry out and in. */
  changeCountWriteUnits: 2,
  /** In a transaction: a row of 3 units, index entry out and in, and the row in the list of the failing. */
  faultMarkWriteUnits: 10,
  /** A connect session with its event, the item of its end user, all in a transaction, and the count of the minute. */
  sessionWriteUnits: 8,
  /** A row of a list is 2 units in a transaction; of a dead one there are two more: of all dead ones and of its cause. */
  listedRowWriteUnits: 2,
  listedDeadRows: 2,
  /** Notes of use: at most one in ten minutes; a connection used for an hour of each working day leaves these in a month. */
  useNotesPerMonth: 130,
  useNoteWriteUnits: 2,
  /** Lifecycle events of a connection in a month: connected, warned, died. */
  eventsPerConnection: 0.1,
  /** Connections that are made, and that die or live again, in a month for each that there is. */
  madePerConnection: 0.05,
  deadPerConnection: 0.05,
  /** An item of the call log with its entries in the index by request and in that of failed calls, which contains all of it; and an item of a window's count. Each with the 100 bytes that DynamoDB adds. */
  callLogRowKb: 1.6,
  windowCountKb: 0.24,
  /** A lifecycle event with its entry in the index of events. */
  eventKb: 1.05,
  /** A delivery with its index entry. */
  deliveryRowKb: 1.5,
  /** Metrics of our own with their values: none in an idle stack. */
  customMetricsBusy: 18,
  /** Refreshes of one slice of the sweep per minute; the measurement is in contributing/scale.md. */
  refreshesPerSliceMinute: 8_000,
  accessTokenSec: 3_600,
  /** X-Ray's default sampling beyond the first request of each second. */
  tracedShare: 0.05,
  /** Lambda streams this much at once, the rest of an answer at this rate (Response streaming for Lambda functions). */
  streamedAtOnceMb: 6,
  streamedMbPerSec: 2,
  monthSec: 30.4 * 86_400,
} as const;
