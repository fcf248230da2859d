import * as z from 'zod/mini';
import { LocalStackError } from '../local-stack-error.ts';
import type { Deployment } from '../template/deployment.ts';

/** Responses of API Gateway itself, with its default texts. */
const answers = {
  MISSING_AUTHENTICATION_TOKEN: { status: 403, message: 'Missing Authentication Token' },
  REQUEST_TOO_LARGE: { status: 413, message: 'Request Too Long' },
  UNSUPPORTED_MEDIA_TYPE: { status: 415, message: 'Unsupported Media Type' },
  THROTTLED: { status: 429, message: 'Too Many Requests' },
  INTEGRATION_TIMEOUT: { status: 504, message: 'Endpoint request timed out' },
  // Without types of their own: a request that is no proper HTTP, and a function that fails or answers nonsense.
  DEFAULT_4XX: { status: 400, message: 'Bad Request' },
  DEFAULT_5XX: { status: 502, message: 'Internal server error' },
} as const;

export type GatewayResponse = keyof typeof answers;

export interface GatewayResponseContext {
  readonly requestId: string;
  readonly stage: string;
  readonly httpMethod: string;
  readonly path: string;
  readonly resourcePath: string;
  readonly sourceIp: string;
  readonly requestTime: string;
  /** The request's headers by lower-case name. */
  readonly header: (name: string) => string | undefined;
}

export interface RenderedResponse {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly body: string;
}

const gatewayResponseSchema = z.object({
  ResponseType: z.string(),
  StatusCode: z.optional(z.coerce.number()),
  ResponseParameters: z.optional(z.record(z.string(), z.string())),
  ResponseTemplates: z.optional(z.record(z.string(), z.string())),
});

type Customization = z.infer<typeof gatewayResponseSchema>;

const defaultTemplates = { 'application/json': '{"message":$context.error.messageString}' };

/** The gateway's own responses, as customized by the template's `AWS::ApiGateway::GatewayResponse` resources. */
export class GatewayResponses {
  readonly #customizations: ReadonlyMap<string, Customization>;

  constructor(deployment: Deployment) {
    const customizations = new Map<string, Customization>();
    for (const resource of deployment.ofType('AWS::ApiGateway::GatewayResponse')) {
      const properties = deployment.properties(resource, gatewayResponseSchema);
      refuseUnknownVariables(resource.logicalId, properties);
      customizations.set(properties.ResponseType, properties);
    }
    this.#customizations = customizations;
  }

  /** A type without its own template uses its family's default. */
  render(response: GatewayResponse, context: GatewayResponseContext): RenderedResponse {
    const { status, message } = answers[response];
    const family = status < 500 ? 'DEFAULT_4XX' : 'DEFAULT_5XX';
    const customization = this.#customizations.get(response) ?? this.#customizations.get(family);
    const error: ErrorContext = { message, responseType: response };
    const templates = customization?.ResponseTemplates ?? defaultTemplates;
    const [contentType, template] = templateOf(templates);
    const headers: Record<string, string> = {
      'Content-Type': contentType,
      'x-amzn-RequestId': context.requestId,
    };
    for (const [target, source] of Object.entries(customization?.ResponseParameters ?? {})) {
      const value = parameterValue(source, context, error);
      if (value !== undefined) headers[target.replace('gatewayresponse.header.', '')] = value;
    }
    return {
      status: customization?.StatusCode ?? status,
      headers,
      body: template.replace(variablePattern, (variable) => templateValue(variable, context, error) ?? ''),
    };
  }
}

interface ErrorContext {
  readonly message: string;
  readonly responseType: string;
}

function templateOf(templates: Record<string, string>): [string, string] {
  const json = templates['application/json'];
  return json === undefined
    ? (Object.entries(templates)[0] ?? ['application/json', ''])
    : ['application/json', json];
}

const variablePattern = /\$(?:context|method|stageVariables)\.[A-Za-z0-9_.-]*[A-Za-z0-9_]/g;

const contextVariables: Record<string, (context: GatewayResponseContext, error: ErrorContext) => string> = {
  requestId: ({ requestId }) => requestId,
  extendedRequestId: ({ requestId }) => requestId,
  stage: ({ stage }) => stage,
  httpMethod: ({ httpMethod }) => httpMethod,
  path: ({ path }) => path,
  resourcePath: ({ resourcePath }) => resourcePath,
  requestTime: (context) => context.requestTime,
  'identity.sourceIp': ({ sourceIp }) => sourceIp,
  'error.message': (_, { message }) => message,
  'error.messageString': (_, { message }) => JSON.stringify(message),
  'error.responseType': (_, { responseType }) => responseType,
};

function templateValue(
  variable: string,
  context: GatewayResponseContext,
  error: ErrorContext,
): string | undefined {
  const header = /^\$method\.request\.header\.(.+)$/.exec(variable)?.[1];
  if (header !== undefined) return context.header(header.toLowerCase());
  return contextVariables[variable.replace('$context.', '')]?.(context, error);
}

/** A parameter is a literal in single quotes or names a variable without the dollar sign. */
export function parameterValue(
  source: string,
  context: GatewayResponseContext,
  error: ErrorContext = { message: '', responseType: '' },
): string | undefined {
  const literal = /^'(.*)'$/.exec(source)?.[1];
  return literal ?? templateValue(`$${source}`, context, error);
}

function refuseUnknownVariables(logicalId: string, properties: Customization): void {
  const inTemplates = Object.values(properties.ResponseTemplates ?? {}).flatMap(
    (template) => template.match(variablePattern) ?? [],
  );
  const inParameters = Object.entries(properties.ResponseParameters ?? {}).flatMap(([target, source]) => {
    if (!target.startsWith('gatewayresponse.header.')) {
      throw new LocalStackError(`${logicalId} sets ${target}; only headers are supported locally`);
    }
    return /^'.*'$/.test(source) ? [] : [`$${source}`];
  });
  for (const variable of [...inTemplates, ...inParameters]) {
    const isKnown =
      variable.startsWith('$method.request.header.') ||
      Object.hasOwn(contextVariables, variable.replace('$context.', ''));
    if (!isKnown) {
      throw new LocalStackError(
        `${logicalId} uses ${variable}, which the local stack does not know; ` +
          'add it to infra/local/gateway/gateway-responses.ts',
      );
    }
  }
}
