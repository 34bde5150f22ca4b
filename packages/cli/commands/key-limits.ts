import { type Command, Option } from 'commander';
import type { KeyLimits, SecretKey } from '../../client/src/management/secret-key-types.ts';
import { commaList, FUTURE_TIME, futureTime, given, wholeNumber } from '../options.ts';
import { shortTime } from '../output.ts';
import { CommandProblem } from '../problems.ts';

/** Limits of a key, as a command line says them. */
export interface LimitOptions {
  readonly allow?: string[];
  readonly deny?: string[];
  readonly approve?: string[];
  readonly approval?: 'google' | 'gateway' | 'both';
  readonly connections?: string[];
  readonly resources?: string[];
  readonly endUser?: string[];
  readonly sources?: string[];
  readonly callsPerMinute?: number;
  readonly callsPerDay?: number;
  readonly unitsPerDay?: number;
  readonly bytesPerDay?: number;
  readonly background?: boolean;
  readonly expires?: string;
  readonly observe?: boolean;
  readonly journal?: boolean | 'required';
}

/** The options for a key's limits. */
export function limitOptions(command: Command): Command {
  return enforcedLimitOptions(command).option('--observe', 'refuse nothing, and count what would be refused');
}

/** The same for the keys of assistants, whose limits are always enforced. */
export function enforcedLimitOptions(command: Command): Command {
  return command
    .option(
      '--allow <list>',
      'only these methods (drive.files.get), groups (drive.files.*) and sets (drive:read)',
      commaList,
    )
    .option('--deny <list>', 'never these, whatever is allowed', commaList)
    .option(
      '--approve <list>',
      'these wait until a person approves them; also delete, share, invite, replace and write',
      commaList,
    )
    .addOption(
      new Option(
        '--approval <who>',
        'who asks about calls to Google’s MCP servers that --approve covers (default: gateway)',
      ).choices(['google', 'gateway', 'both']),
    )
    .option('--connections <list>', 'only these connections', commaList)
    .option('--resources <list>', 'only these calendars, files and folders: calendar:<id>, file:<id>', commaList)
    .option('--end-user <list>', 'only connections with these tags, as name=value', commaList)
    .option('--sources <list>', 'only from these addresses and networks', commaList)
    .option('--calls-per-minute <number>', 'requests to the provider in a minute', wholeNumber)
    .option('--calls-per-day <number>', 'requests to the provider in a day, UTC', wholeNumber)
    .option('--units-per-day <number>', 'units of the provider’s quotas in a day, UTC', wholeNumber)
    .option('--bytes-per-day <number>', 'bytes of answers in a day, UTC', wholeNumber)
    .option('--background', 'every call leaves Google’s quotas to those that somebody waits for')
    .option('--expires <time>', `when the key ends, ${FUTURE_TIME}`, futureTime)
    .addOption(
      new Option(
        '--journal [required]',
        'keep what its writes change for seven days, to undo them; required: refuse writes that could not be undone',
      ).choices(['required']),
    );
}

/** Limits from options; undefined without any. */
export function limitsOf(options: LimitOptions): KeyLimits | undefined {
  const tags = options.endUser?.map((pair) => {
    const at = pair.indexOf('=');
    if (at < 1) throw new CommandProblem(`${pair} is no tag: write name=value.`);
    return [pair.slice(0, at), pair.slice(at + 1)] as const;
  });
  const day = given({ calls: options.callsPerDay, units: options.unitsPerDay, bytes: options.bytesPerDay });
  const limits = given({
    allow: options.allow,
    deny: options.deny,
    approve: options.approve,
    approval: options.approval,
    connections: options.connections,
    resources: options.resources,
    endUsers: tags === undefined ? undefined : Object.fromEntries(tags),
    sources: options.sources,
    minute: options.callsPerMinute === undefined ? undefined : { calls: options.callsPerMinute },
    day: Object.keys(day).length === 0 ? undefined : day,
    priority: options.background === true ? ('background' as const) : undefined,
    expiresAt: options.expires,
    journal: options.journal,
  });
  if (Object.keys(limits).length === 0) {
    if (options.observe === true)
      throw new CommandProblem('--observe needs a limit to observe, such as --allow drive:read.');
    return undefined;
  }
  return { mode: options.observe === true ? 'observe' : 'enforce', ...limits };
}

/** A key's limits, for a cell of a table. */
export function limitsInWords({ limits }: SecretKey): string {
  if (limits === undefined) return 'none';
  const {
    mode,
    methods,
    approve,
    connections,
    resources,
    endUsers,
    sources,
    minute,
    day,
    priority,
    expiresAt,
    journal,
  } = limits;
  const said = [
    ...(methods === undefined ? [] : [`${methods.length} methods`]),
    ...(approve === undefined ? [] : ['approval']),
    ...(connections === undefined ? [] : [`${connections.length} connections`]),
    ...(resources === undefined ? [] : [`${resources.length} resources`]),
    ...(endUsers === undefined ? [] : ['end users']),
    ...(sources === undefined ? [] : ['sources']),
    ...(minute === undefined ? [] : ['a minute']),
    ...(day === undefined ? [] : ['a day']),
    ...(priority === undefined ? [] : ['background']),
    ...(expiresAt === undefined ? [] : [`until ${shortTime(expiresAt)}`]),
    ...(journal === undefined ? [] : [journal === 'required' ? 'undoable only' : 'journalled']),
  ];
  return (mode === 'observe' ? ['observed', ...said] : said).join(', ');
}

/** The live key whose id begins so. @throws CommandProblem for none and for several */
export function theOne(all: readonly SecretKey[], start: string): SecretKey {
  const found = all.filter(({ id, revokedAt }) => id.startsWith(start) && revokedAt === undefined);
  const [key] = found;
  if (key === undefined) throw new CommandProblem(`No live key begins with ${start}. See keys list.`);
  if (found.length > 1) throw new CommandProblem(`${found.length} keys begin with ${start}: enter more characters.`);
  return key;
}
