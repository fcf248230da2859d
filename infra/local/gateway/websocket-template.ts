import * as z from 'zod/mini';
import type { InvocableFunction } from '../functions/function-pool.ts';
import { LocalStackError } from '../local-stack-error.ts';
import type { Deployment } from '../template/deployment.ts';
import { gatewayId } from '../template/physical-names.ts';
import { functionOfUri, integrationLimitMs } from './integration.ts';

const apiSchema = z.object({
  ProtocolType: z.literal('WEBSOCKET', 'HTTP APIs are not supported locally'),
  RouteSelectionExpression: z.string(),
});
const integrationSchema = z.object({
  IntegrationType: z.literal('AWS_PROXY', 'only Lambda proxy integrations are supported locally'),
  IntegrationUri: z.string(),
  TimeoutInMillis: z.optional(z.number()),
});
const routeSchema = z.object({
  RouteKey: z.string(),
  Target: z.string(),
  AuthorizationType: z._default(z.literal('NONE', 'authorizers are not supported locally'), 'NONE'),
  RouteResponseSelectionExpression: z.optional(
    z.undefined('route responses are not supported locally; use the management endpoint'),
  ),
});
const stageSchema = z.object({ StageName: z.string() });

export interface WebSocketRoute {
  readonly function: InvocableFunction;
  readonly limitMs: number;
}

/** What the template says of its WebSocket API. */
export interface WebSocketTemplate {
  readonly apiId: string;
  readonly stage: string;
  /** The member of a message that names its route, as a path with dots. */
  readonly selection: string;
  readonly routes: ReadonlyMap<string, WebSocketRoute>;
}

/** Throws `LocalStackError` for a template that the local stack cannot serve. */
export function readWebSocketTemplate(
  deployment: Deployment,
  functions: readonly InvocableFunction[],
): WebSocketTemplate {
  const [api, ...more] = deployment.ofType('AWS::ApiGatewayV2::Api');
  const [stage, ...otherStages] = deployment.ofType('AWS::ApiGatewayV2::Stage');
  if (api === undefined || stage === undefined) {
    throw new LocalStackError('The template has WebSocket routes, but no API or no stage of it');
  }
  if (more.length > 0 || otherStages.length > 0) {
    throw new LocalStackError(
      'The local stack serves one WebSocket API with one stage; the template has more',
    );
  }
  return {
    apiId: gatewayId(api.logicalId),
    stage: deployment.properties(stage, stageSchema).StageName,
    selection: selectionPath(deployment.properties(api, apiSchema).RouteSelectionExpression, api.logicalId),
    routes: routesOf(deployment, functions),
  };
}

function routesOf(
  deployment: Deployment,
  functions: readonly InvocableFunction[],
): Map<string, WebSocketRoute> {
  const integrations = new Map(
    deployment.ofType('AWS::ApiGatewayV2::Integration').map((resource) => {
      const { IntegrationUri: uri, TimeoutInMillis: limitMs = integrationLimitMs } = deployment.properties(
        resource,
        integrationSchema,
      );
      const target = { function: functionOfUri(uri, functions, resource.logicalId), limitMs };
      return [`integrations/${gatewayId(resource.logicalId)}`, target];
    }),
  );
  const routes = new Map<string, WebSocketRoute>();
  for (const resource of deployment.ofType('AWS::ApiGatewayV2::Route')) {
    const { RouteKey: key, Target: target } = deployment.properties(resource, routeSchema);
    const integration = integrations.get(target);
    if (integration === undefined) {
      throw new LocalStackError(`${resource.logicalId} leads to ${target}, which is not an integration`);
    }
    routes.set(key, integration);
  }
  return routes;
}

function selectionPath(expression: string, logicalId: string): string {
  const path = /^\$request\.body\.([\w.]+)$/.exec(expression)?.[1];
  if (path === undefined) {
    throw new LocalStackError(
      `${logicalId} selects routes by ${expression}; only $request.body.… is supported locally`,
    );
  }
  return path;
}
