import * as z from 'zod/mini';
import { PersonaFile } from '../person/person-file.ts';
import { checkAlone } from './check-alone.ts';
import type { PersonaProblem } from './persona-problem.ts';

export type CheckedPersona =
  | { readonly person: PersonaFile; readonly problems: readonly [] }
  | { readonly person: null; readonly problems: readonly PersonaProblem[] };

/** Reads the text of a person's file and says everything that is wrong with it, for somebody who is writing it. */
export function checkPersona(text: string): CheckedPersona {
  let content: unknown;
  try {
    content = JSON.parse(text);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return refused([{ path: '', rule: `is not JSON (${reason})`, remedy: 'correct it at that place' }]);
  }
  const parsed = z.safeParse(PersonaFile, content);
  if (!parsed.success) return refused(parsed.error.issues.flatMap((issue) => describe(issue, [])));
  const problems = [...numberProblems(parsed.data), ...checkAlone(parsed.data)];
  return problems.length === 0 ? { person: parsed.data, problems: [] } : refused(problems);
}

function refused(problems: PersonaProblem[]): CheckedPersona {
  return { person: null, problems };
}

function numberProblems({ numbers }: PersonaFile): PersonaProblem[] {
  return numbers.flatMap((number, index) =>
    number === '*' || /^\+[1-9]\d{1,14}$/.test(number)
      ? []
      : [
          {
            path: `numbers.${index}`,
            rule: 'is no telephone number',
            remedy: 'write it as +12025550123, or "*" for every number that nobody else has',
          },
        ],
  );
}

type Issue = z.core.$ZodIssue;

function describe(issue: Issue, outer: readonly PropertyKey[]): PersonaProblem[] {
  const members = [...outer, ...issue.path];
  const problem = (rule: string, remedy: string): PersonaProblem[] => [
    { path: members.map(String).join('.'), rule, remedy },
  ];
  switch (issue.code) {
    case 'unrecognized_keys':
      return issue.keys.map((key) => ({
        path: [...members, key].map(String).join('.'),
        rule: 'is not a member that a person can have here',
        remedy: 'remove it or correct its name',
      }));
    case 'invalid_type':
      return issue.input === undefined && !('input' in issue)
        ? problem(`must be ${withArticle(issue.expected)}`, 'add or correct it')
        : problem(`must be ${withArticle(issue.expected)}`, 'correct it');
    case 'invalid_value':
      return problem(`must be one of ${issue.values.map(String).join(', ')}`, 'choose one of these');
    case 'too_small':
      return problem(
        `must be ${issue.origin === 'number' ? 'at least' : 'as long as'} ${issue.minimum}`,
        'add to it',
      );
    case 'too_big':
      return problem(`must be at most ${issue.maximum}`, 'make it smaller');
    case 'invalid_format':
      return problem(`must look like ${issue.pattern ?? issue.format}`, 'write it that way');
    case 'invalid_union':
      return describeUnion(issue, members, problem);
    case 'invalid_key':
    case 'invalid_element':
      return issue.issues.flatMap((inner) => describe(inner, members));
    default:
      return problem(issue.message === 'Invalid input' ? 'is not valid' : issue.message, 'correct it');
  }
}

/** What is wrong with the form that the value comes closest to; the forms themselves when it is close to none. */
function describeUnion(
  issue: Extract<Issue, { code: 'invalid_union' }>,
  members: readonly PropertyKey[],
  problem: (rule: string, remedy: string) => PersonaProblem[],
): PersonaProblem[] {
  if ('options' in issue && Array.isArray(issue.options)) {
    return problem(`must be one of ${issue.options.map(String).join(', ')}`, 'choose one of these');
  }
  const forms = issue.errors.filter((errors) => !errors.some(isOfOtherForm));
  const [closest] = forms.sort((one, other) => one.length - other.length);
  if (closest !== undefined) return closest.flatMap((inner) => describe(inner, members));
  const missing = issue.errors
    .flatMap((errors) => errors.slice(0, 1))
    .flatMap(({ path }) => path.slice(0, 1));
  return missing.length === 0
    ? problem('has none of the forms that it may have', 'see how the other people are written')
    : problem(`must have exactly one of ${missing.map(String).join(', ')}`, 'keep one of these members');
}

/** Whether the value is not even meant to have this form: another type altogether, or members that it does not know. */
function isOfOtherForm(issue: Issue): boolean {
  return (issue.code === 'invalid_type' && issue.path.length === 0) || issue.code === 'unrecognized_keys';
}

function withArticle(expected: string): string {
  return `${/^[aeio]/.test(expected) ? 'an' : 'a'} ${expected}`;
}
