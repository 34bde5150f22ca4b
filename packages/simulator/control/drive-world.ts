import { flag, object, optional, parseJson, ShapeError, text } from '../parse.ts';
import { sha256Hex } from '../random.ts';
import type { Simulation } from '../simulation.ts';
import type { DriveFile } from '../state/drive.ts';
import { changedLimits } from '../state/limits.ts';
import { requireAccount } from './grants.ts';

const openedBody = object({ account: text, fileId: text, opened: optional(flag) });
const keyBody = object({ fileId: text, enabled: optional(flag) });

function requireFile(sim: Simulation, fileId: string): DriveFile {
  const file = sim.drive.find(fileId);
  if (file === undefined) throw new ShapeError(`No file has the id "${fileId}".`);
  return file;
}

/** Opens a file as its user does in a browser, which puts it into the user's own corpus; `opened: false` takes it back. */
export function setOpened(sim: Simulation, body: string): unknown {
  const { account, fileId, opened = true } = parseJson(body, openedBody, 'body');
  const { sub, email } = requireAccount(account);
  const file = requireFile(sim, fileId);
  if (sim.drive.of(sub).find(fileId) === undefined) throw new ShapeError(`${email} may not open "${fileId}".`);
  const view = file.users[sub] ?? {
    ...{ starred: false, viewedTime: null, modifiedTime: null, sharedTime: null, sharedBy: null },
  };
  const viewedTime = opened ? new Date(sim.clock.nowMs()).toISOString() : null;
  // What the user has changed was opened for it.
  const modifiedTime = opened ? view.modifiedTime : null;
  sim.drive.put({ ...file, users: { ...file.users, [sub]: { ...view, viewedTime, modifiedTime } } });
  return { account: email, fileId, viewedByMeTime: viewedTime };
}

/** Gives the link of a file a resource key, as Google's security update of 2021 gave old files; `enabled: false` takes it away. */
export function setResourceKey(sim: Simulation, body: string): unknown {
  const { fileId, enabled = true } = parseJson(body, keyBody, 'body');
  const file = requireFile(sim, fileId);
  const { resourceKey: _former, ...extra } = file.extra;
  const resourceKey = `0-${Buffer.from(sha256Hex(`resource key ${fileId}`), 'hex')
    .toString('base64url')
    .slice(0, 22)}`;
  sim.drive.put({ ...file, extra: enabled ? { ...extra, resourceKey } : extra });
  return { fileId, resourceKey: enabled ? resourceKey : null };
}

/** Changes the limits of Drive for this run. */
export function setLimits(sim: Simulation, body: string): unknown {
  sim.state.limits = changedLimits(sim.state.limits, body);
  return sim.state.limits;
}
