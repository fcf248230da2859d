import { once } from 'node:events';
import { connect } from 'node:net';
import { type Fixture, restApi, startFixture } from './fixture.ts';

const gatewayResponse = (type: string, properties: object): object => ({
  Type: 'AWS::ApiGateway::GatewayResponse',
  Properties: {
    RestApiId: { Ref: 'Api' },
    ResponseType: type,
    ResponseParameters: { 'gatewayresponse.header.X-Request-Id': 'context.requestId' },
    ...properties,
  },
});

const detail = (text: string): object => ({
  ResponseTemplates: { 'application/json': `{"detail":"${text}"}` },
});

/** A REST API with a function that echoes its event, and one that returns what it is told to. */
export function startRestApi(): Promise<Fixture> {
  const resources = restApi({
    'ANY /echo': 'Echo',
    'ANY /echo/{id}': 'Echo',
    'POST /narrow': 'Echo',
    'GET /': 'Echo',
    'GET /limited': 'Echo',
    'POST /misbehave': 'Misbehave',
  });
  return startFixture({
    functions: {
      Echo: { code: 'exports.handler = async (event) => ({ statusCode: 200, body: JSON.stringify(event) })' },
      Misbehave: {
        code: `exports.handler = async ({ body }) => {
          if (body === 'throw') throw new Error('secret inside');
          if (body === 'hang') await new Promise((resolve) => setTimeout(resolve, 5000));
          return JSON.parse(body);
        }`,
      },
    },
    resources: {
      ...resources,
      Api: {
        Type: 'AWS::ApiGateway::RestApi',
        Properties: { Name: 'Api', BinaryMediaTypes: ['audio/wav', 'image/*'], MinimumCompressionSize: 100 },
      },
      Stage: {
        Type: 'AWS::ApiGateway::Stage',
        Properties: {
          RestApiId: { Ref: 'Api' },
          StageName: 'dev',
          MethodSettings: [
            {
              HttpMethod: 'GET',
              ResourcePath: '/~1limited',
              ThrottlingRateLimit: 0.01,
              ThrottlingBurstLimit: 2,
            },
          ],
        },
      },
      NotFound: gatewayResponse('MISSING_AUTHENTICATION_TOKEN', {
        StatusCode: '404',
        ...detail('Not found'),
      }),
      UnsupportedType: gatewayResponse('UNSUPPORTED_MEDIA_TYPE', detail('Unsupported media type')),
      TooLarge: gatewayResponse('REQUEST_TOO_LARGE', detail('Request body too large')),
      Throttled: gatewayResponse('THROTTLED', {
        ResponseParameters: { 'gatewayresponse.header.Retry-After': "'1'" },
        ResponseTemplates: {
          'application/json':
            '{"detail":$context.error.messageString,"type":"$context.error.responseType",' +
            '"route":"$context.resourcePath"}',
        },
      }),
      OtherClientError: gatewayResponse('DEFAULT_4XX', detail('Bad request')),
      ServerError: gatewayResponse('DEFAULT_5XX', { StatusCode: '500', ...detail('Internal server error') }),
    },
  });
}

export async function raw(fixture: Fixture, text: string): Promise<string> {
  const socket = connect(Number(new URL(fixture.stack.baseUrl).port), '127.0.0.1');
  let answer = '';
  socket.setEncoding('utf8').on('data', (chunk: string) => {
    answer += chunk;
  });
  socket.write(text);
  await once(socket, 'close');
  return answer;
}
