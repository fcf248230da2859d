/** A resource of a REST API: one part of a path, below its parent. */
export interface PathNode<Target> {
  readonly id: string;
  readonly parentId: string;
  readonly part: string;
  readonly methods: ReadonlyMap<string, Target>;
}

export interface RouteMatch<Target> {
  readonly target: Target;
  /** The pattern, such as `/v1/task/{task_id}`. */
  readonly resourcePath: string;
  readonly resourceId: string;
  /** Values of the pattern's parameters, URL-decoded; `null` when it has none. */
  readonly pathParameters: Record<string, string> | null;
}

interface Found<Target> {
  readonly node: PathNode<Target>;
  readonly resourcePath: string;
  readonly parameters: Record<string, string>;
}

/**
 * Finds routes like API Gateway: a literal segment takes precedence over `{parameter}`, which takes precedence over
 * `{greedy+}`; `ANY` covers methods without their own route. The path is still URL-encoded, so that an encoded slash
 * belongs to its segment.
 */
export class Router<Target> {
  readonly #children = new Map<string, PathNode<Target>[]>();
  readonly #root: PathNode<Target>;

  constructor(rootId: string, nodes: readonly PathNode<Target>[], rootMethods: ReadonlyMap<string, Target>) {
    this.#root = { id: rootId, parentId: '', part: '', methods: rootMethods };
    for (const node of nodes) {
      this.#children.set(node.parentId, [...(this.#children.get(node.parentId) ?? []), node]);
    }
    for (const siblings of this.#children.values()) {
      siblings.sort((a, b) => precedence(a.part) - precedence(b.part));
    }
  }

  /** `null` when there is no such route; throws a `URIError` when the path is not properly encoded. */
  match(method: string, path: string): RouteMatch<Target> | null {
    const parts = path
      .split('/')
      .filter((part, index, all) => part !== '' || (index > 0 && index < all.length - 1));
    const found = this.#find(this.#root, parts.map(decodeURIComponent), '', {});
    const target = found?.node.methods.get(method) ?? found?.node.methods.get('ANY');
    if (found === null || target === undefined) return null;
    return {
      target,
      resourcePath: found.resourcePath === '' ? '/' : found.resourcePath,
      resourceId: found.node.id,
      pathParameters: Object.keys(found.parameters).length === 0 ? null : found.parameters,
    };
  }

  #find(
    node: PathNode<Target>,
    parts: readonly string[],
    resourcePath: string,
    parameters: Record<string, string>,
  ): Found<Target> | null {
    const [part, ...rest] = parts;
    if (part === undefined) return { node, resourcePath, parameters };
    for (const child of this.#children.get(node.id) ?? []) {
      const childPath = `${resourcePath}/${child.part}`;
      const name = /^\{(.+?)(\+?)\}$/.exec(child.part);
      if (name === null) {
        if (child.part !== part) continue;
        const found = this.#find(child, rest, childPath, parameters);
        if (found !== null) return found;
      } else if (name[2] === '+') {
        const found = this.#find(child, [], childPath, { ...parameters, [String(name[1])]: parts.join('/') });
        if (found !== null) return found;
      } else if (part !== '') {
        const found = this.#find(child, rest, childPath, { ...parameters, [String(name[1])]: part });
        if (found !== null) return found;
      }
    }
    return null;
  }
}

function precedence(part: string): number {
  if (part.endsWith('+}')) return 2;
  return part.startsWith('{') ? 1 : 0;
}
