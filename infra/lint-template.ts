import { spawnSync } from 'node:child_process';
import { builtAssembly } from './assembly.ts';
import { runCommand } from './command.ts';

const help = `Checks the templates of both stages with cfn-lint, a Python program.

  npm run lint:template

  --help   this text

Install it with pip install cfn-lint; without it, the check is skipped with a message. Exits with 1 on a broken rule.`;

/** Ignored rules, each with its reason. */
const ignored = {
  W3005: 'The CDK also makes a function depend on its role explicitly.',
  W1030: 'Parameters without a value are used only under conditions, which the rule does not see.',
} as const;

/** Ways to start it: the program, or its entry point if it is not on the path. */
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
  return `${templates.length} templates pass cfn-lint`;
});
