import { spawnSync } from 'node:child_process';
import { builtAssembly } from './assembly.ts';
import { runCommand } from './command.ts';

const help = `Holds the templates of both stages against the rules of cfn-lint, which is a program of Python's.

  npm run lint:template

  --help   this text

Install it by pip install cfn-lint. Without it the check is skipped, and says so. Exits with 1 when a rule is broken.`;

/** Rules that are not followed, each with its reason. */
const ignored = {
  W3005: 'The CDK lets a function wait for its role explicitly, too.',
  W1030: 'Parameters without a value are used under conditions only, which the rule does not see.',
} as const;

/** Ways to start it: its program, or what that calls if it is not on the path. */
const programs: readonly (readonly [string, ...string[]])[] = [
  ['cfn-lint'],
  ['python3', '-c', 'from cfnlint.runner import main; main()'],
];

function findProgram(): readonly [string, ...string[]] | null {
  const found = programs.find(
    ([program, ...args]) => spawnSync(program, [...args, '--version']).status === 0,
  );
  return found ?? null;
}

await runCommand('lint:template', 'The templates break rules', { help }, async () => {
  const found = findProgram();
  if (found === null) return 'SKIPPED: cfn-lint is not installed (pip install cfn-lint)';
  const assemblies = [await builtAssembly('dev'), await builtAssembly('prod', 'off')];
  const [program, ...before] = found;
  const templates = assemblies.map(({ templatePath }) => templatePath);
  const rules = [...before, '--ignore-checks', ...Object.keys(ignored), '--', ...templates];
  const { status, stdout } = spawnSync(program, rules, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`\n${stdout}`);
  return `${templates.length} templates keep the rules of cfn-lint`;
});
