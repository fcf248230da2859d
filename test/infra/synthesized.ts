import { readFile } from 'node:fs/promises';
import * as z from 'zod/mini';
import { builtAssembly } from '../../infra/assembly.ts';
import type { StageName } from '../../infra/constructs/stage.ts';

const Resource = z.object({
  Type: z.string(),
  Properties: z._default(z.record(z.string(), z.unknown()), {}),
  Condition: z.optional(z.string()),
  DependsOn: z.optional(z.array(z.string())),
  DeletionPolicy: z.optional(z.string()),
  UpdateReplacePolicy: z.optional(z.string()),
});
export type Resource = z.infer<typeof Resource>;

const Template = z.object({
  Resources: z.record(z.string(), Resource),
  Parameters: z.record(
    z.string(),
    z.object({ Default: z.optional(z.unknown()), AllowedPattern: z.optional(z.string()) }),
  ),
  Rules: z.optional(
    z.record(z.string(), z.object({ RuleCondition: z.optional(z.unknown()), Assertions: z.unknown() })),
  ),
  Outputs: z.record(z.string(), z.object({ Value: z.unknown() })),
});
export type Template = z.infer<typeof Template>;

/** The template as it would be deployed, made from the real bundles, by default with the sandbox phone. */
export async function synthesized(stage: StageName, sandboxPhone: 'on' | 'off' = 'on'): Promise<Template> {
  const { templatePath } = await builtAssembly(stage, sandboxPhone);
  return readTemplate(templatePath);
}

export async function readTemplate(path: string): Promise<Template> {
  return Template.parse(JSON.parse(await readFile(path, 'utf8')));
}

export function resourcesOfType(template: Template, type: string): [string, Resource][] {
  return Object.entries(template.Resources).filter(([, resource]) => resource.Type === type);
}

/** The only resource of that type with this readable name. */
export function resourceNamed(template: Template, type: string, name: string): Resource {
  const found = resourcesOfType(template, type).filter(([id]) => readableName(id) === name);
  const [first] = found;
  if (first === undefined || found.length > 1) {
    const names = resourcesOfType(template, type).map(([id]) => readableName(id));
    throw new Error(`${found.length} resources ${type} named ${name}; there are ${names.join(', ')}`);
  }
  return first[1];
}

/** A logical ID without the eight characters that the CDK appends. */
export function readableName(logicalId: string): string {
  return logicalId.replace(/[0-9A-F]{8}$/, '');
}

const Intrinsic = z.union([
  z.strictObject({ Ref: z.string() }),
  z.strictObject({ 'Fn::GetAtt': z.tuple([z.string(), z.string()]) }),
  z.strictObject({ 'Fn::Join': z.tuple([z.string(), z.array(z.unknown())]) }),
  z.strictObject({ 'Fn::Sub': z.string() }),
  z.strictObject({ 'Fn::If': z.tuple([z.string(), z.unknown(), z.unknown()]) }),
  z.strictObject({ 'Fn::Select': z.tuple([z.number(), z.unknown()]) }),
  z.strictObject({ 'Fn::Split': z.tuple([z.string(), z.unknown()]) }),
]);

/** A value with its intrinsic functions written out with readable names: `{ServiceTable}/index/*`. */
export function written(value: unknown): string {
  if (typeof value === 'string' || typeof value === 'number') {
    return String(value);
  }
  const intrinsic = Intrinsic.parse(value);
  if ('Ref' in intrinsic) {
    return intrinsic.Ref.startsWith('AWS::') ? `{${intrinsic.Ref}}` : `{${readableName(intrinsic.Ref)}}`;
  }
  if ('Fn::GetAtt' in intrinsic) {
    const [id, attribute] = intrinsic['Fn::GetAtt'];
    return attribute === 'Arn' ? `{${readableName(id)}}` : `{${readableName(id)}.${attribute}}`;
  }
  if ('Fn::Join' in intrinsic) {
    const [separator, parts] = intrinsic['Fn::Join'];
    return parts.map(written).join(separator);
  }
  if ('Fn::Sub' in intrinsic) {
    return intrinsic['Fn::Sub'];
  }
  if ('Fn::Select' in intrinsic) {
    const [index, list] = intrinsic['Fn::Select'];
    return `${written(list)}[${index}]`;
  }
  if ('Fn::Split' in intrinsic) {
    const [separator, whole] = intrinsic['Fn::Split'];
    return `{${written(whole)} split at "${separator}"}`;
  }
  const [condition, then, otherwise] = intrinsic['Fn::If'];
  return `{${condition} ? ${written(then)} : ${written(otherwise)}}`;
}

