import { styleText } from 'node:util';

type Color = 'cyan' | 'yellow' | 'magenta' | 'green';
const colors: readonly Color[] = ['cyan', 'yellow', 'magenta', 'green'];

/** Writes a labeled line of progress; each label has its own color on a color terminal. */
export function progressPrinter(labels: readonly string[]): (label: string, line: string) => void {
  const width = Math.max(...labels.map((label) => label.length));
  return (label, line) => {
    const color = colors[labels.indexOf(label) % colors.length] ?? 'cyan';
    process.stdout.write(`${styleText(color, label.padEnd(width))}  ${line}\n`);
  };
}

export function bold(text: string): string {
  return styleText('bold', text);
}

export function dim(text: string): string {
  return styleText('dim', text);
}

/** Runs one step and reports its duration. */
export async function step<T>(title: string, work: () => Promise<T> | T): Promise<T> {
  const started = performance.now();
  process.stdout.write(`${title} … `);
  try {
    const result = await work();
    process.stdout.write(dim(`${((performance.now() - started) / 1000).toFixed(1)} s\n`));
    return result;
  } catch (error) {
    process.stdout.write('failed\n');
    throw error;
  }
}
