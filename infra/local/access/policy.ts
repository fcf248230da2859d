import * as z from 'zod/mini';

/** One action of a request, as IAM sees it. */
export interface Access {
  /** Such as `dynamodb:PutItem`. */
  readonly action: string;
  /** ARN */
  readonly resource: string;
  /** Condition keys of the request, with their values. */
  readonly context: Readonly<Record<string, readonly string[]>>;
}

const oneOrMore = z.pipe(
  z.union([z.array(z.string()), z.string()]),
  z.transform((value) => (typeof value === 'string' ? [value] : value)),
);

/** The operators and elements of IAM that are evaluated here; a policy with any other is refused. */
const Conditions = z.partialRecord(
  z.enum(['StringEquals', 'StringLike', 'ForAllValues:StringLike', 'Null']),
  z.record(z.string(), oneOrMore),
);

export const PolicyDocument = z.object({
  Statement: z.array(
    z.strictObject({
      Sid: z.optional(z.string()),
      Effect: z.enum(['Allow', 'Deny']),
      Action: oneOrMore,
      Resource: oneOrMore,
      Condition: z._default(Conditions, {}),
    }),
  ),
});
export type Statement = z.infer<typeof PolicyDocument>['Statement'][number];

/**
 * Whether the policies of an identity allow it: one statement must, and none may deny it
 * (docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_evaluation-logic.html).
 */
export function isAllowed(statements: readonly Statement[], access: Access): boolean {
  const effects = statements.filter((statement) => applies(statement, access)).map(({ Effect }) => Effect);
  return effects.includes('Allow') && !effects.includes('Deny');
}

function applies({ Action, Resource, Condition }: Statement, { action, resource, context }: Access): boolean {
  return (
    Action.some((pattern) => isLike(pattern.toLowerCase(), action.toLowerCase())) &&
    Resource.some((pattern) => isLike(pattern, resource)) &&
    Object.entries(Condition).every(([operator, keys]) =>
      Object.entries(keys ?? {}).every(([key, wanted]) => holds(operator, wanted, context[key])),
    )
  );
}

/**
 * @param values undefined when the request does not have the key
 * @see docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_elements_condition_operators.html
 */
function holds(operator: string, wanted: readonly string[], values: readonly string[] | undefined): boolean {
  const isWanted = (value: string): boolean => wanted.some((pattern) => isLike(pattern, value));
  switch (operator) {
    case 'Null':
      return wanted.includes(String(values === undefined));
    case 'ForAllValues:StringLike':
      return (values ?? []).every(isWanted);
    case 'StringLike':
      return values?.some(isWanted) ?? false;
    default:
      return values?.some((value) => wanted.includes(value)) ?? false;
  }
}

/** The patterns of all policies, which are few and evaluated with each request. */
const expressions = new Map<string, RegExp>();

/** `*` stands for any characters, `?` for one. */
function isLike(pattern: string, text: string): boolean {
  let expression = expressions.get(pattern);
  if (expression === undefined) {
    const escaped = pattern.replaceAll(/[\\^$.+()[\]{}|]/g, '\\$&');
    expression = new RegExp(`^${escaped.replaceAll('*', '.*').replaceAll('?', '.')}$`, 's');
    expressions.set(pattern, expression);
  }
  return expression.test(text);
}
