import { adminOperations } from '#shared/openapi/admin-operations.ts';
import { openApiDocument } from '#shared/openapi/document.ts';
import { integrationOperations } from '#shared/openapi/integration-operations.ts';
import { openOperations } from '#shared/openapi/open-operations.ts';
import type { Operation } from '#shared/openapi/operation.ts';
import { v1Operations } from '#shared/openapi/v1-operations.ts';
import type { OpenApiDocument } from '#shared/openapi/with-server.ts';
import type { Route } from './route.ts';
import { routes } from './routes.ts';

type Described = Extract<Route['authentication'], 'api-key' | 'oidc' | 'none'>;
type DescribedRoute = Extract<(typeof routes)[number], { readonly authentication: Described }>;
/** `GET /v1/patient` and its like. A union of routes is taken apart, so that each keeps its own method. */
type NameOf<One> = One extends {
  readonly method: infer Method extends string;
  readonly path: infer Path extends string;
}
  ? `${Method} ${Path}`
  : never;

/** Every route that clients and people call; the carrier's callbacks and the sandbox phone follow the carrier's document. */
const operations: Readonly<Record<NameOf<DescribedRoute>, Operation>> = {
  ...v1Operations,
  ...adminOperations,
  ...integrationOperations,
  ...openOperations,
};

/** The document of the whole interface. */
export function serviceDocument(): OpenApiDocument {
  const table: readonly Route[] = routes;
  return openApiDocument(table.filter(isDescribed), operations);
}

function isDescribed(route: Route): route is Route & { readonly authentication: Described } {
  switch (route.authentication) {
    case 'api-key':
    case 'oidc':
    case 'none':
      return true;
    case 'session':
    case 'carrier-signature':
    case 'basic':
      return false;
    default:
      return route.authentication satisfies never;
  }
}
