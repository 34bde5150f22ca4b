import { spawn } from 'node:child_process';
import { note } from './output.ts';

/** The program that opens an address, by platform; elsewhere it is `xdg-open`. */
const PROGRAMS: Readonly<Record<string, string>> = { darwin: 'open', win32: 'explorer' };

/** Opens an address in the person's browser. Never fails the command: the address is printed anyway. */
export function openInBrowser(address: string): void {
  const child = spawn(PROGRAMS[process.platform] ?? 'xdg-open', [address], { stdio: 'ignore', detached: true });
  child.on('error', () => note('No browser could be opened: open the link yourself.'));
  child.unref();
}
