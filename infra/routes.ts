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

/** Every operation by its `operationId`. */
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

/** Every GET also answers HEAD (RFC 9110 §9.3.2). */
function methodsOf(trigger: RestTrigger): readonly { path: string; method: ListedMethod }[] {
  const described = Object.values(trigger.operations ?? {}).filter(({ method }) => method === 'GET');
  return [
    ...routesOf(trigger).map(({ path, method }) => ({ path, method })),
    ...described.map(({ path }) => ({ path, method: 'HEAD' as const })),
  ];
}

/**
 * A method of a gateway resource and its function; without one, as for `ANY` beside listed methods, the answer is 405.
 */
export interface GatewayMethod {
  readonly path: string;
  readonly method: Route['method'] | 'HEAD' | 'ANY';
  readonly answer: { readonly function: string } | { readonly allowedMethods: readonly string[] };
}

/**
 * Everything the gateway routes: each listed method, 405 for the other methods of its path, and whole resources of
 * functions.
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

/** Resource path → its methods, for the paths where the gateway itself refuses all others. */
export function listedMethods(): Record<string, ListedMethod[]> {
  const methods: Record<string, ListedMethod[]> = {};
  for (const { trigger } of restFunctions) {
    if (trigger.resources !== undefined) continue;
    for (const { path, method } of methodsOf(trigger)) methods[path] = [...(methods[path] ?? []), method];
  }
  return methods;
}
