import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

export interface Process {
  readonly pid: number;
  readonly parentPid: number;
  readonly command: string;
}

const run = promisify(execFile);

/** Every process of this machine that has not ended. */
async function listProcesses(): Promise<Process[]> {
  const { stdout } = await run('ps', ['-A', '-o', 'pid=,ppid=,stat=,args='], { maxBuffer: 16 * 1024 * 1024 });
  return stdout.split('\n').flatMap((line) => {
    const [, pid, parentPid, state, command] = /^\s*(\d+)\s+(\d+)\s+(\S+)\s+(.*)$/.exec(line) ?? [];
    if (state === undefined || command === undefined || state.startsWith('Z')) return [];
    return [{ pid: Number(pid), parentPid: Number(parentPid), command }];
  });
}

/** The process and everything that it, or what it has started, has started. */
export async function withDescendants(pid: number): Promise<number[]> {
  const processes = await listProcesses();
  const found = [pid];
  for (const ancestor of found) {
    found.push(...processes.filter(({ parentPid }) => parentPid === ancestor).map((child) => child.pid));
  }
  return found;
}

/** Processes that work on the data in a directory, which their command line names. */
export async function processesOn(directory: string): Promise<Process[]> {
  const processes = await listProcesses();
  return processes.filter(({ pid, command }) => pid !== process.pid && command.includes(directory));
}
