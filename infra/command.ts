import { type ParseArgsOptionsConfig, parseArgs } from 'node:util';
import * as z from 'zod/mini';
import { ServiceError } from '../shared/domain/errors.ts';
import { Uuid } from '../shared/domain/identifiers.ts';
import { awsRemedy } from './aws-remedy.ts';

/** A mistake that the user of a command can fix; the message is all they need. */
export class UsageError extends Error {}

interface Command<Options extends ParseArgsOptionsConfig> {
  readonly help: string;
  /** All but `--help`, which every command has. */
  readonly options?: Options;
  /** Whether it takes positional arguments. */
  readonly allowPositionals?: boolean;
}

/** The value of each option. */
export type Values<Options extends ParseArgsOptionsConfig> = ReturnType<
  typeof parseArgs<{ options: Options }>
>['values'];

/**
 * Runs a command to its end. Prints the text it returns, or exits with the code it returns. Exits with 2 and a hint at
 * the help on a usage error, and with 1 on any other error, with a remedy where AWS denied or did not get a request.
 *
 * @param script its name in package.json
 * @param failureMeans what did not happen when it failed, as the beginning of a sentence
 */
export async function runCommand<Options extends ParseArgsOptionsConfig>(
  script: string,
  failureMeans: string,
  { help, options, allowPositionals = false }: Command<Options>,
  perform: (values: Values<Options>, positionals: readonly string[]) => Promise<string | number>,
): Promise<void> {
  try {
    const { values, positionals } = parseArgs({
      options: { ...options, help: { type: 'boolean' } },
      allowPositionals,
    });
    const isAskedForHelp = 'help' in values && values.help === true;
    const result = isAskedForHelp ? help : await perform(values as Values<Options>, positionals);
    if (typeof result === 'number') process.exitCode = result;
    else console.log(result);
  } catch (error) {
    if (isUsersMistake(error)) {
      console.error(`${error.message}\n\nTry: npm run ${script} -- --help`);
      process.exitCode = 2;
      return;
    }
    const remedy = awsRemedy(error);
    console.error(`${failureMeans}: ${messageOf(error)}${remedy === null ? '' : `\n\n${remedy}`}`);
    process.exitCode = 1;
  }
}

/** Parses arguments; what `parse` refuses is a usage error. */
export function parsed<Parsed>(parse: () => Parsed): Parsed {
  try {
    return parse();
  } catch (error) {
    throw new UsageError(messageOf(error));
  }
}

/** A whole number within these bounds. @param option its name without dashes */
export function wholeNumber(option: string, text: string, least: number, most: number): number {
  const value = Number(text);
  if (text === '' || !Number.isInteger(value) || value < least || value > most) {
    throw new UsageError(`--${option} must be a number from ${least} to ${most}, not "${text}"`);
  }
  return value;
}

/** The value of a required option. */
export function given(option: string, value: string | undefined): string {
  if (value === undefined || value.trim() === '') throw new UsageError(`${option} is required`);
  return value;
}

/** A required identifier of this service. */
export function givenId(option: string, value: string | undefined): string {
  const id = Uuid.safeParse(given(option, value));
  if (!id.success) throw new UsageError(`${option} must be a UUID`);
  return id.data;
}

export function oneOf<Name extends string>(option: string, names: readonly Name[], value: string): Name {
  const found = names.find((name) => name === value);
  if (found === undefined) throw new UsageError(`${option} must be one of ${names.join(', ')}`);
  return found;
}

/** A comma-separated list without duplicates. */
export function listOf<Name extends string>(option: string, names: readonly Name[], value: string): Name[] {
  return [...new Set(value.split(',').map((name) => oneOf(option, names, name.trim())))];
}

/**
 * A connection to `localhost` fails for each of its addresses, and the aggregate error says nothing; `fetch` says why
 * it failed only in its cause.
 */
function messageOf(error: unknown): string {
  if (error instanceof AggregateError && error.message === '') return error.errors.map(messageOf).join('; ');
  if (!(error instanceof Error)) return String(error);
  if (error.cause !== undefined) return `${error.message}: ${messageOf(error.cause)}`;
  if (error instanceof z.core.$ZodError) return unreadable(error);
  return error.message;
}

/** By names alone: deeper ones may be a client's own. */
function unreadable({ issues }: z.core.$ZodError): string {
  const names = new Set(issues.map(({ path: [name] }) => String(name ?? 'all of it')));
  return `this version cannot read something, because of ${[...names].join(', ')}`;
}

/** parseArgs reports unknown and incomplete options as TypeErrors with a code. */
function isUsersMistake(error: unknown): error is Error {
  if (error instanceof UsageError || error instanceof ServiceError) return true;
  return error instanceof TypeError && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS');
}
