import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { FunctionLogLine } from '../../../infra/local/functions/function-log.ts';
import { type LocalStack, startLocalStack } from '../../../infra/local/local-stack.ts';

/** A small template with tiny bundles: tests the local stack apart from the service that uses it. */
export interface FixtureTemplate {
  readonly functions?: Readonly<Record<string, FixtureFunction>>;
  readonly resources?: Readonly<Record<string, object>>;
  readonly parameters?: Readonly<Record<string, object>>;
  readonly outputs?: Readonly<Record<string, object>>;
}

interface FixtureFunction {
  /** CommonJS that exports `handler`, or the bundle's files. */
  readonly code: string | Readonly<Record<string, string>>;
  readonly properties?: Readonly<Record<string, unknown>>;
  readonly metadata?: Readonly<Record<string, unknown>>;
}

export interface Assembly {
  readonly templatePath: string;
  readonly assemblyDir: string;
}

/** Writes a cloud assembly, as `cdk synth` does. */
export async function writeAssembly(directory: string, template: FixtureTemplate): Promise<Assembly> {
  const resources: Record<string, object> = { ...template.resources };
  const files: Record<string, object> = {};
  for (const [logicalId, { code, properties, metadata = {} }] of Object.entries(template.functions ?? {})) {
    const asset = `asset.${logicalId}`;
    for (const [file, content] of Object.entries(typeof code === 'string' ? { 'index.js': code } : code)) {
      const path = join(directory, asset, file);
      await mkdir(dirname(path), { recursive: true });
      await writeFile(path, content);
    }
    files[logicalId] = {
      source: { path: asset, packaging: 'zip' },
      destinations: { current: { objectKey: `${logicalId}.zip` } },
    };
    resources[logicalId] = {
      Type: 'AWS::Lambda::Function',
      Properties: {
        Runtime: 'nodejs24.x',
        Handler: 'index.handler',
        Code: { S3Bucket: { 'Fn::Sub': `assets-\${AWS::AccountId}` }, S3Key: `${logicalId}.zip` },
        Role: { 'Fn::GetAtt': ['Role', 'Arn'] },
        Timeout: 10,
        ...properties,
      },
      Metadata: metadata,
    };
  }
  resources.Role = { Type: 'AWS::IAM::Role', Properties: {} };
  const templatePath = join(directory, 'fixture.template.json');
  await mkdir(directory, { recursive: true });
  await writeFile(join(directory, 'fixture.assets.json'), JSON.stringify({ version: '54.0.0', files }));
  await writeFile(
    templatePath,
    JSON.stringify({
      Parameters: { PublicBaseUrl: { Type: 'String', Default: '' }, ...template.parameters },
      Resources: resources,
      Outputs: template.outputs,
    }),
  );
  return { templatePath, assemblyDir: directory };
}

export interface Fixture {
  readonly stack: LocalStack;
  readonly dataDir: string;
  /** What the stack printed. */
  readonly told: string[];
  /** Every line that the functions logged. */
  readonly lines: FunctionLogLine[];
  /** Those that are JSON, parsed. */
  readonly logged: { functionName: string; content: Record<string, unknown> }[];
  /** Restarts the stack on the same data, or with another template. */
  restart(template?: FixtureTemplate): Promise<void>;
  stop(): Promise<void>;
}

/** Starts a stack on a template, with its own data. */
export async function startFixture(template: FixtureTemplate): Promise<Fixture> {
  const directory = await mkdtemp(join(tmpdir(), 'local-stack-'));
  const dataDir = join(directory, 'data');
  const told: string[] = [];
  const logged: Fixture['logged'] = [];
  const lines: FunctionLogLine[] = [];
  const note = (whole: FunctionLogLine): void => {
    const { functionName, line } = whole;
    lines.push(whole);
    if (line.startsWith('{')) logged.push({ functionName, content: JSON.parse(line) });
  };
  const boot = async (content: FixtureTemplate): Promise<LocalStack> => {
    const assembly = await writeAssembly(join(directory, 'assembly'), content);
    const log = (line: string): void => void told.push(line);
    const stack = await startLocalStack({ ...assembly, dataDir, port: 0, log, checksAccess: true });
    stack.onFunctionLog(note);
    return stack;
  };
  try {
    let stack = await boot(template);
    return {
      get stack() {
        return stack;
      },
      dataDir,
      told,
      lines,
      logged,
      restart: async (other = template) => {
        await stack.stop();
        stack = await boot(other);
      },
      stop: async () => {
        await stack.stop();
        await rm(directory, { recursive: true, force: true });
      },
    };
  } catch (error) {
    await rm(directory, { recursive: true, force: true });
    throw error;
  }
}

