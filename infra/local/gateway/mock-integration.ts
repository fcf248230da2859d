import * as z from 'zod/mini';
import { type GatewayResponseContext, parameterValue } from './gateway-responses.ts';
import type { HttpResponse } from './proxy-response.ts';

/** A mock integration, whose response comes only from its templates. */
export const mockSchema = z.object({
  Type: z.literal('MOCK'),
  PassthroughBehavior: z.literal(
    'NEVER',
    'a mock integration that passes bodies through is not supported locally',
  ),
  /** By content type; each a JSON text that names the status. */
  RequestTemplates: z.record(z.string(), z.string()),
  IntegrationResponses: z.array(
    z.object({
      StatusCode: z.coerce.number(),
      ResponseParameters: z._default(z.record(z.string(), z.string()), {}),
      ResponseTemplates: z.record(z.string(), z.string()),
    }),
  ),
});
export type Mock = z.infer<typeof mockSchema>;

const RequestTemplate = z.object({ statusCode: z.number() });

/** The response of a mock integration; `null` for a content type without a template, which gets 415. */
export function answerMock(
  { RequestTemplates, IntegrationResponses }: Mock,
  contentType: string | undefined,
  context: GatewayResponseContext,
): HttpResponse | null {
  const essence = contentType?.split(';')[0]?.trim().toLowerCase() ?? 'application/json';
  const template = RequestTemplates[essence];
  if (template === undefined) return null;
  const { statusCode } = RequestTemplate.parse(JSON.parse(template));
  const response = IntegrationResponses.find(({ StatusCode }) => StatusCode === statusCode);
  const [type = 'application/json', body = ''] = Object.entries(response?.ResponseTemplates ?? {})[0] ?? [];
  const headers = Object.entries(response?.ResponseParameters ?? {}).map(
    ([target, source]): [string, string] => [
      target.replace('method.response.header.', ''),
      parameterValue(source, context) ?? '',
    ],
  );
  return {
    status: statusCode,
    headers: [['Content-Type', type], ...headers, ['x-amzn-RequestId', context.requestId]],
    body: Buffer.from(body),
  };
}
