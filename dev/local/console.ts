/** The runner's output: steps of the start with their time, lines of functions, lifecycle events, warnings. */

import { isObject } from '../tools/json.ts';
import type { LifecycleEvent } from './events/bus.ts';
import type { LogLine } from './lambda/log-lines.ts';
import { readableLine } from './log-format.ts';

export interface Console {
  step<T>(name: string, work: () => Promise<T>): Promise<T>;
  functionLine(line: LogLine, isNote: boolean): void;
  event(event: LifecycleEvent): void;
  /** Prints the outcome of a change under watch. */
  watch(message: string, isProblem?: boolean): void;
  /** Prints a message that the person at the terminal asked for or needs. */
  print(message: string): void;
  warn(message: string): void;
}

const RED = '\u001b[31m';
const CYAN = '\u001b[36m';
const DIM = '\u001b[2m';
const PLAIN = '\u001b[0m';

/** A console that writes to `write`; colours only where the output is a terminal. */
export function textConsole(write: (text: string) => void, colours: boolean): Console {
  const paint = (colour: string, text: string): string => (colours ? `${colour}${text}${PLAIN}` : text);
  return {
    async step(name, work) {
      const startedAt = performance.now();
      const result = await work();
      const ms = Math.round(performance.now() - startedAt);
      write(`  ${name.padEnd(44)}${String(ms).padStart(6)} ms\n`);
      return result;
    },
    functionLine({ functionName, text }, isNote) {
      const shown = isNote ? paint(RED, text) : readableLine(text);
      if (shown !== undefined) write(`${paint(isNote ? RED : CYAN, `[${functionName}]`)} ${shown}\n`);
    },
    event(event) {
      const detail = isObject(event.detail) ? event.detail : {};
      const about = [detail.integration_id, detail.connection_id].filter(
        (part) => typeof part === 'string' && part !== '',
      );
      write(`${paint(CYAN, '[event]')} ${event['detail-type']} ${paint(DIM, about.join(' / '))}\n`);
    },
    watch: (message, isProblem = false) =>
      write(`${paint(isProblem ? RED : CYAN, '[watch]')} ${isProblem ? paint(RED, message) : message}\n`),
    print: (message) => write(`${paint(CYAN, '[gateway]')} ${message}\n`),
    warn: (message) => write(`${paint(RED, '[gateway]')} ${paint(RED, message)}\n`),
  };
}

/** A console without output. */
export function silentConsole(): Console {
  return {
    step: (_name, work) => work(),
    functionLine: () => {},
    event: () => {},
    watch: () => {},
    print: () => {},
    warn: () => {},
  };
}
