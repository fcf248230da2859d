import { readdirSync, readFileSync } from 'node:fs';

const ticksPerSecond = 100;

/** Milliseconds of processor time so far, of this process and the servers that it started. */
export interface ProcessorTime {
  readonly own: number;
  readonly servers: number;
}

/** From Linux's process table. */
export function processorTime(): ProcessorTime {
  const { user, system } = process.cpuUsage();
  const ticks = descendants('self').reduce((sum, child) => sum + ticksOf(child), 0);
  return { own: (user + system) / 1000, servers: (ticks * 1000) / ticksPerSecond };
}

/** A server may be the child of a shell that guards it. */
function descendants(pid: string): string[] {
  const children = readdirSync(`/proc/${pid}/task`).flatMap((thread) =>
    readFileSync(`/proc/${pid}/task/${thread}/children`, 'utf8').trim().split(' ').filter(Boolean),
  );
  return children.flatMap((child) => [child, ...descendants(child)]);
}

function ticksOf(pid: string): number {
  // Behind the name, which may have spaces, user and system time are the 12th and 13th field.
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
  return Number(fields[11]) + Number(fields[12]);
}
