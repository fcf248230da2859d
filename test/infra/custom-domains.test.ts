import { beforeAll, describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { builtAssembly } from '../../infra/assembly.ts';
import { createDeployment, type Deployment } from '../../infra/local/template/deployment.ts';
import { loadTemplate, type Template } from '../../infra/local/template/template.ts';

let template: Template;
beforeAll(async () => {
  template = await loadTemplate((await builtAssembly('prod', 'off')).templatePath);
});

const certificate = 'arn:aws:acm:us-east-1:123456789012:certificate/0a1b2c3d-0000-4000-8000-000000000001';
const names = {
  DomainCertificateArn: certificate,
  ApiDomainName: 'api.example.com',
  RelayDomainName: 'relay.example.com',
};

function deployed(parameters: Record<string, string>, changed: Template = template): Deployment {
  return createDeployment({
    stackName: 'stack',
    template: changed,
    parameters,
    servers: { queueOrigin: 'http://127.0.0.1', streamArn: () => 'stream' },
  });
}

const domainTypes = [
  'AWS::ApiGateway::DomainName',
  'AWS::ApiGateway::BasePathMapping',
  'AWS::ApiGatewayV2::DomainName',
  'AWS::ApiGatewayV2::ApiMapping',
];

function countsOf(deployment: Deployment): number[] {
  return domainTypes.map((type) => deployment.ofType(type).length);
}

/** The values of a variable in the environments of all functions that have it. */
function valuesOf(deployment: Deployment, name: string): string[] {
  const Environment = z.object({
    Environment: z.object({ Variables: z.record(z.string(), z.string()) }),
  });
  const values = deployment
    .ofType('AWS::Lambda::Function')
    .map((fn) => deployment.properties(fn, Environment).Environment.Variables[name]);
  return [...new Set(values.filter((value) => value !== undefined))];
}

/** Whether the firewall counts a request to the path against the limit of its address. */
function limits(deployment: Deployment, path: string): boolean {
  const [acl] = deployment.ofType('AWS::WAFv2::WebACL');
  if (acl === undefined) throw new Error('There is no firewall');
  const { Rules } = deployment.properties(acl, z.object({ Rules: z.array(z.unknown()) }));
  const expression = /"RegexString":"([^"]+)"/.exec(JSON.stringify(Rules[0]))?.[1] ?? '';
  return !new RegExp(expression).test(path);
}

