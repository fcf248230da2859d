import { globSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseSync } from 'oxc-parser';
import { check } from 'recheck';

/*
 * Part of `npm run lint`. Limits files and lines, also of texts, which the formatter ignores. The voice agent
 * understands by examples: its remaining regular expressions must be few, short and linear in their input, so that no
 * speech can hang a function.
 */

const root = fileURLToPath(new URL('../', import.meta.url));
const sources = '{functions,infra,shared,test}/**/*.{js,ts,tsx}';
const voiceAgent = 'shared/voice-agent/';
const mostExpressions = 60;
const longest = 120;
const mostLines = 350;
const patienceMs = 20_000;

/** Data: generated, a sentence for each member of the API, and sealed values that must stay intact to the byte. */
export const dataFiles = [
  'shared/calling-hours/time-zones.ts',
  'shared/openapi/member-descriptions.ts',
  'shared/encryption/common-text.ts',
];

interface Expression {
  readonly place: string;
  readonly pattern: string;
  readonly flags: string;
}

async function main(): Promise<number> {
  const names = globSync(sources, { cwd: root }).sort();
  const problems: string[] = [];
  const expressions: Expression[] = [];
  for (const name of names) {
    const source = await readFile(join(root, name), 'utf8');
    if (!dataFiles.includes(name)) problems.push(...oversize(name, source));
    if (name.startsWith(voiceAgent)) expressions.push(...expressionsIn(name, source));
  }
  if (expressions.length > mostExpressions) {
    problems.push(`${voiceAgent}: ${expressions.length} expressions, more than ${mostExpressions}`);
  }
  problems.push(...(await Promise.all(expressions.map(problemOf))).filter((problem) => problem !== null));
  for (const problem of problems) process.stderr.write(`${problem}\n`);
  process.stdout.write(
    `${names.length} sources, ${expressions.length} regular expressions in the voice agent, ` +
      `${problems.length} problems\n`,
  );
  return problems.length === 0 ? 0 : 1;
}

/** One problem per line that is too long, and one if there are too many lines, each beginning with its place. */
export function oversize(name: string, source: string): string[] {
  const lines = source.replace(/\n$/, '').split('\n');
  const longLines = lines.flatMap((line, index) =>
    line.length > longest ? [`${name}:${index + 1}: ${line.length} characters, more than ${longest}`] : [],
  );
  return lines.length > mostLines
    ? [...longLines, `${name}: ${lines.length} lines, more than ${mostLines}`]
    : longLines;
}

function expressionsIn(name: string, source: string): Expression[] {
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
  visit(parseSync(name, source).program);
  return found;
}

async function problemOf({ place, pattern, flags }: Expression): Promise<string | null> {
  if (pattern.length > longest) return `${place}: longer than ${longest} characters`;
  const { status } = await check(pattern, flags, { timeout: patienceMs });
  // Unjudged by the checker, so not known to be linear.
  return status === 'safe'
    ? null
    : `${place}: ${status === 'vulnerable' ? 'can be made slow' : 'cannot be checked'}: ${pattern}`;
}

if (import.meta.main) process.exit(await main());
