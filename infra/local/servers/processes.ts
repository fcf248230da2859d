import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { promisify } from 'node:util';

export interface Process {
  readonly pid: number;
  readonly parentPid: number;
  readonly arguments: readonly string[];
}

/** The processes of this machine that have not ended; none on Windows. */
export async function listProcesses(): Promise<Process[]> {
  switch (process.platform) {
    case 'win32':
      return [];
    // Small images of Linux come without `ps`.
    case 'linux':
      return listFromKernel();
    default:
      return listWithPs();
  }
}

/** Nothing here waits for a disk, and asynchronous reads of so many small files take ten times the processor time. */
function listFromKernel(): Process[] {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return pids.map(readFromKernel).filter((one) => one !== null);
}

/** Null for a process that has ended meanwhile, or whose parent has not yet taken note that it ended. */
function readFromKernel(pid: string): Process | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const commandLine = readFileSync(`/proc/${pid}/cmdline`, 'utf8');
    // The name in brackets may hold brackets and blanks itself (man 5 proc).
    const [, state, parentPid] = /^.*\) (\S) (\d+) /s.exec(stat) ?? [];
    if (state === undefined || state === 'Z' || state === 'X') return null;
    return {
      pid: Number(pid),
      parentPid: Number(parentPid),
      arguments: commandLine.split('\0').slice(0, -1),
    };
  } catch {
    return null;
  }
}

async function listWithPs(): Promise<Process[]> {
  const { stdout } = await promisify(execFile)('ps', ['-A', '-o', 'pid=,ppid=,stat=,args='], {
    maxBuffer: 16 * 1024 * 1024,
  });
  return stdout.split('\n').flatMap((line) => {
    const [, pid, parentPid, state, command] = /^\s*(\d+)\s+(\d+)\s+(\S+)\s+(.*)$/.exec(line) ?? [];
    if (state === undefined || command === undefined || state.startsWith('Z')) return [];
    return [{ pid: Number(pid), parentPid: Number(parentPid), arguments: command.split(' ') }];
  });
}