/** Waits until `probe` returns something, polling; a generous limit ends a hang. */
export async function eventually<T>(probe: () => T | Promise<T>): Promise<NonNullable<T>> {
  const deadlineMs = Date.now() + 20_000;
  for (;;) {
    const found = await probe();
    if (found !== null && found !== undefined && found !== false) return found;
    if (Date.now() > deadlineMs) throw new Error('waited 20 s in vain');
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** Resources of a REST API with these methods: `'POST /v1/task': 'FunctionId'`. */
export function restApi(methods: Readonly<Record<string, string>>): Record<string, object> {
  const resources: Record<string, object> = {
    Api: { Type: 'AWS::ApiGateway::RestApi', Properties: { Name: 'Api' } },
    Deployment: { Type: 'AWS::ApiGateway::Deployment', Properties: { RestApiId: { Ref: 'Api' } } },
    Stage: {
      Type: 'AWS::ApiGateway::Stage',
      Properties: { RestApiId: { Ref: 'Api' }, DeploymentId: { Ref: 'Deployment' }, StageName: 'dev' },
    },
  };
  const nameOf = (text: string): string => text.replace(/[^A-Za-z0-9]/g, (sign) => `x${sign.charCodeAt(0)}`);
  for (const [route, functionId] of Object.entries(methods)) {
    const [method, path] = route.split(' ');
    let parent: object = { 'Fn::GetAtt': ['Api', 'RootResourceId'] };
    let soFar = '';
    for (const part of path?.split('/').filter((part) => part !== '') ?? []) {
      soFar += `/${part}`;
      const id = `Resource${nameOf(soFar)}`;
      resources[id] = {
        Type: 'AWS::ApiGateway::Resource',
        Properties: { RestApiId: { Ref: 'Api' }, ParentId: parent, PathPart: part },
      };
      parent = { Ref: id };
    }
    resources[`Method${nameOf(route)}`] = {
      Type: 'AWS::ApiGateway::Method',
      Properties: {
        RestApiId: { Ref: 'Api' },
        ResourceId: parent,
        HttpMethod: method,
        AuthorizationType: 'NONE',
        Integration: { Type: 'AWS_PROXY', Uri: invocationUri(functionId), TimeoutInMillis: 800 },
      },
    };
  }
  return resources;
}

/** Resources of a WebSocket API whose three routes lead to one function. */
export function webSocketApi(functionId: string): Record<string, object> {
  const resources: Record<string, object> = {
    Socket: {
      Type: 'AWS::ApiGatewayV2::Api',
      Properties: { ProtocolType: 'WEBSOCKET', RouteSelectionExpression: '$request.body.action' },
    },
    SocketStage: {
      Type: 'AWS::ApiGatewayV2::Stage',
      Properties: { ApiId: { Ref: 'Socket' }, StageName: 'relay', AutoDeploy: true },
    },
  };
  for (const route of ['$connect', '$disconnect', '$default', 'named']) {
    const id = route.replace('$', 'Route');
    resources[`${id}Integration`] = {
      Type: 'AWS::ApiGatewayV2::Integration',
      Properties: {
        ApiId: { Ref: 'Socket' },
        IntegrationType: 'AWS_PROXY',
        IntegrationUri: invocationUri(functionId),
        TimeoutInMillis: 800,
      },
    };
    resources[id] = {
      Type: 'AWS::ApiGatewayV2::Route',
      Properties: {
        ApiId: { Ref: 'Socket' },
        RouteKey: route,
        Target: { 'Fn::Join': ['', ['integrations/', { Ref: `${id}Integration` }]] },
      },
    };
  }
  return resources;
}

function invocationUri(functionId: string): object {
  return {
    'Fn::Join': [
      '',
      [
        'arn:',
        { Ref: 'AWS::Partition' },
        ':apigateway:',
        { Ref: 'AWS::Region' },
        ':lambda:path/2015-03-31/functions/',
        { 'Fn::GetAtt': [functionId, 'Arn'] },
        '/invocations',
      ],
    ],
  };
}
