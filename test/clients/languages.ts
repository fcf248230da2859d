import { mkdir, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';

/** A pinned client generator that integrators use, and what runs its client. */
export interface Language {
  readonly name: string;
  /** The word after ``` before its program in `docs/quickstart.md`. */
  readonly fence: string;
  readonly generator: string;
  /** Programs that the machine must have. */
  readonly needs: readonly string[];
  /** Installs the generator into `tools` by the language's package manager, unless it is there. */
  readonly install: (run: Run, tools: string) => Promise<void>;
  /**
   * Generates into `directory`, which holds `openapi.json` and `admin-openapi.json`, adds the program and
   * compiles everything.
   */
  readonly build: (run: Run, tools: string, directory: string, program: string) => Promise<void>;
  readonly start: (tools: string, directory: string) => Command;
}

export interface Command {
  readonly file: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** Runs a command to its end. Throws with its output if it fails. */
export type Run = (command: Command) => Promise<string>;

/** The source of each client, by name: programs use the first one; the other has to compile. */
const documents = [
  ['client', 'openapi.json'],
  ['management', 'admin-openapi.json'],
] as const;

const go: Language = {
  name: 'Go',
  fence: 'go',
  generator: 'oapi-codegen 2.8.2',
  needs: ['go'],
  install: async (run, tools) => {
    await run({
      file: 'go',
      args: ['install', 'github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v2.8.2'],
      cwd: tools,
      env: { GOBIN: tools },
    });
  },
  build: async (run, tools, directory, program) => {
    await writeFile(join(directory, 'main.go'), program);
    await run({ file: 'go', args: ['mod', 'init', 'quickstart'], cwd: directory });
    for (const [name, document] of documents) {
      await mkdir(join(directory, name));
      const options = ['-generate', 'types,client', '-package', name, '-o', `${name}/${name}.gen.go`];
      await run({ file: join(tools, 'oapi-codegen'), args: [...options, document], cwd: directory });
    }
    await run({ file: 'go', args: ['mod', 'tidy'], cwd: directory });
    await run({ file: 'go', args: ['build', './...'], cwd: directory });
    await run({ file: 'go', args: ['build', '-o', 'quickstart', '.'], cwd: directory });
  },
  start: (_tools, directory) => ({ file: join(directory, 'quickstart'), args: [], cwd: directory }),
};

const mavenArtifact = 'org.openapitools:openapi-generator-cli:7.17.0';
const generatorJar = 'openapi-generator-cli-7.17.0.jar';

const java: Language = {
  name: 'Java',
  fence: 'java',
  generator: 'openapi-generator 7.17.0',
  needs: ['java', 'javac', 'mvn'],
  install: async (run, tools) => {
    const to = [`-Dartifact=${mavenArtifact}`, `-DoutputDirectory=${tools}`];
    await run({ file: 'mvn', args: ['-q', 'dependency:copy', ...to], cwd: tools });
  },
  build: async (run, tools, directory, program) => {
    const properties = '--additional-properties=openApiNullable=false,hideGenerationTimestamp=true';
    const generate = [
      '-jar',
      join(tools, generatorJar),
      'generate',
      '-g',
      'java',
      '--library',
      'native',
      properties,
    ];
    for (const [name, document] of documents) {
      await run({ file: 'java', args: [...generate, '-i', document, '-o', name], cwd: directory });
    }
    await writeFile(join(directory, 'client/src/main/java/Quickstart.java'), program);
    for (const [name] of documents) {
      const goals = ['compile', 'dependency:copy-dependencies'];
      await run({ file: 'mvn', args: ['-q', ...goals], cwd: join(directory, name) });
    }
  },
  start: (_tools, directory) => ({
    file: 'java',
    args: ['-cp', ['target/classes', 'target/dependency/*'].join(delimiter), 'Quickstart'],
    cwd: join(directory, 'client'),
  }),
};

const python: Language = {
  name: 'Python',
  fence: 'python',
  generator: 'openapi-python-client 0.29.1',
  needs: ['python3'],
  install: async (run, tools) => {
    await run({ file: 'python3', args: ['-m', 'venv', '.'], cwd: tools });
    const packages = ['openapi-python-client==0.29.1', 'httpx', 'attrs', 'python-dateutil'];
    await run({ file: join(tools, 'bin/pip'), args: ['install', '--quiet', ...packages], cwd: tools });
  },
  build: async (run, tools, directory, program) => {
    await writeFile(join(directory, 'quickstart.py'), program);
    await writeFile(join(directory, 'import_all.py'), importAll);
    // It calls `ruff`, which is in the same directory, by name.
    const env = { PATH: `${join(tools, 'bin')}${delimiter}${process.env.PATH ?? ''}` };
    for (const [name, document] of documents) {
      const options = ['--path', document, '--meta', 'none', '--output-path', name, '--fail-on-warning'];
      const args = ['generate', ...options];
      await run({ file: join(tools, 'bin/openapi-python-client'), args, cwd: directory, env });
    }
    await run({ file: join(tools, 'bin/python'), args: ['import_all.py'], cwd: directory });
  },
  start: (tools, directory) => ({ file: join(tools, 'bin/python'), args: ['quickstart.py'], cwd: directory }),
};

/** A module that is never imported might not even load. */
const importAll = `import importlib, pkgutil, client, management
for package in (client, management):
    for module in pkgutil.walk_packages(package.__path__, package.__name__ + "."):
        importlib.import_module(module.name)
`;

const typescript: Language = {
  name: 'TypeScript',
  fence: 'typescript',
  generator: 'openapi-typescript 7.13.0',
  needs: ['npm'],
  install: async (run, tools) => {
    await writeFile(join(tools, 'package.json'), '{ "private": true, "type": "module" }');
    const packages = [
      'openapi-typescript@7.13.0',
      'openapi-fetch@0.17.0',
      'typescript@5.9.3',
      '@types/node@24',
    ];
    await run({ file: 'npm', args: ['install', '--no-audit', '--no-fund', ...packages], cwd: tools });
  },
  build: async (run, tools, directory, program) => {
    // Beside the packages, where imports find them.
    const workspace = join(tools, 'quickstart');
    await mkdir(workspace, { recursive: true });
    await writeFile(join(workspace, 'quickstart.ts'), program);
    const bin = join(tools, 'node_modules/.bin');
    for (const [name, document] of documents) {
      const args = [join(directory, document), '-o', name === 'client' ? 'schema.ts' : `${name}.ts`];
      await run({ file: join(bin, 'openapi-typescript'), args, cwd: workspace });
    }
    const options = ['--strict', '--module', 'nodenext', '--target', 'es2024', '--skipLibCheck'];
    await run({
      file: join(bin, 'tsc'),
      args: [...options, 'quickstart.ts', 'management.ts'],
      cwd: workspace,
    });
  },
  start: (tools) => ({
    file: process.execPath,
    args: ['quickstart.js'],
    cwd: join(tools, 'quickstart'),
  }),
};

export const languages: readonly Language[] = [python, typescript, go, java];
