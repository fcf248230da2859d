import type { Operations, Route } from '#shared/operations/operation.ts';
import type { RestTrigger } from '#shared/triggers/manifest.ts';
import { manifests } from './manifests.ts';

/** An endpoint and the function that answers it. */
export interface ServedRoute extends Route {
  readonly function: string;
}

const restFunctions = manifests.flatMap(({ name, trigger }) =>
  trigger.kind === 'rest' ? [{ name, trigger }] : [],
);

/** Every operation of the OpenAPI document, by its name there. */
export const operations: Operations = Object.assign(
  {},
  ...restFunctions.map(({ trigger }) => trigger.operations ?? {}),
);

/** Every endpoint of the REST API, of all functions. */
export const routes: readonly ServedRoute[] = restFunctions.flatMap(({ name, trigger }) =>
  routesOf(trigger).map((route) => ({ ...route, function: name })),
);

function routesOf({ operations: described = {}, routes: others = [] }: RestTrigger): readonly Route[] {
  return [...Object.values(described), ...others];
}

type ListedMethod = Route['method'] | 'HEAD';

/** What clients can GET they can also ask for the headers of (RFC 9110 §9.3.2). */
function methodsOf(trigger: RestTrigger): readonly { path: string; method: ListedMethod }[] {
  const described = Object.values(trigger.operations ?? {}).filter(({ method }) => method === 'GET');
  return [
    ...routesOf(trigger).map(({ path, method }) => ({ path, method })),
    ...described.map(({ path }) => ({ path, method: 'HEAD' as const })),
  ];
}

/**
 * One method of a resource of the gateway: who answers it or, for `ANY` of a path whose methods are listed,
 * that 405 does.
 */
export interface GatewayMethod {
  readonly path: string;
  readonly method: Route['method'] | 'HEAD' | 'ANY';
  readonly answer: { readonly function: string } | { readonly allowedMethods: readonly string[] };
}

/**
 * All that the gateway knows: each listed method, 405 for the other methods of its path, and whole resources
 * of functions.
 */
export const gatewayMethods: readonly GatewayMethod[] = [
  ...restFunctions.flatMap(({ name, trigger }): GatewayMethod[] =>
    trigger.resources === undefined
      ? methodsOf(trigger).map(({ path, method }) => ({ path, method, answer: { function: name } }))
      : trigger.resources.map((path) => ({ path, method: 'ANY', answer: { function: name } })),
  ),
  ...Object.entries(listedMethods()).map(
    ([path, allowedMethods]): GatewayMethod => ({ path, method: 'ANY', answer: { allowedMethods } }),
  ),
];

/** Resource path → the methods that it has, of the paths where the gateway itself refuses all others. */
export function listedMethods(): Record<string, ListedMethod[]> {
  const methods: Record<string, ListedMethod[]> = {};
  for (const { trigger } of restFunctions) {
    if (trigger.resources !== undefined) continue;
    for (const { path, method } of methodsOf(trigger)) methods[path] = [...(methods[path] ?? []), method];
  }
  return methods;
}