describe('custom domain names', () => {
  test('are absent without parameters, and addresses are those of API Gateway', () => {
    const plain = deployed({});
    expect(countsOf(plain)).toEqual([0, 0, 0, 0]);
    expect(valuesOf(plain, 'PUBLIC_BASE_URL')).toEqual([
      expect.stringMatching(/^https:\/\/\w+\.execute-api\.[\w.-]+\/prod$/),
    ]);
    expect(valuesOf(plain, 'RELAY_URL')).toEqual([
      expect.stringMatching(/^wss:\/\/\w+\.execute-api\.[\w.-]+\/relay$/),
    ]);
    expect(Object.keys(plain.outputs()).filter((name) => name.endsWith('DomainTarget'))).toEqual([]);
  });

  test('appear in the addresses for functions, people and clients, each alone or both', () => {
    const both = deployed(names);
    expect(countsOf(both)).toEqual([1, 1, 1, 1]);
    expect(valuesOf(both, 'PUBLIC_BASE_URL')).toEqual(['https://api.example.com']);
    expect(valuesOf(both, 'RELAY_URL')).toEqual(['wss://relay.example.com']);
    expect(both.outputs()).toMatchObject({
      BaseUrl: 'https://api.example.com',
      RelayUrl: 'wss://relay.example.com',
      ApiDomainTarget: expect.stringMatching(/./),
      RelayDomainTarget: expect.stringMatching(/./),
    });
    const [client] = both.ofType('AWS::Cognito::UserPoolClient');
    if (client === undefined) throw new Error('There is no client of the user pool');
    const { CallbackURLs } = both.properties(client, z.object({ CallbackURLs: z.array(z.string()) }));
    expect(CallbackURLs[0]).toBe('https://api.example.com/dashboard/signed-in');

    const { RelayDomainName: _, ...onlyApi } = names;
    expect(countsOf(deployed(onlyApi))).toEqual([1, 1, 0, 0]);
    expect(valuesOf(deployed(onlyApi), 'RELAY_URL')[0]).toContain('.execute-api.');
  });

  test('have a path below them if given, which the firewall knows', () => {
    const below = deployed({ ...names, ApiBasePath: 'calls' });
    expect(valuesOf(below, 'PUBLIC_BASE_URL')).toEqual(['https://api.example.com/calls']);
    const [mapping] = below.ofType('AWS::ApiGateway::BasePathMapping');
    expect(mapping?.property('BasePath')).toBe('calls');
    const [whole] = deployed(names).ofType('AWS::ApiGateway::BasePathMapping');
    expect(whole?.property('BasePath')).toBeUndefined();

    const spared = ['/prod/carrier/status/t/c', '/calls/carrier/status/t/c', '/carrier/answer/t/c'];
    expect(spared.map((path) => limits(below, path))).toEqual([false, false, false]);
    const counted = ['/prod/v1/task', '/calls/v1/task', '/dashboard/carrier/x', '/other/carrier/x'];
    expect(counted.map((path) => limits(below, path))).toEqual([true, true, true, true]);
    expect(limits(deployed({}), '/calls/carrier/x')).toBe(true);
  });

  test("serve both APIs' stages with the certificate and at least TLS 1.2", () => {
    const both = deployed(names);
    const [domain, relayDomain, relayMapping] = [
      'AWS::ApiGateway::DomainName',
      'AWS::ApiGatewayV2::DomainName',
      'AWS::ApiGatewayV2::ApiMapping',
    ].map((type) => {
      const [resource] = both.ofType(type);
      if (resource === undefined) throw new Error(`There is no ${type}`);
      return both.properties(resource, z.record(z.string(), z.unknown()));
    });
    expect(domain).toMatchObject({ RegionalCertificateArn: certificate, SecurityPolicy: 'TLS_1_2' });
    expect(relayDomain?.DomainNameConfigurations).toEqual([
      { CertificateArn: certificate, EndpointType: 'REGIONAL', SecurityPolicy: 'TLS_1_2' },
    ]);
    expect(relayMapping).toMatchObject({ Stage: 'relay' });
    const [id] =
      Object.entries(template.Resources).find(([, { Type }]) => Type === 'AWS::ApiGatewayV2::ApiMapping') ??
      [];
    expect(template.Resources[id ?? '']?.DependsOn).toEqual([expect.stringContaining('RelayStage')]);
  });

  test('yield to addresses in front of both, which cannot forward the signed requests to connections', () => {
    const fronted = deployed({
      ...names,
      PublicBaseUrl: 'https://front.example.com/api',
      PublicRelayUrl: 'wss://front.example.com/relay',
    });
    expect(valuesOf(fronted, 'PUBLIC_BASE_URL')).toEqual(['https://front.example.com/api']);
    expect(valuesOf(fronted, 'RELAY_URL')).toEqual(['wss://front.example.com/relay']);
    expect(valuesOf(fronted, 'RELAY_MANAGEMENT_URL')).toEqual([
      expect.stringMatching(/^https:\/\/\w+\.execute-api\.[\w.-]+\/relay$/),
    ]);
  });

  test.each([
    [{}, true],
    [names, true],
    [{ ...names, ApiBasePath: 'calls' }, true],
    [{ ApiDomainName: 'api.example.com' }, false],
    [{ RelayDomainName: 'relay.example.com' }, false],
    [{ ...names, RelayDomainName: 'api.example.com' }, false],
    [{ DomainCertificateArn: certificate, ApiBasePath: 'calls' }, false],
  ])('are never half configured: %j accepted: %s', (parameters, isTaken) => {
    expect(keepsRules(parameters)).toBe(isTaken);
  });

  test.each([
    ['ApiDomainName', 'https://api.example.com'],
    ['ApiDomainName', 'API.example.com'],
    ['RelayDomainName', 'relay'],
    ['ApiBasePath', 'a/b'],
    ['ApiBasePath', '/calls'],
    ['ApiBasePath', 'a.b'],
    ['DomainCertificateArn', 'certificate'],
  ])('refuse %s "%s"', (name, value) => {
    expect(() => deployed({ [name]: value })).toThrow(name);
  });
});

const Rules = z.object({
  DomainNamesAreWhole: z.object({ Assertions: z.array(z.object({ Assert: z.unknown() })) }),
});

/** Whether CloudFormation would accept the parameters: here, an output's condition states each assertion. */
function keepsRules(parameters: Record<string, string>): boolean {
  const { Assertions } = Rules.parse(template.Rules).DomainNamesAreWhole;
  const asserted = Assertions.map(({ Assert }, index) => [`Assertion${index}`, Assert] as const);
  const changed = {
    ...template,
    Conditions: { ...template.Conditions, ...Object.fromEntries(asserted) },
    Outputs: Object.fromEntries(asserted.map(([name]) => [name, { Value: 'kept', Condition: name }])),
  };
  return Object.keys(deployed(parameters, changed).outputs()).length === Assertions.length;
}