const oneOrMore = z.pipe(
  z.union([z.array(z.unknown()), z.unknown()]),
  z.transform((value): unknown[] => (Array.isArray(value) ? value : [value])),
);
const Statement = z.object({
  Effect: z.string(),
  Action: oneOrMore,
  Resource: z.optional(oneOrMore),
  Principal: z.optional(z.unknown()),
  Condition: z.optional(z.record(z.string(), z.record(z.string(), z.unknown()))),
});
export type Statement = z.infer<typeof Statement>;
const PolicyDocument = z.object({ Statement: z.array(Statement) });

export function statementsOf(policyDocument: unknown): Statement[] {
  return PolicyDocument.parse(policyDocument).Statement;
}

export interface RolePolicy {
  /** As `written`. */
  readonly roles: readonly string[];
  readonly statements: readonly Statement[];
  readonly condition: string | undefined;
}

const InlinePolicies = z._default(z.array(z.object({ PolicyDocument: z.unknown() })), []);

/** The permissions of roles: by inline policies, and by policies that are separate resources. */
export function policiesOf(template: Template): RolePolicy[] {
  const inline = resourcesOfType(template, 'AWS::IAM::Role').flatMap(([id, { Properties }]) =>
    InlinePolicies.parse(Properties.Policies).map((policy) => ({
      roles: [written({ Ref: id })],
      statements: statementsOf(policy.PolicyDocument),
      condition: undefined,
    })),
  );
  const attached = resourcesOfType(template, 'AWS::IAM::Policy').map(([, { Properties, Condition }]) => ({
    roles: z.array(z.unknown()).parse(Properties.Roles).map(written),
    statements: statementsOf(Properties.PolicyDocument),
    condition: Condition,
  }));
  return [...inline, ...attached];
}

/**
 * All permissions of a function's role, as sorted lines `action on resource`; conditional grants
 * say so.
 */
export function grantsOf(template: Template, functionName: string): string[] {
  const role = written(template.Resources[functionName]?.Properties.Role);
  const lines = policiesOf(template)
    .filter(({ roles }) => roles.includes(role))
    .flatMap(({ statements, condition }) =>
      statements.flatMap((statement) => grantLines(statement, condition)),
    );
  return [...new Set(lines)].sort();
}

function grantLines(statement: Statement, policyCondition: string | undefined): string[] {
  const via = statement.Condition?.StringEquals?.['kms:ViaService'];
  const profile = statement.Condition?.StringEquals?.['bedrock:InferenceProfileArn'];
  const leadingKeys = statement.Condition?.['ForAllValues:StringLike']?.['dynamodb:LeadingKeys'];
  const context = Object.entries({
    ...statement.Condition?.StringEquals,
    ...statement.Condition?.StringLike,
  }).flatMap(([key, value]) => {
    const name = /^(?:kms:EncryptionContext:|aws:(?:Request|Resource)Tag\/|ses:|s3:)(.*)$/.exec(key)?.[1];
    return name === undefined ? [] : [` with ${name} ${written(value)}`];
  });
  const suffix = [
    leadingKeys === undefined ? '' : ` of ${z.array(z.string()).parse(leadingKeys).join(' and ')}`,
    via === undefined ? '' : ` via ${written(via).split('.')[0]}`,
    profile === undefined ? '' : ` through ${written(profile)}`,
    ...context,
    policyCondition === undefined ? '' : ` if ${policyCondition}`,
  ].join('');
  return (statement.Resource ?? []).flatMap((resource) =>
    statement.Action.map(
      (action) =>
        `${statement.Effect === 'Deny' ? 'not ' : ''}${written(action)} on ${written(resource)}${suffix}`,
    ),
  );
}

/** A function's environment, with intrinsic functions written out. */
export function environmentOf(template: Template, functionName: string): Record<string, string> {
  const { Environment } = template.Resources[functionName]?.Properties ?? {};
  const { Variables } = z.object({ Variables: z.record(z.string(), z.unknown()) }).parse(Environment);
  return Object.fromEntries(Object.entries(Variables).map(([name, value]) => [name, written(value)]));
}
