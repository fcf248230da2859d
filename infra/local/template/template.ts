import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import * as z from 'zod/mini';
import { LocalStackError } from '../local-stack-error.ts';

const resourceSchema = z.looseObject({
  Type: z.string(),
  Properties: z.optional(z.record(z.string(), z.unknown())),
  Condition: z.optional(z.string()),
  Metadata: z.optional(z.record(z.string(), z.unknown())),
});

const parameterSchema = z.looseObject({
  Type: z.string(),
  Default: z.optional(z.union([z.string(), z.number()])),
  AllowedPattern: z.optional(z.string()),
  MinValue: z.optional(z.coerce.number()),
  MaxValue: z.optional(z.coerce.number()),
  AllowedValues: z.optional(z.array(z.union([z.string(), z.number()]))),
});

const templateSchema = z.looseObject({
  Parameters: z.optional(z.record(z.string(), parameterSchema)),
  Mappings: z.optional(z.record(z.string(), z.record(z.string(), z.record(z.string(), z.unknown())))),
  Conditions: z.optional(z.record(z.string(), z.unknown())),
  Resources: z.record(z.string(), resourceSchema),
  Outputs: z.optional(z.record(z.string(), z.looseObject({ Value: z.unknown() }))),
});

export type Template = z.infer<typeof templateSchema>;

/** Reads a synthesized template; anything that is not one is an error that names the file. */
export async function loadTemplate(path: string): Promise<Template> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    throw new LocalStackError(`Cannot read the template ${path}: synthesize the app first`, { cause: error });
  }
  let content: unknown;
  try {
    content = JSON.parse(text);
  } catch (error) {
    throw new LocalStackError(`The template ${path} is not JSON`, { cause: error });
  }
  const parsed = templateSchema.safeParse(content);
  if (!parsed.success) {
    throw new LocalStackError(
      `${path} is not a CloudFormation template: ${z.prettifyError(parsed.error).replaceAll('\n', ' ')}`,
    );
  }
  return parsed.data;
}

/** The stack's name as `cdk` writes it into the template's file name. */
export function stackNameOf(templatePath: string): string {
  return basename(templatePath).replace(/\.template\.json$|\.json$/, '');
}

/**
 * The value of every parameter: the given one, else its default. As on deployment, a parameter without either, one
 * that the template does not have and a value that its pattern forbids are errors.
 */
export function parameterValues(
  template: Template,
  given: Readonly<Record<string, string>>,
): Record<string, string> {
  const declared = template.Parameters ?? {};
  for (const name of Object.keys(given)) {
    if (!Object.hasOwn(declared, name)) {
      throw new LocalStackError(
        `The template has no parameter ${name}; it has ${Object.keys(declared).join(', ') || 'none'}`,
      );
    }
  }
  const values: Record<string, string> = {};
  for (const [name, parameter] of Object.entries(declared)) {
    const value = given[name] ?? parameter.Default;
    if (value === undefined) {
      throw new LocalStackError(`Parameter ${name} has no default and was not given`);
    }
    const text = String(value);
    if (
      parameter.AllowedPattern !== undefined &&
      !new RegExp(`^(?:${parameter.AllowedPattern})$`).test(text)
    ) {
      throw new LocalStackError(`Parameter ${name} is "${text}" but must match ${parameter.AllowedPattern}`);
    }
    if (parameter.AllowedValues !== undefined && !parameter.AllowedValues.map(String).includes(text)) {
      throw new LocalStackError(
        `Parameter ${name} is "${text}" but must be one of ${parameter.AllowedValues.join(', ')}`,
      );
    }
    if (parameter.Type === 'Number' && !isNumberWithin(text, parameter)) {
      throw new LocalStackError(`Parameter ${name} is "${text}" but must be ${rangeOf(parameter)}`);
    }
    values[name] = text;
  }
  return values;
}

type Range = Pick<z.infer<typeof parameterSchema>, 'MinValue' | 'MaxValue'>;

function isNumberWithin(text: string, { MinValue = -Infinity, MaxValue = Infinity }: Range): boolean {
  const number = text.trim() === '' ? Number.NaN : Number(text);
  return Number.isFinite(number) && number >= MinValue && number <= MaxValue;
}

function rangeOf({ MinValue, MaxValue }: Range): string {
  const bounds = [
    ...(MinValue === undefined ? [] : [`at least ${MinValue}`]),
    ...(MaxValue === undefined ? [] : [`at most ${MaxValue}`]),
  ];
  return ['a number', ...(bounds.length === 0 ? [] : [bounds.join(' and ')])].join(', ');
}
