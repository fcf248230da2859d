import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { type Audience, openApiDocument } from '#shared/openapi/document.ts';
import { securityHeaders } from '#shared/triggers/middlewares/security-headers.ts';
import { pascalCase } from '../../infra/constructs/service-function.ts';
import { operations as declared, gatewayMethods, routes } from '../../infra/routes.ts';
import { resourcesOfType, synthesized, type Template, written } from './synthesized.ts';

let template: Template;
beforeAll(async () => {
  template = await synthesized('dev');
});

const Integration = z.discriminatedUnion('Type', [
  z.object({ Type: z.literal('AWS_PROXY'), Uri: z.unknown() }),
  z.object({
    Type: z.literal('MOCK'),
    PassthroughBehavior: z.string(),
    RequestTemplates: z.record(z.string(), z.string()),
    IntegrationResponses: z.tuple([
      z.object({
        StatusCode: z.string(),
        ResponseParameters: z.record(z.string(), z.string()),
        ResponseTemplates: z.record(z.string(), z.string()),
      }),
    ]),
  }),
]);

/** Every method of the REST API in the template, by method and path. */
function integrations(): [string, z.infer<typeof Integration>][] {
  return resourcesOfType(template, 'AWS::ApiGateway::Method').map(([, { Properties }]) => [
    `${written(Properties.HttpMethod)} ${pathOf(Properties.ResourceId) || '/'}`,
    Integration.parse(Properties.Integration),
  ]);
}

function pathOf(resourceId: unknown): string {
  const { Ref: id } = z.object({ Ref: z.optional(z.string()) }).parse(resourceId);
  const resource = id === undefined ? undefined : template.Resources[id];
  return resource === undefined
    ? ''
    : `${pathOf(resource.Properties.ParentId)}/${written(resource.Properties.PathPart)}`;
}

describe('the REST API', () => {
  test('serves every endpoint by its function, and 405 for other methods of its path', () => {
    const served = Object.fromEntries(
      integrations().map(([name, integration]) => [
        name,
        integration.Type === 'MOCK'
          ? integration.IntegrationResponses[0].ResponseParameters['method.response.header.Allow']
          : /functions\/\{(\w+)\}\/invocations$/.exec(written(integration.Uri))?.[1],
      ]),
    );
    const expected = gatewayMethods.map(({ method, path, answer }) => [
      `${method} ${path}`,
      'function' in answer ? pascalCase(answer.function) : `'${answer.allowedMethods.join(', ')}'`,
    ]);
    expect(served).toEqual(Object.fromEntries(expected));
    expect(served).toMatchObject({
      'POST /v1/patient': 'CreatePatient',
      'GET /v1/patient': 'ListPatients',
      'ANY /v1/patient': "'POST, GET, HEAD'",
      'ANY /admin/{proxy+}': 'Admin',
      'ANY /dashboard/{proxy+}': 'Dashboard',
    });
  });

  test("returns its own 405 in the functions' error format, whatever the body's type", () => {
    const mocks = integrations().flatMap(([, integration]) =>
      integration.Type === 'MOCK' ? [integration] : [],
    );
    expect(mocks.length).toBeGreaterThan(10);
    for (const { PassthroughBehavior, RequestTemplates, IntegrationResponses } of mocks) {
      expect(PassthroughBehavior).toBe('NEVER');
      expect(Object.keys(RequestTemplates)).toEqual(
        expect.arrayContaining(['application/json', 'text/plain', 'application/x-www-form-urlencoded']),
      );
      for (const text of Object.values(RequestTemplates))
        expect(JSON.parse(text)).toEqual({ statusCode: 405 });
      expect(IntegrationResponses).toEqual([
        {
          StatusCode: '405',
          ResponseParameters: {
            'method.response.header.Allow': expect.stringMatching(/^'[A-Z, ]+'$/),
            'method.response.header.Cache-Control': "'no-store'",
            'method.response.header.Strict-Transport-Security': "'max-age=31536000'",
            'method.response.header.X-Content-Type-Options': "'nosniff'",
            'method.response.header.Content-Security-Policy': "'default-src 'none'; frame-ancestors 'none''",
            'method.response.header.X-Request-Id': 'context.requestId',
            'method.response.header.X-Error-Code': "'method_not_allowed'",
          },
          ResponseTemplates: { 'application/json': '{"detail":"Method not allowed"}' },
        },
      ]);
    }
  });

  test('lists each route once with a summary that is a sentence', () => {
    const names = routes.map(({ method, path }) => `${method} ${path}`);
    expect(new Set(names).size).toBe(names.length);
    for (const { summary } of routes) expect(summary).toMatch(/^[A-Z].+\.$/);
  });

  test('names existing functions', () => {
    for (const { function: name } of routes) {
      expect(existsSync(fileURLToPath(new URL(`../../functions/${name}.ts`, import.meta.url))), name).toBe(
        true,
      );
    }
  });

  test('protects every /v1 route with an API key', () => {
    const v1 = routes.filter(({ path }) => path.startsWith('/v1/'));
    expect(new Set(v1.map(({ authentication }) => authentication))).toEqual(new Set(['api-key']));
  });
});

