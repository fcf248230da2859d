import { listProcesses, type Process } from '../../infra/local/servers/processes.ts';

/** The process and all its descendants. */
export function withDescendants(pid: number, processes: readonly Process[]): number[] {
  const found = [pid];
  for (const ancestor of found) {
    found.push(...processes.filter(({ parentPid }) => parentPid === ancestor).map((child) => child.pid));
  }
  return found;
}

/** Command lines of the processes that work on a data directory, which they name. */
export async function commandsOn(directory: string): Promise<string[]> {
  const processes = await listProcesses();
  return processes
    .filter(({ pid }) => pid !== process.pid)
    .map((one) => one.arguments.join(' '))
    .filter((command) => command.includes(directory));
}
