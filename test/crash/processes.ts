import { listProcesses, type Process } from '../../infra/local/servers/processes.ts';

/** The process and everything that it, or what it has started, has started. */
export function withDescendants(pid: number, processes: readonly Process[]): number[] {
  const found = [pid];
  for (const ancestor of found) {
    found.push(...processes.filter(({ parentPid }) => parentPid === ancestor).map((child) => child.pid));
  }
  return found;
}

/** Command lines of processes that work on the data in a directory, which they name. */
export async function commandsOn(directory: string): Promise<string[]> {
  const processes = await listProcesses();
  return processes
    .filter(({ pid }) => pid !== process.pid)
    .map((one) => one.arguments.join(' '))
    .filter((command) => command.includes(directory));
}
