import { Stack, Validations } from 'aws-cdk-lib/core';
import type { IConstruct } from 'constructs';
import * as z from 'zod/mini';

/** A cdk-nag rule by its ID, and why it does not apply or what protects instead. */
export type Reasons = Readonly<Record<string, string>>;

/** Suppresses rules for a construct and its children. The tests refuse a suppression without effect. */
export function acknowledge(construct: IConstruct, reasons: Reasons): void {
  for (const [id, reason] of Object.entries(reasons)) Validations.of(construct).acknowledge({ id, reason });
}

/** States why a role may act on every resource that the pattern matches. */
export function acknowledgeWildcard(role: IConstruct, resource: string, reason: string): void {
  const pattern = flattened(Stack.of(role).resolve(resource));
  acknowledge(role, { [`AwsSolutions-IAM5[Resource::${pattern}]`]: reason });
}

const Reference = z.union([
  z.string(),
  z.strictObject({ Ref: z.string() }),
  z.strictObject({ 'Fn::GetAtt': z.tuple([z.string(), z.string()]) }),
  z.strictObject({ 'Fn::Join': z.tuple([z.string(), z.array(z.unknown())]) }),
]);

/** A template value as cdk-nag writes it in a finding's ID: `<ServiceTable.Arn>/index/*`. */
function flattened(value: unknown): string {
  const reference = Reference.parse(value);
  if (typeof reference === 'string') return reference;
  if ('Ref' in reference) return `<${reference.Ref}>`;
  if ('Fn::GetAtt' in reference) return `<${reference['Fn::GetAtt'].join('.')}>`;
  const [separator, parts] = reference['Fn::Join'];
  return parts.map(flattened).join(separator);
}
