import { copyFile, mkdir, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';

/** A generator of clients that integrators use, of a fixed version, and what runs its client. */
export interface Language {
  readonly name: string;
  /** The word after ``` before its program in `docs/quickstart.md`. */
  readonly fence: string;
  readonly generator: string;
  /** Programs that the machine must have. */
  readonly needs: readonly string[];
  /** Fetches the generator into `tools`, by the package manager of the language; does nothing when it is there. */
  readonly install: (run: Run, tools: string) => Promise<void>;
  /** Generates into `directory`, which holds `openapi.json`, puts the program beside it and compiles both. */
  readonly build: (run: Run, tools: string, directory: string, program: string) => Promise<void>;
  readonly start: (tools: string, directory: string) => Command;
}

export interface Command {
  readonly file: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** Runs a command to its end. Throws with its output when it fails. */
export type Run = (command: Command) => Promise<string>;

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
    await mkdir(join(directory, 'client'));
    await writeFile(join(directory, 'main.go'), program);
    const generate = ['-generate', 'types,client', '-package', 'client', '-o', 'client/client.gen.go'];
    await run({ file: 'go', args: ['mod', 'init', 'quickstart'], cwd: directory });
    await run({ file: join(tools, 'oapi-codegen'), args: [...generate, 'openapi.json'], cwd: directory });
    await run({ file: 'go', args: ['mod', 'tidy'], cwd: directory });
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
      'generate',
      '-g',
      'java',
      '--library',
      'native',
      '-i',
      'openapi.json',
      '-o',
      '.',
      properties,
    ];
    await run({ file: 'java', args: ['-jar', join(tools, generatorJar), ...generate], cwd: directory });
    await writeFile(join(directory, 'src/main/java/Quickstart.java'), program);
    await run({ file: 'mvn', args: ['-q', 'compile', 'dependency:copy-dependencies'], cwd: directory });
  },
  start: (_tools, directory) => ({
    file: 'java',
    args: ['-cp', ['target/classes', 'target/dependency/*'].join(delimiter), 'Quickstart'],
    cwd: directory,
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
    const generate = ['generate', '--path', 'openapi.json', '--meta', 'none', '--output-path', 'client'];
    // It asks for `ruff`, which stands beside it, by name.
    const env = { PATH: `${join(tools, 'bin')}${delimiter}${process.env.PATH ?? ''}` };
    const args = [...generate, '--fail-on-warning'];
    await run({ file: join(tools, 'bin/openapi-python-client'), args, cwd: directory, env });
    await run({ file: join(tools, 'bin/python'), args: ['import_all.py'], cwd: directory });
  },
  start: (tools, directory) => ({ file: join(tools, 'bin/python'), args: ['quickstart.py'], cwd: directory }),
};

/** A module that is never imported might not even load. */
const importAll = `import importlib, pkgutil, client
for module in pkgutil.walk_packages(client.__path__, "client."):
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
    await copyFile(join(directory, 'openapi.json'), join(workspace, 'openapi.json'));
    await writeFile(join(workspace, 'quickstart.ts'), program);
    const bin = join(tools, 'node_modules/.bin');
    await run({
      file: join(bin, 'openapi-typescript'),
      args: ['openapi.json', '-o', 'schema.ts'],
      cwd: workspace,
    });
    const options = ['--strict', '--module', 'nodenext', '--target', 'es2024', '--skipLibCheck'];
    await run({ file: join(bin, 'tsc'), args: [...options, 'quickstart.ts'], cwd: workspace });
  },
  start: (tools) => ({
    file: process.execPath,
    args: ['quickstart.js'],
    cwd: join(tools, 'quickstart'),
  }),
};

export const languages: readonly Language[] = [python, typescript, go, java];
