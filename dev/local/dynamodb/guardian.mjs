/**
 * Runs the engine alongside a reader of its own standard input. The runner holds the other end of that pipe: when the runner
 * ends, in whatever way, the pipe closes and the engine is stopped. The first line of output is the engine's process id.
 * Started with the engine's binary and arguments. Node instead of a shell: every system that runs the gateway has it.
 */
import { spawn } from 'node:child_process';

process.umask(0o077);
const [binary = '', ...args] = process.argv.slice(2);
const engine = spawn(binary, args, { stdio: 'ignore' });
engine.once('spawn', () => process.stdout.write(`${engine.pid}\n`));
engine.once('error', () => process.exit(1));
engine.once('exit', (code) => process.exit(code ?? 1));
// The runner may be gone before it has read the id.
process.stdout.on('error', () => {});
process.stdin.once('close', () => engine.kill('SIGTERM'));
process.stdin.on('error', () => {});
process.stdin.resume();
