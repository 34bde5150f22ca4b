/** Node's inspector of one function, at a port that stays while the function's processes come and go. */
import { createServer, connect as openSocket, type Server, type Socket } from 'node:net';
import { errorCode } from '../../tools/json.ts';
import { LOOPBACK } from '../network.ts';

export interface Inspector {
  readonly functionName: string;
  readonly port: number;
  /**
   * Reads a process's standard error.
   * @returns a function to call when that process has ended, once, for the line with its inspector's address; otherwise whether the
   * line is the inspector's own, which is not printed
   */
  readLine(text: string): (() => void) | boolean;
  close(): Promise<void>;
}

/** A debugger's default port: the first inspected function has it, the next ones those after it. */
export const FIRST_INSPECTOR_PORT = 9229;

/** The argument that opens a process's own inspector, at a port that the system chooses. */
export const INSPECT_ARGUMENT = `--inspect=${LOOPBACK}:0`;

const LISTENING = /^Debugger listening on ws:\/\/127\.0\.0\.1:(\d+)\//;
const OTHER_LINES =
  /^(?:For help, see: https:\/\/nodejs\.org\/|Debugger attached\.|Debugger ending on |Waiting for the debugger to disconnect)/;

/**
 * Binds the port and hands each connection on to the function's newest process. Node's inspector writes the addresses in its answers by
 * the name it was asked under, so that they lead here, too.
 * @param port 0, or a taken one: a free one instead
 */
export async function openInspector(functionName: string, port: number): Promise<Inspector> {
  /** Inspectors of running processes, the newest last. */
  const targets: number[] = [];
  const open = new Set<Socket>();
  /** Debuggers that came before the function's process was there. */
  const waiting = new Set<Socket>();
  const server = createServer((socket) => {
    keep(socket);
    const target = targets.at(-1);
    if (target === undefined) waiting.add(socket);
    else join(socket, target);
  });

  function keep(socket: Socket): void {
    open.add(socket);
    socket.on('error', () => socket.destroy());
    socket.on('close', () => {
      open.delete(socket);
      waiting.delete(socket);
    });
  }

  function join(socket: Socket, target: number): void {
    waiting.delete(socket);
    const inner = openSocket(target, LOOPBACK);
    keep(inner);
    socket.on('close', () => inner.destroy());
    inner.on('close', () => socket.destroy());
    socket.pipe(inner).pipe(socket);
  }

  await bind(server, port);
  return {
    functionName,
    get port() {
      const address = server.address();
      return typeof address === 'object' && address !== null ? address.port : 0;
    },
    readLine(text) {
      const found = LISTENING.exec(text)?.[1];
      if (found === undefined) return OTHER_LINES.test(text);
      const target = Number(found);
      targets.push(target);
      for (const socket of waiting) join(socket, target);
      return () => void targets.splice(targets.indexOf(target), 1);
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of open) socket.destroy();
      }),
  };
}

function bind(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const fail = (error: Error): void => {
      if (errorCode(error) === 'EADDRINUSE' && port !== 0) resolve(bind(server, 0));
      else reject(error);
    };
    server.once('error', fail);
    server.listen(port, LOOPBACK, () => {
      server.off('error', fail);
      resolve();
    });
  });
}
