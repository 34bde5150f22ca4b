import { spawn } from 'node:child_process';
import { type EventEmitter, once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

/** What a service does with a request. */
export type Trouble = (response: ServerResponse) => void;

/** Ways in which a service that takes requests gives no answer. */
export const TROUBLES: readonly (readonly [string, Trouble])[] = [
  ['hangs', () => {}],
  ['sends its head and then nothing', (response) => response.writeHead(200).flushHeaders()],
  ['trickles its body', (response) => again(response, () => response.write(' '))],
  ['trickles its head', (response) => trickleHead(response)],
];

/** Does something every few milliseconds until a connection is closed. */
function again(connection: EventEmitter, something: () => void): void {
  something();
  const timer = setInterval(something, 20);
  connection.once('close', () => clearInterval(timer));
}

function trickleHead({ socket }: ServerResponse): void {
  if (socket === null) return;
  socket.write('HTTP/1.1 200 OK\r\nx-long: ');
  again(socket, () => socket.write('a'));
}

/** Address of a process that listens and takes nothing, its queue of connections full. */
export async function fullListener(): Promise<string> {
  const script = `require('net').createServer().listen({ port: 0, host: '127.0.0.1', backlog: 1 }, function () { console.log(this.address().port) })`;
  const child = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  const [port] = await once(child.stdout, 'data');
  child.kill('SIGSTOP');
  const waiting: Socket[] = [];
  onTestFinished(() => {
    for (const socket of waiting) socket.destroy();
  });
  for (let full = false; !full && waiting.length < 50; ) {
    const socket = connect(Number(port), '127.0.0.1');
    socket.on('error', () => {});
    waiting.push(socket);
    full = !(await Promise.race([
      once(socket, 'connect').then(() => true),
      new Promise<boolean>((resolve) => setTimeout(resolve, 300, false)),
    ]));
  }
  return `http://127.0.0.1:${Number(port)}`;
}
