/**
 * Loaded into a runner before everything else: takes away what Linux has and other systems may not. Files below /proc are
 * missing, only 127.0.0.1 is an address of this computer, and no shell and no `ps` can be started.
 */
import childProcess from 'node:child_process';
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import net from 'node:net';

/** Whether a path leads below /proc. */
const isProc = (path) => /^\/proc(?:\/|$)/.test(String(path));

function missing(path) {
  return Object.assign(new Error(`ENOENT: no such file or directory, open '${path}'`), { code: 'ENOENT' });
}

for (const name of ['readFileSync', 'readdirSync', 'openSync', 'statSync', 'readlinkSync']) {
  const real = fs[name];
  fs[name] = (path, ...rest) => {
    if (isProc(path)) throw missing(path);
    return real(path, ...rest);
  };
}
const exists = fs.existsSync;
fs.existsSync = (path) => !isProc(path) && exists(path);

for (const name of ['spawn', 'spawnSync', 'execFile', 'execFileSync', 'exec', 'execSync']) {
  const real = childProcess[name];
  childProcess[name] = (command, ...rest) => {
    const options = rest.find((one) => typeof one === 'object' && !Array.isArray(one));
    const byShell = name === 'exec' || name === 'execSync' || options?.shell;
    if (byShell || /(?:^|\/)(?:ba|da|z)?sh$|(?:^|\/)ps$/.test(command)) throw missing(command);
    return real(command, ...rest);
  };
}

const listen = net.Server.prototype.listen;
net.Server.prototype.listen = function (...args) {
  const host = args.find((one) => typeof one === 'string');
  if (host !== undefined && host !== '127.0.0.1') {
    const error = Object.assign(new Error(`listen EADDRNOTAVAIL ${host}`), { code: 'EADDRNOTAVAIL' });
    process.nextTick(() => this.emit('error', error));
    return this;
  }
  return listen.apply(this, args);
};

syncBuiltinESMExports();
