import * as z from 'zod/mini';
import { LocalStackError } from '../local-stack-error.ts';
import { createResolver, type Resolver } from './intrinsics.ts';
import { localAccountId, localRegion } from './physical-names.ts';
import {
  type NamedResource,
  type ResourceType,
  type RunningServers,
  resourceTypes,
} from './resource-types.ts';
import { parameterValues, type Template } from './template.ts';

/** A template with its parameters, all of whose types are known; references resolve once the servers run. */
export interface Deployment {
  readonly stackName: string;
  /** The resources of a type whose condition holds. */
  ofType(type: string): NamedResource[];
  /** All properties of a resource, resolved and parsed. */
  properties<T>(resource: NamedResource, schema: z.core.$ZodType<T>): T;
  /** An attribute of a resource, as `Fn::GetAtt` gives it. Throws when it has none of that name. */
  attribute(resource: NamedResource, attribute: string): string;
  /** What the template says of a resource that is no property of it, unresolved. */
  metadata(resource: NamedResource): Readonly<Record<string, unknown>>;
  /** The values of the template's outputs. */
  outputs(): Record<string, string>;
}

/**
 * Checks that everything in the template is known here, and makes it resolvable. Reports everything unknown at once.
 */
export function createDeployment(options: {
  stackName: string;
  template: Template;
  parameters: Readonly<Record<string, string>>;
  servers: RunningServers;
}): Deployment {
  const { stackName, template, servers } = options;
  refuseUnknownTypes(template);

  const resourceOf = (logicalId: string): NamedResource => ({
    logicalId,
    stackName,
    property: (name) => {
      const value = template.Resources[logicalId]?.Properties?.[name];
      if (value === undefined) return undefined;
      const resolved = resolver.resolve(value, `${logicalId}.${name}`);
      return resolved === undefined ? undefined : String(resolved);
    },
  });
  const typeOf = (logicalId: string): ResourceType | undefined =>
    resourceTypes[template.Resources[logicalId]?.Type ?? ''];
  const resolver: Resolver = createResolver({
    template,
    parameters: parameterValues(template, options.parameters),
    pseudoParameters: {
      'AWS::AccountId': localAccountId,
      'AWS::Region': localRegion,
      'AWS::Partition': 'aws',
      'AWS::URLSuffix': 'amazonaws.com',
      'AWS::StackName': stackName,
      'AWS::StackId': `arn:aws:cloudformation:${localRegion}:${localAccountId}:stack/${stackName}/local`,
    },
    resources: {
      ref: (logicalId) => typeOf(logicalId)?.ref(resourceOf(logicalId), servers),
      attribute: (logicalId, attribute) => {
        const attributes = typeOf(logicalId)?.attributes ?? {};
        return Object.hasOwn(attributes, attribute)
          ? attributes[attribute]?.(resourceOf(logicalId), servers)
          : undefined;
      },
    },
  });

  const exists = (condition: string | undefined): boolean =>
    condition === undefined || resolver.holds(condition);

  return {
    stackName,
    ofType: (type) =>
      Object.entries(template.Resources)
        .filter(([, resource]) => resource.Type === type && exists(resource.Condition))
        .map(([logicalId]) => resourceOf(logicalId)),
    properties: (resource, schema) => {
      const { logicalId } = resource;
      const { Type: type, Properties: raw = {} } = template.Resources[logicalId] ?? {};
      const parsed = z.safeParse(schema, resolver.resolve(raw, logicalId));
      if (!parsed.success) {
        const problems = parsed.error.issues.map(
          ({ path, message }) => `${path.join('.') || 'properties'}: ${message}`,
        );
        throw new LocalStackError(
          `${logicalId} (${type}) has properties that the local stack cannot run: ${problems.join('; ')}`,
        );
      }
      return parsed.data;
    },
    attribute: ({ logicalId }, attribute) =>
      String(resolver.resolve({ 'Fn::GetAtt': [logicalId, attribute] }, logicalId)),
    metadata: ({ logicalId }) => template.Resources[logicalId]?.Metadata ?? {},
    outputs: () =>
      Object.fromEntries(
        Object.entries(template.Outputs ?? {})
          .filter(([, { Condition: condition }]) =>
            exists(typeof condition === 'string' ? condition : undefined),
          )
          .map(([name, { Value: value }]) => [name, String(resolver.resolve(value, `Outputs.${name}`))]),
      ),
  };
}

function refuseUnknownTypes(template: Template): void {
  const unknown = Object.entries(template.Resources)
    .filter(([, { Type: type }]) => !Object.hasOwn(resourceTypes, type))
    .map(([logicalId, { Type: type }]) => `${logicalId} (${type})`);
  if (unknown.length > 0) {
    throw new LocalStackError(
      `The local stack does not know the type of ${unknown.join(', ')}. Teach it in ` +
        'infra/local/template/resource-types.ts: either what runs it here, or why it has no local effect.',
    );
  }
}
