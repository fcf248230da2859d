import type { PacedIdle } from './gateway/paced-idle.ts';
import type { Template } from './template/template.ts';

/** What the stack itself knows about this machine, for those parameters that the template has. */
export function ownParameters(
  template: Template,
  { baseUrl, relayUrl, idle }: { baseUrl: string; relayUrl: string; idle: PacedIdle },
): Record<string, string> {
  // Receivers of webhooks run next to the stack.
  const values = {
    PublicBaseUrl: baseUrl,
    PublicRelayUrl: relayUrl,
    WebhookLoopback: 'allowed',
    RelayKeepAliveSeconds: idle.keepAliveSeconds,
  };
  return Object.fromEntries(
    Object.entries(values).filter(([name]) => Object.hasOwn(template.Parameters ?? {}, name)),
  );
}

/** The path of the WebSocket API: that of its stage. */
export function webSocketPathOf(template: Template): string {
  const stage = Object.values(template.Resources).find(
    ({ Type: type }) => type === 'AWS::ApiGatewayV2::Stage',
  );
  const name = stage?.Properties?.StageName;
  return typeof name === 'string' ? `/${name}` : '';
}
