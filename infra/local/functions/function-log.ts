import { createWriteStream, existsSync, renameSync, statSync } from 'node:fs';
import type { Readable } from 'node:stream';

export interface FunctionLogLine {
  readonly at: Date;
  readonly functionName: string;
  readonly line: string;
}

/** Everything that the functions write, as CloudWatch Logs would have it. */
export interface FunctionLog {
  write(functionName: string, line: string): void;
  /** Gets what one of a function's workers prints, in pieces of any kind; null at its end. */
  printer(functionName: string): (text: string | null) => void;
  /** Takes over what a thread prints. */
  follow(name: string, output: Readable): void;
  onLine(listener: (line: FunctionLogLine) => void): void;
  close(): Promise<void>;
}

const sizeLimit = 20 * 1024 * 1024;

/** Opens the log file to go on with it; one that has become large is set aside as `….1` first. */
export function openFunctionLog(path: string): FunctionLog {
  if (existsSync(path) && statSync(path).size > sizeLimit) renameSync(path, `${path}.1`);
  const file = createWriteStream(path, { flags: 'a', mode: 0o600 });
  const listeners: ((line: FunctionLogLine) => void)[] = [];
  const write = (functionName: string, line: string): void => {
    const at = new Date();
    if (!file.writableEnded) file.write(`${at.toISOString()} ${functionName} ${line}\n`);
    for (const listener of listeners) listener({ at, functionName, line });
  };
  const printer = (functionName: string) => {
    let unfinished = '';
    return (text: string | null): void => {
      const lines = (unfinished + (text ?? '')).split('\n');
      unfinished = lines.pop() ?? '';
      if (text === null && unfinished !== '') lines.push(unfinished);
      for (const line of lines) write(functionName, line);
    };
  };
  return {
    write,
    printer,
    follow: (name, output) => {
      const print = printer(name);
      output.setEncoding('utf8');
      output.on('data', print);
      output.on('end', () => print(null));
    },
    onLine: (listener) => {
      listeners.push(listener);
    },
    close: () => new Promise((resolve) => file.end(() => resolve())),
  };
}
