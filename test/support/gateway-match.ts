import { type GatewayMethod, gatewayMethods } from '../../infra/routes.ts';

/** Where the gateway sends a request. */
export interface GatewayMatch {
  /** What responds: a function, or the gateway itself with 405. */
  readonly answer: GatewayMethod['answer'];
  /** Resource path, such as `/v1/task/{task_id}` or `/admin/{proxy+}`. */
  readonly resource: string;
  readonly pathParameters: Record<string, string>;
}

/** A name in a path is more specific than a parameter, which is more specific than a subtree. */
const generality = ({ path }: GatewayMethod): number =>
  (path.match(/\{/g)?.length ?? 0) + (path.endsWith('+}') ? 100 : 0);

const patterns = [...gatewayMethods]
  .sort((one, other) => generality(one) - generality(other))
  .map((entry) => ({
    ...entry,
    pattern: new RegExp(
      `^${entry.path.replaceAll(/\{(\w+)\+\}/g, '(?<$1>.+)').replaceAll(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`,
    ),
  }));

/** Finds the gateway's method for a request as API Gateway does; null without such a resource. */
export function matchGateway(method: string, path: string): GatewayMatch | null {
  const [closest] = patterns.filter(({ pattern }) => pattern.test(path));
  const onPath = patterns.filter((entry) => entry.path === closest?.path);
  const found =
    onPath.find((entry) => entry.method === method) ?? onPath.find((entry) => entry.method === 'ANY');
  if (found === undefined) return null;
  const values = Object.entries(found.pattern.exec(path)?.groups ?? {});
  return {
    answer: found.answer,
    resource: found.path,
    pathParameters: Object.fromEntries(values.map(([name, value]) => [name, decodeURIComponent(value)])),
  };
}

/** The gateway's response to a method that a path does not have. */
export function refusal(allowedMethods: readonly string[], requestId: string) {
  return {
    status: 405,
    headers: {
      'Content-Type': 'application/json',
      Allow: allowedMethods.join(', '),
      'Cache-Control': 'no-store',
      'X-Request-Id': requestId,
      'X-Error-Code': 'method_not_allowed',
    },
    body: '{"detail":"Method not allowed"}',
  };
}
