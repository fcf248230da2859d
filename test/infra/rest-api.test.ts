import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { pascalCase } from '../../infra/constructs/service-function.ts';
import { serviceDocument } from '../../infra/open-api-document.ts';
import type { Route } from '../../infra/route.ts';
import { answersAllMethods, methodNotAllowedFunction, methodsByPath, routes } from '../../infra/routes.ts';
import { environmentOf, resourcesOfType, synthesized, type Template, written } from './synthesized.ts';

const table: readonly Route[] = routes;

let template: Template;
beforeAll(async () => {
  template = await synthesized('dev');
});

/** `GET /v1/task/{task_id}` → logical id of the function, for every method of the REST API in the template. */
function integrations(): Record<string, string | undefined> {
  return Object.fromEntries(
    resourcesOfType(template, 'AWS::ApiGateway::Method').map(([, { Properties }]) => {
      const { Type, Uri } = z
        .object({ Type: z.string(), Uri: z.optional(z.unknown()) })
        .parse(Properties.Integration);
      expect(Type).toBe('AWS_PROXY');
      const target = /functions\/\{(\w+)\}\/invocations$/.exec(written(Uri))?.[1];
      return [`${written(Properties.HttpMethod)} ${pathOf(Properties.ResourceId)}`, target];
    }),
  );
}

function pathOf(resourceId: unknown): string {
  const { Ref: id } = z.object({ Ref: z.optional(z.string()) }).parse(resourceId);
  const resource = id === undefined ? undefined : template.Resources[id];
  return resource === undefined
    ? ''
    : `${pathOf(resource.Properties.ParentId)}/${written(resource.Properties.PathPart)}`;
}

describe('the route table', () => {
  test('is what the REST API serves: its routes, each with its function, and 405 for other methods of its paths', () => {
    const expected = [
      ...table.map((route) => [
        `${answersAllMethods(route) ? 'ANY' : route.method} ${route.path}`,
        pascalCase(route.function),
      ]),
      ...Object.keys(methodsByPath()).map((path) => [`ANY ${path}`, pascalCase(methodNotAllowedFunction)]),
    ];
    expect(integrations()).toEqual(Object.fromEntries(expected));
  });

  test('lists no route twice and gives every route a summary that is a sentence', () => {
    const names = table.map(({ method, path }) => `${method} ${path}`);
    expect(new Set(names).size).toBe(names.length);
    for (const { summary } of table) expect(summary).toMatch(/^[A-Z].+\.$/);
  });

  test('names functions that exist', () => {
    for (const { function: name } of table) {
      expect(existsSync(fileURLToPath(new URL(`../../functions/${name}.ts`, import.meta.url))), name).toBe(
        true,
      );
    }
  });

  test('protects every /v1 route by an API key', () => {
    const v1 = table.filter(({ path }) => path.startsWith('/v1/'));
    expect(v1).toHaveLength(8);
    expect(new Set(v1.map(({ authentication }) => authentication))).toEqual(new Set(['api-key']));
  });

  test('tells the function that answers 405 which methods each path has', () => {
    const { ALLOWED_METHODS } = environmentOf(template, pascalCase(methodNotAllowedFunction));
    expect(JSON.parse(ALLOWED_METHODS ?? '')).toEqual(methodsByPath());
    // Lambda allows 4 KB for all variables of a function together.
    expect(ALLOWED_METHODS?.length).toBeLessThan(3500);
  });
});

describe('what the gateway answers itself', () => {
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

  test('is always JSON with a detail and the request id', () => {
    expect(answers().length).toBeGreaterThan(0);
    for (const { ResponseTemplates, ResponseParameters } of answers()) {
      expect(Object.keys(ResponseTemplates)).toEqual(['application/json']);
      expect(JSON.parse(ResponseTemplates['application/json'] ?? '')).toEqual({
        detail: expect.stringMatching(/^[A-Z]/),
      });
      expect(ResponseParameters['gatewayresponse.header.X-Request-Id']).toBe('context.requestId');
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
  ])('for %s has its own words', (_, type, status, detail) => {
    const answer = answers().find(({ ResponseType }) => ResponseType === type);
    expect(answer?.StatusCode).toBe(status);
    expect(JSON.parse(answer?.ResponseTemplates['application/json'] ?? '')).toEqual({ detail });
  });

  test('for throttling is what the OpenAPI document says of every operation', () => {
    const Response = z.object({
      headers: z.record(z.string(), z.unknown()),
      content: z.object({
        'application/json': z.object({ examples: z.record(z.string(), z.object({ value: z.unknown() })) }),
      }),
    });
    const Operation = z.object({ responses: z.object({ 429: Response }) });
    const { paths } = z
      .object({ paths: z.record(z.string(), z.record(z.string(), Operation)) })
      .parse(JSON.parse(JSON.stringify(serviceDocument())));
    const throttled = answers().find(({ ResponseType }) => ResponseType === 'THROTTLED');
    const body = JSON.parse(throttled?.ResponseTemplates['application/json'] ?? '');
    const headers = Object.keys(throttled?.ResponseParameters ?? {}).map((name) =>
      name.replace('gatewayresponse.header.', ''),
    );
    const operations = Object.values(paths).flatMap((methods) => Object.values(methods));
    expect(operations.length).toBeGreaterThan(30);
    for (const { responses } of operations) {
      const { examples } = responses[429].content['application/json'];
      expect(Object.values(examples).map(({ value }) => value)).toEqual([body]);
      expect(headers.sort()).toEqual(Object.keys(responses[429].headers).sort());
    }
  });
});

test('answers of 1 KB and more are compressed for clients that accept it', () => {
  const [api] = resourcesOfType(template, 'AWS::ApiGateway::RestApi');
  expect(api?.[1].Properties.MinimumCompressionSize).toBe(1024);
});

describe('the stage', () => {
  const stage = () => resourcesOfType(template, 'AWS::ApiGateway::Stage')[0]?.[1].Properties;

  test('throttles and neither traces nor logs bodies', () => {
    expect(stage()?.MethodSettings).toEqual([
      {
        HttpMethod: '*',
        ResourcePath: '/*',
        ThrottlingRateLimit: { Ref: 'RequestsPerSecond' },
        ThrottlingBurstLimit: { Ref: 'RequestBurst' },
        LoggingLevel: 'OFF',
        DataTraceEnabled: false,
      },
    ]);
    expect(stage()?.TracingEnabled).toBe(false);
  });

  test('logs the pattern of a route and never the path, the query, a header or a body', () => {
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
  test('sends every event to the voice agent and returns nothing by itself', () => {
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

  test('is served on the stage that the relay address names', () => {
    expect(resourcesOfType(template, 'AWS::ApiGatewayV2::Stage')[0]?.[1].Properties.StageName).toBe('relay');
  });
});
