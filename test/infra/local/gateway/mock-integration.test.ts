import { describe, expect, test } from 'vitest';
import type { GatewayResponseContext } from '../../../../infra/local/gateway/gateway-responses.ts';
import { answerMock, mockSchema } from '../../../../infra/local/gateway/mock-integration.ts';

const mock = {
  Type: 'MOCK',
  PassthroughBehavior: 'NEVER',
  RequestTemplates: { 'application/json': '{"statusCode": 405}', 'text/plain': '{"statusCode": 405}' },
  IntegrationResponses: [
    {
      StatusCode: '405',
      ResponseParameters: {
        'method.response.header.Allow': "'GET, POST'",
        'method.response.header.X-Request-Id': 'context.requestId',
      },
      ResponseTemplates: { 'application/json': '{"detail":"Method not allowed"}' },
    },
  ],
} as const;

const context: GatewayResponseContext = {
  requestId: 'r-1',
  stage: 'dev',
  httpMethod: 'PUT',
  path: '/v1/task',
  resourcePath: '/v1/task',
  sourceIp: '127.0.0.1',
  requestTime: '21/Nov/2026:04:00:16 +0000',
  header: () => undefined,
};

const response = (contentType: string | undefined) =>
  answerMock(mockSchema.parse(mock), contentType, context);

describe('a mock integration', () => {
  test.each([undefined, 'application/json', 'Application/JSON; charset=utf-8', 'text/plain'])(
    'answers a request with the content type %s by its templates',
    (contentType) => {
      const { status, headers = [], body } = response(contentType) ?? {};
      expect([status, String(body)]).toEqual([405, '{"detail":"Method not allowed"}']);
      expect(Object.fromEntries(headers)).toEqual({
        'Content-Type': 'application/json',
        Allow: 'GET, POST',
        'X-Request-Id': 'r-1',
        'x-amzn-RequestId': 'r-1',
      });
    },
  );

  test('has no response for a content type without a template, as API Gateway documents', () => {
    expect(response('image/png')).toBeNull();
  });

  test('is refused if it would pass bodies through', () => {
    expect(mockSchema.safeParse({ ...mock, PassthroughBehavior: 'WHEN_NO_MATCH' }).success).toBe(false);
  });
});