describe("the gateway's own responses", () => {
  const Answer = z.object({
    ResponseType: z.string(),
    StatusCode: z.optional(z.string()),
    ResponseTemplates: z.record(z.string(), z.string()),
    ResponseParameters: z.record(z.string(), z.string()),
  });
  const answers = () =>
    resourcesOfType(template, 'AWS::ApiGateway::GatewayResponse').map(([, { Properties }]) =>
      Answer.parse(Properties),
    );

  test('45: are always JSON with a detail, the request ID and the security headers', () => {
    expect(answers().length).toBeGreaterThan(0);
    for (const { ResponseTemplates, ResponseParameters } of answers()) {
      expect(Object.keys(ResponseTemplates)).toEqual(['application/json']);
      expect(JSON.parse(ResponseTemplates['application/json'] ?? '')).toEqual({
        detail: expect.stringMatching(/^[A-Z]/),
      });
      expect(ResponseParameters).toMatchObject({
        'gatewayresponse.header.X-Request-Id': 'context.requestId',
        'gatewayresponse.header.X-Error-Code': expect.stringMatching(/^'[a-z_]+'$/),
        'gatewayresponse.header.Strict-Transport-Security': "'max-age=31536000'",
        'gatewayresponse.header.X-Content-Type-Options': "'nosniff'",
        'gatewayresponse.header.Content-Security-Policy': "'default-src 'none'; frame-ancestors 'none''",
      });
    }
  });

  test.each([
    ['an unknown route', 'MISSING_AUTHENTICATION_TOKEN', '404', 'Not found'],
    ['an unknown route asked for with a bearer token', 'INVALID_SIGNATURE', '404', 'Not found'],
    ['a body over the limit of the gateway', 'REQUEST_TOO_LARGE', undefined, 'Request body too large'],
    ['a body by a coding it does not know', 'UNSUPPORTED_MEDIA_TYPE', undefined, 'Unsupported media type'],
    ['throttling', 'THROTTLED', undefined, 'Too many requests'],
    ['a malformed body', 'BAD_REQUEST_BODY', undefined, 'Malformed request body'],
    ['any other refusal', 'DEFAULT_4XX', undefined, 'Bad request'],
    ['any fault of ours', 'DEFAULT_5XX', '500', 'Internal server error'],
  ])('have their own detail for %s', (_, type, status, detail) => {
    const answer = answers().find(({ ResponseType }) => ResponseType === type);
    expect(answer?.StatusCode).toBe(status);
    expect(JSON.parse(answer?.ResponseTemplates['application/json'] ?? '')).toEqual({ detail });
  });

  test.each<Audience>(['clients', 'people'])(
    'for throttling is what the OpenAPI document for %s says of every operation',
    (audience) => {
      const Response = z.object({
        headers: z.record(z.string(), z.unknown()),
        content: z.object({ 'application/json': z.object({ example: z.unknown() }) }),
      });
      const Reference = z.object({ $ref: z.string() });
      const Operation = z.object({
        responses: z.object({ 429: z.optional(Reference), default: z.optional(Reference) }),
      });
      const { paths, components } = z
        .object({
          paths: z.record(z.string(), z.record(z.string(), Operation)),
          components: z.object({ responses: z.record(z.string(), Response) }),
        })
        .parse(JSON.parse(JSON.stringify(openApiDocument(declared, audience))));
      const throttled = answers().find(({ ResponseType }) => ResponseType === 'THROTTLED');
      const body = JSON.parse(throttled?.ResponseTemplates['application/json'] ?? '');
      // What every response has tells nothing about one operation.
      const headers = Object.keys(throttled?.ResponseParameters ?? {})
        .map((name) => name.replace('gatewayresponse.header.', ''))
        .filter((name) => !(name in securityHeaders));
      const operations = Object.values(paths).flatMap((methods) => Object.values(methods));
      expect(operations.length).toBeGreaterThan(10);
      for (const { responses } of operations) {
        const name = (responses[429] ?? responses.default)?.$ref.replace('#/components/responses/', '') ?? '';
        expect(Object.keys(components.responses[name]?.headers ?? {})).toEqual(
          expect.arrayContaining(headers),
        );
      }
      if (audience === 'clients') {
        expect(components.responses.TooManyRequests?.content['application/json'].example).toEqual(body);
      }
    },
  );
});

