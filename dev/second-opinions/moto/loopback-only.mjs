/** Loaded into a process that takes moto for AWS: hosts that are not on this computer have no address. */
import dns from 'node:dns';
import { syncBuiltinESMExports } from 'node:module';

const { lookup } = dns;
dns.lookup = (host, options, callback = options) => {
  if (['localhost', '127.0.0.1'].includes(host))
    return lookup(host, ...(callback === options ? [] : [options]), callback);
  const error = Object.assign(new Error(`${host} is not on this computer`), { code: 'ENOTFOUND', hostname: host });
  process.nextTick(callback, error);
};
syncBuiltinESMExports();
