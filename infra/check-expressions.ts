import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseSync } from 'oxc-parser';
import { check } from 'recheck';

/*
 * The voice agent understands by examples. What regular expressions it still has are few, short, and linear in what
 * people say, so that no speech can hold a function: part of `npm run lint`.
 */

const room = fileURLToPath(new URL('../shared/voice-agent/', import.meta.url));
const most = 60;
const longest = 120;
const patienceMs = 20_000;

interface Expression {
  readonly place: string;
  readonly pattern: string;
  readonly flags: string;
}

async function main(): Promise<number> {
  const names = (await readdir(room, { recursive: true })).filter((name) => name.endsWith('.ts')).sort();
  const files = await Promise.all(names.map((name) => expressionsIn(join(room, name), name)));
  const expressions = files.flat();
  const problems = [
    ...(expressions.length > most ? [`${expressions.length} expressions, more than ${most}`] : []),
    ...(await Promise.all(expressions.map(problemOf))).filter((problem) => problem !== null),
  ];
  for (const problem of problems) process.stderr.write(`${problem}\n`);
  process.stdout.write(
    `${expressions.length} regular expressions in the voice agent, ${problems.length} problems\n`,
  );
  return problems.length === 0 ? 0 : 1;
}

async function expressionsIn(path: string, name: string): Promise<Expression[]> {
  const source = await readFile(path, 'utf8');
  const found: Expression[] = [];
  const visit = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return;
    if ('regex' in node && 'start' in node) {
      const { pattern, flags } = node.regex as { pattern: string; flags: string };
      found.push({
        place: `${name}:${source.slice(0, Number(node.start)).split('\n').length}`,
        pattern,
        flags,
      });
    }
    for (const value of Object.values(node)) visit(value);
  };
  visit(parseSync(path, source).program);
  return found;
}

async function problemOf({ place, pattern, flags }: Expression): Promise<string | null> {
  if (pattern.length > longest) return `${place}: longer than ${longest} characters`;
  const { status } = await check(pattern, flags, { timeout: patienceMs });
  // What the checker cannot judge is not known to be linear.
  return status === 'safe'
    ? null
    : `${place}: ${status === 'vulnerable' ? 'can be made slow' : 'cannot be checked'}: ${pattern}`;
}

process.exit(await main());
