/**
 * Processes that get no more of a processor than Lambda gives a function of some memory, by the kernel's own quota: CFS
 * bandwidth of cgroups, version 1 or 2 (Linux kernel documentation, CFS Bandwidth Control; Control Group v2).
 */
import { mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Lambda does not document how finely it deals time out. 20 ms is what benchmarks of others found. */
const PERIOD_US = 20_000;

const UNLIMITED = -1;

const HOW_TO = 'Run it as root, or as: systemd-run --user --scope -p Delegate=yes npm run bench:memory';

/** Where the kernel shows its control groups, and which one this process is in. */
export interface CgroupMounts {
  /** Text of /proc/mounts. */
  readonly mounts: string;
  /** Text of /proc/self/cgroup. */
  readonly own: string;
}

/** One group of processes. */
export interface CpuShare extends Disposable {
  /** Runs what starts processes in the group, without a limit so far, then sets the limit. */
  start<T>(make: () => Promise<T>): Promise<T>;
  /** Milliseconds that processes of the group were held back, so far. */
  heldBackMs(): number;
}

/** This machine's. */
function cgroupMounts(): CgroupMounts {
  return { mounts: readFileSync('/proc/mounts', 'utf8'), own: readFileSync('/proc/self/cgroup', 'utf8') };
}

/**
 * Makes a group that gets `share` of one processor.
 * @throws Error that says what to do where groups cannot be made
 */
export function cpuShare(share: number, { mounts, own }: CgroupMounts = cgroupMounts()): CpuShare {
  const controller = findController(mounts, own);
  if (controller === undefined)
    throw new Error(`This system has no CPU controller of cgroups to measure with. ${HOW_TO}`);
  const { parent, version } = controller;
  const group = join(parent, `gateway-bench-${process.pid}-${Math.round(share * 1000)}`);
  const quotaUs = Math.round(share * PERIOD_US);
  const limit = (us: number): void => {
    if (version === 1) {
      writeFileSync(join(group, 'cpu.cfs_period_us'), String(PERIOD_US));
      writeFileSync(join(group, 'cpu.cfs_quota_us'), String(us));
    } else writeFileSync(join(group, 'cpu.max'), `${us === UNLIMITED ? 'max' : us} ${PERIOD_US}`);
  };
  let outside = parent;
  try {
    if (version === 2) outside = delegateCpu(parent);
    mkdirSync(group, { recursive: true });
    limit(UNLIMITED);
  } catch (cause) {
    throw new Error(`No group with a CPU quota can be made in ${parent}. ${HOW_TO}`, { cause });
  }
  const enter = (folder: string): void => writeFileSync(join(folder, 'cgroup.procs'), String(process.pid));
  return {
    async start(make) {
      // A process starts in its parent's group: so not a moment of its start is outside, and next to none of ours inside.
      enter(group);
      try {
        return await make();
      } finally {
        enter(outside);
        limit(quotaUs);
      }
    },
    heldBackMs() {
      const stat = readFileSync(join(group, 'cpu.stat'), 'utf8');
      const [, nanoseconds] = /^throttled_time (\d+)$/m.exec(stat) ?? [];
      const [, microseconds] = /^throttled_usec (\d+)$/m.exec(stat) ?? [];
      return nanoseconds === undefined ? Number(microseconds ?? 0) / 1e3 : Number(nanoseconds) / 1e6;
    },
    [Symbol.dispose]: () => rmdirSync(group),
  };
}

interface Controller {
  readonly version: 1 | 2;
  /** Folder of the group this process is in. */
  readonly parent: string;
}

/** Version 1 where its controller is mounted: a hybrid system has the other tree without it. */
function findController(mounts: string, own: string): Controller | undefined {
  const mounted = mounts.split('\n').map((line) => line.split(' '));
  const first = mounted.find(([, , type, options]) => type === 'cgroup' && options?.split(',').includes('cpu'));
  const firstOwn = own.split('\n').find((line) => line.split(':')[1]?.split(',').includes('cpu'));
  if (first?.[1] !== undefined && firstOwn !== undefined) {
    return { version: 1, parent: join(first[1], firstOwn.split(':')[2] ?? '') };
  }
  const second = mounted.find(([, , type]) => type === 'cgroup2');
  const secondOwn = own.split('\n').find((line) => line.startsWith('0::'));
  if (second?.[1] === undefined || secondOwn === undefined) return undefined;
  return { version: 2, parent: join(second[1], secondOwn.slice('0::'.length)) };
}

/**
 * Version 2 hands a controller down to groups only from a group that holds no processes itself, the root excepted: ours and
 * whatever else is there moves into a leaf.
 * @returns the folder that this process is in afterwards
 */
function delegateCpu(parent: string): string {
  const control = join(parent, 'cgroup.subtree_control');
  if (readFileSync(control, 'utf8').split(/\s+/).includes('cpu')) return parent;
  try {
    writeFileSync(control, '+cpu');
    return parent;
  } catch {
    const leaf = join(parent, 'gateway-bench');
    mkdirSync(leaf, { recursive: true });
    for (const pid of readFileSync(join(parent, 'cgroup.procs'), 'utf8').trim().split('\n')) {
      writeFileSync(join(leaf, 'cgroup.procs'), pid);
    }
    writeFileSync(control, '+cpu');
    return leaf;
  }
}