test('responses of 1 KB and more are compressed for clients that accept it', () => {
  const [api] = resourcesOfType(template, 'AWS::ApiGateway::RestApi');
  expect(api?.[1].Properties.MinimumCompressionSize).toBe(1024);
});

describe('the stage', () => {
  const stage = () => resourcesOfType(template, 'AWS::ApiGateway::Stage')[0]?.[1].Properties;

  test('46: throttles the carrier separately from clients, traces only on request, and logs no bodies', () => {
    expect(stage()?.MethodSettings).toEqual([
      {
        HttpMethod: '*',
        ResourcePath: '/*',
        ThrottlingRateLimit: { Ref: 'RequestsPerSecond' },
        ThrottlingBurstLimit: { Ref: 'RequestBurst' },
        LoggingLevel: 'OFF',
        DataTraceEnabled: false,
      },
      // However many requests clients send, the carrier gets through.
      {
        HttpMethod: 'POST',
        ResourcePath: '/~1carrier~1{callback+}',
        ThrottlingRateLimit: { Ref: 'CarrierRequestsPerSecond' },
        ThrottlingBurstLimit: { Ref: 'CarrierRequestBurst' },
        LoggingLevel: 'OFF',
        DataTraceEnabled: false,
      },
    ]);
    expect(stage()?.TracingEnabled).toEqual({ 'Fn::If': ['TracingIsOn', true, false] });
  });

  test("logs a route's pattern, never the path, query, headers or body", () => {
    const { Format } = z.object({ Format: z.string() }).parse(stage()?.AccessLogSetting);
    expect(Object.values(z.record(z.string(), z.string()).parse(JSON.parse(Format)))).toEqual([
      '$context.requestId',
      '$context.requestTime',
      '$context.httpMethod',
      '$context.resourcePath',
      '$context.status',
      '$context.error.responseType',
      '$context.responseLength',
      '$context.responseLatency',
      '$context.integrationLatency',
      '$context.identity.sourceIp',
    ]);
  });
});

describe('the WebSocket API', () => {
  test('sends every event to the voice agent and returns no response of its own', () => {
    const targets = resourcesOfType(template, 'AWS::ApiGatewayV2::Integration').map(([, { Properties }]) =>
      written(Properties.IntegrationUri),
    );
    expect(new Set(targets)).toEqual(
      new Set([
        'arn:{AWS::Partition}:apigateway:{AWS::Region}:lambda:path/2015-03-31/functions/{VoiceAgent}/invocations',
      ]),
    );
    const routeKeys = resourcesOfType(template, 'AWS::ApiGatewayV2::Route').map(
      ([, { Properties }]) => Properties.RouteKey,
    );
    expect(routeKeys.sort()).toEqual(['$connect', '$default', '$disconnect']);
    expect(resourcesOfType(template, 'AWS::ApiGatewayV2::RouteResponse')).toEqual([]);
  });

  test('is served on the stage in the relay address', () => {
    expect(resourcesOfType(template, 'AWS::ApiGatewayV2::Stage')[0]?.[1].Properties.StageName).toBe('relay');
  });
});
