import { Stack, Validations } from 'aws-cdk-lib/core';
import type { IConstruct } from 'constructs';
import * as z from 'zod/mini';

/** A rule of cdk-nag by its id, and the sentence that says why it does not apply or what protects instead. */
export type Reasons = Readonly<Record<string, string>>;

/** Sets rules aside for a construct and what is below it. The tests refuse those that set nothing aside. */
export function acknowledge(construct: IConstruct, reasons: Reasons): void {
  for (const [id, reason] of Object.entries(reasons)) Validations.of(construct).acknowledge({ id, reason });
}

/** Says why a role may do something on every resource that the pattern fits. */
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

/** A value of the template as cdk-nag writes it in the id of a finding: `<ServiceTable.Arn>/index/*`. */
function flattened(value: unknown): string {
  const reference = Reference.parse(value);
  if (typeof reference === 'string') return reference;
  if ('Ref' in reference) return `<${reference.Ref}>`;
  if ('Fn::GetAtt' in reference) return `<${reference['Fn::GetAtt'].join('.')}>`;
  const [separator, parts] = reference['Fn::Join'];
  return parts.map(flattened).join(separator);
}
