import { LocalStackError } from '../local-stack-error.ts';

/** Whether an event fits a pattern. */
export type Filter = (event: unknown) => boolean;

/** Tests the value at one place of an event; `undefined` when the event has none there. */
type Matcher = (value: unknown) => boolean;

/**
 * Compiles the filter criteria of an event source mapping: an event passes when it matches one of the patterns. An
 * unknown pattern element is an error at the start, not a filter that never matches.
 */
export function compileFilters(patterns: readonly string[], where: string): Filter {
  if (patterns.length === 0) return () => true;
  const filters = patterns.map((pattern) => {
    let content: unknown;
    try {
      content = JSON.parse(pattern);
    } catch {
      throw new LocalStackError(`${where} has a filter that is not JSON: ${pattern}`);
    }
    return compileObject(content, where);
  });
  return (event) => filters.some((filter) => filter(event));
}

function compileObject(pattern: unknown, where: string): Filter {
  if (!isObject(pattern)) throw unknownPart(pattern, where);
  const parts = Object.entries(pattern).map(([key, part]): Filter => {
    if (key === '$or') {
      if (!Array.isArray(part)) throw unknownPart(part, where);
      const choices = part.map((choice) => compileObject(choice, where));
      return (event) => choices.some((choice) => choice(event));
    }
    const matches = Array.isArray(part) ? compileLeaf(part, where) : compileObject(part, where);
    return (event) => matches(isObject(event) ? event[key] : undefined);
  });
  return (event) => parts.every((part) => part(event));
}

/** A list of choices at a leaf; an event's list fits when one of its elements does. */
function compileLeaf(choices: readonly unknown[], where: string): Filter {
  const matchers = choices.map((choice) => compileChoice(choice, where));
  const fits: Matcher = (value) => matchers.some((matcher) => matcher(value));
  return (value) => (Array.isArray(value) ? value.some(fits) : fits(value));
}

function compileChoice(choice: unknown, where: string): Matcher {
  if (choice === null || ['string', 'number', 'boolean'].includes(typeof choice)) {
    return (value) => value === choice;
  }
  const [only, ...rest] = isObject(choice) ? Object.entries(choice) : [];
  if (only === undefined || rest.length > 0) throw unknownPart(choice, where);
  const [operator, operand] = only;
  switch (operator) {
    case 'exists':
      // Only leaves exist: an object there is not a value.
      return (value) => (value !== undefined && !isObject(value)) === operand;
    case 'prefix': {
      const prefix = text(operand, choice, where);
      return (value) => typeof value === 'string' && value.startsWith(prefix);
    }
    case 'suffix': {
      const suffix = text(operand, choice, where);
      return (value) => typeof value === 'string' && value.endsWith(suffix);
    }
    case 'equals-ignore-case': {
      const wanted = text(operand, choice, where).toLowerCase();
      return (value) => typeof value === 'string' && value.toLowerCase() === wanted;
    }
    case 'anything-but': {
      const unwanted = (Array.isArray(operand) ? operand : [operand]).map((part) =>
        compileChoice(part, where),
      );
      return (value) => value !== undefined && !unwanted.some((matcher) => matcher(value));
    }
    case 'numeric':
      return compileNumeric(operand, choice, where);
    default:
      throw unknownPart(choice, where);
  }
}

const comparisons: Record<string, (value: number, limit: number) => boolean> = {
  '=': (value, limit) => value === limit,
  '<': (value, limit) => value < limit,
  '<=': (value, limit) => value <= limit,
  '>': (value, limit) => value > limit,
  '>=': (value, limit) => value >= limit,
};

/** `[">=", 0, "<", 5]`: pairs of a comparison and a limit, all of which must hold. */
function compileNumeric(operand: unknown, choice: unknown, where: string): Matcher {
  if (!Array.isArray(operand) || operand.length === 0 || operand.length % 2 !== 0) {
    throw unknownPart(choice, where);
  }
  const tests: ((value: number) => boolean)[] = [];
  for (let index = 0; index < operand.length; index += 2) {
    const compare = comparisons[String(operand[index])];
    const limit: unknown = operand[index + 1];
    if (compare === undefined || typeof limit !== 'number') throw unknownPart(choice, where);
    tests.push((value) => compare(value, limit));
  }
  // The numbers of DynamoDB's records are strings.
  return (value) => {
    const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
    return typeof number === 'number' && tests.every((test) => test(number));
  };
}

function text(operand: unknown, choice: unknown, where: string): string {
  if (typeof operand !== 'string') throw unknownPart(choice, where);
  return operand;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function unknownPart(part: unknown, where: string): LocalStackError {
  return new LocalStackError(
    `${where} filters by ${JSON.stringify(part)}, which the local stack does not know; ` +
      'add it to infra/local/event-sources/filter-pattern.ts',
  );
}
