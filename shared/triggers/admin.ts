import { ServiceError } from '#shared/domain/errors.ts';
import type { AdminCaller, Person } from '#shared/domain/person.ts';
import { annotateLog } from '#shared/observability/log.ts';
import type { BodyOf, Operation, Operations } from '#shared/operations/operation.ts';
import { type Answer, type HttpHandler, type RawRequest, rawEndpoint, responseOf } from './http.ts';
import { originOf } from './request-origin.ts';

/** An operation of the management API for a signed-in person. */
export type AdminHandler<Body> = (caller: AdminCaller, request: RawRequest) => Promise<Answer<Body>>;

/** One handler per operation of a group, typed by the operation's response. */
export type AdminHandlers<Group extends Operations> = {
  readonly [Name in keyof Group]: AdminHandler<BodyOf<Group[Name]>>;
};

export interface AdminApi {
  readonly operations: Operations;
  /** By operation name. */
  readonly handlers: Readonly<Record<string, AdminHandler<unknown>>>;
  /** The authorizer, which runs before the rest of the request is read. Throws `unauthenticated`. */
  readonly authenticate: (request: RawRequest) => Promise<Person>;
}

/**
 * A Lambda handler for `/admin/{proxy+}`: finds the operation by path and method, authenticates, and responds. Throws
 * when an operation has no handler.
 */
export function adminApi({ operations, handlers, authenticate }: AdminApi): HttpHandler {
  const resources = resourcesOf(operations, handlers);
  return rawEndpoint(async (request) => {
    const found = findResource(resources, `/admin/${request.pathParameters.proxy ?? ''}`);
    if (found === null) throw new ServiceError('not_found', 'Not found');
    const { methods, path: resource } = found.resource;
    annotateLog({ resource });
    const person = await authenticate(request);
    const method = methods.get(request.method);
    if (method === undefined) throw methodNotAllowed([...methods.keys()]);
    const caller = { person, ...originOf(request) };
    const { pathParameters } = found;
    return responseOf(
      method.operation,
      await method.handle(caller, { ...request, resource, pathParameters }),
    );
  });
}

interface Resource {
  readonly path: string;
  readonly pattern: RegExp;
  readonly methods: Map<string, { readonly operation: Operation; readonly handle: AdminHandler<unknown> }>;
}

function resourcesOf(operations: Operations, handlers: AdminApi['handlers']): readonly Resource[] {
  const resources = new Map<string, Resource>();
  for (const [name, operation] of Object.entries(operations)) {
    const handle = handlers[name];
    if (handle === undefined) throw new Error(`no handler for ${name}`);
    const { path, method } = operation;
    const resource = resources.get(path) ?? { path, pattern: patternOf(path), methods: new Map() };
    resource.methods.set(method, { operation, handle });
    resources.set(path, resource);
  }
  return [...resources.values()];
}

/** Like API Gateway, ignores a trailing slash. */
function patternOf(path: string): RegExp {
  return new RegExp(`^${path.replaceAll(/\{(\w+)\}/g, '(?<$1>[^/]+)')}/?$`);
}

function findResource(
  resources: readonly Resource[],
  path: string,
): { resource: Resource; pathParameters: Record<string, string> } | null {
  for (const resource of resources) {
    const match = resource.pattern.exec(path);
    if (match !== null) return { resource, pathParameters: { ...match.groups } };
  }
  return null;
}

function methodNotAllowed(methods: readonly string[]): ServiceError {
  return new ServiceError('method_not_allowed', 'Method not allowed', {
    headers: { Allow: methods.join(', ') },
  });
}
