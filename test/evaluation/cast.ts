import type { TaskType } from '#shared/domain/task-type.ts';
import type { Desk, Topic } from '#shared/sandbox-phone/person/desk.ts';
import type { PersonaFile } from '#shared/sandbox-phone/person/person-file.ts';
import { placeholdersOf } from '#shared/sandbox-phone/person/phrase.ts';
import { chanceBetween } from '#shared/sandbox-phone/person/seeded.ts';
import { usualTasks } from './usual-tasks.ts';

/** One conversation to hold: whom to call, for which task, and the seed of their wording. */
export interface Casting {
  readonly person: PersonaFile;
  readonly phoneNumber: string;
  readonly seed: number;
  /** Counts this person's tasks from 1. */
  readonly taskNumber: number;
  readonly taskType: TaskType;
  readonly task: string;
  readonly taskData: Readonly<Record<string, unknown>>;
  /** The fact that answers each of the task's questions, by the key of the result's item. */
  readonly truthOf: Readonly<Record<string, string>>;
  /** Facts that the people on this line can be made to say. */
  readonly tellable: ReadonlySet<string>;
}

const questionsPerTask = 4;

/** Every person with every task that suits them, `seeds` times: all of them in the first wording, then the second, … */
export function allPersonas(
  people: readonly PersonaFile[],
  /** Everyone whose desks may be borrowed. */
  lenders: readonly PersonaFile[],
  seeds: number,
): Casting[] {
  return Array.from({ length: seeds }, (_, seed) => seed).flatMap((seed) =>
    people.flatMap((person) => {
      // The person on all other numbers can be called at any of them.
      const phoneNumber = person.numbers.find((number) => number !== '*') ?? '+12025550199';
      return tasksFor(person, lenders, seed).map((task, index) => ({
        person,
        phoneNumber,
        seed,
        taskNumber: index + 1,
        ...task,
      }));
    }),
  );
}

type CastTask = Pick<Casting, 'taskType' | 'task' | 'taskData' | 'truthOf' | 'tellable'>;

function tasksFor(person: PersonaFile, people: readonly PersonaFile[], seed: number): CastTask[] {
  const topics = desksOf(person, people).flatMap((desk) => desk.topics);
  const tellable = factsToldAt(desksOf(person, people));
  const wanted =
    person.evaluation.tasks ??
    fittingTypes(person, people, topics).map((task_type) => ({
      task_type,
      task: undefined,
      task_data: {} as Record<string, unknown>,
    }));
  return wanted.map(({ task_type: taskType, task, task_data }) => {
    const usual = usualTasks[taskType];
    const taskData: Record<string, unknown> = { ...usual.task_data, ...task_data };
    if (taskType === 'CUSTOM_TASK' && taskData.questions_to_ask === undefined) {
      taskData.questions_to_ask = chooseQuestions(topics, `${person.id} ${seed}`);
    }
    const truthOf = truthOfQuestions(taskData, topics);
    return { taskType, task: task ?? usual.task, taskData, truthOf, tellable };
  });
}

function factsToldAt(desks: readonly Desk[]): Set<string> {
  return new Set(
    desks.flatMap(({ topics, calendar }) => [
      ...topics.flatMap(({ says, tells }) => [...tells, ...says.flatMap(placeholdersOf)]),
      ...(calendar?.booked ?? []).flatMap(placeholdersOf),
    ]),
  );
}

/** What the people at their desks know determines the tasks that they can serve. */
function fittingTypes(
  person: PersonaFile,
  people: readonly PersonaFile[],
  topics: readonly Topic[],
): TaskType[] {
  const knows = knownNames(person, people);
  const types: TaskType[] = [];
  if (desksOf(person, people).some(({ calendar }) => calendar !== undefined))
    types.push('SCHEDULE_APPOINTMENT');
  if (knows.has('coverage_active')) types.push('VERIFY_INSURANCE');
  if (knows.has('claim_status')) types.push('REIMBURSEMENT');
  if (topics.some(({ client_question }) => client_question !== undefined)) types.push('CUSTOM_TASK');
  // Someone without a desk is still called: a wrong number, a voicemail.
  return types.length === 0 ? ['SCHEDULE_APPOINTMENT'] : types;
}

function desksOf(person: PersonaFile, people: readonly PersonaFile[]): Desk[] {
  const stages = Object.values(person.line?.stages ?? {});
  const desks = [...person.desks, ...stages.flatMap((stage) => (stage.kind === 'person' ? stage.desks : []))];
  return desks.flatMap((desk) =>
    'borrowed_from' in desk
      ? (people.find(({ id }) => id === desk.borrowed_from)?.desks ?? []).filter(
          (lent): lent is Desk => !('borrowed_from' in lent),
        )
      : [desk],
  );
}

function knownNames(person: PersonaFile, people: readonly PersonaFile[]): Set<string> {
  const stages = Object.values(person.line?.stages ?? {});
  const desks = [...person.desks, ...stages.flatMap((stage) => (stage.kind === 'person' ? stage.desks : []))];
  const lenders = desks.flatMap((desk) => ('borrowed_from' in desk ? [desk.borrowed_from] : []));
  return new Set([
    ...Object.keys(person.knows),
    ...stages.flatMap((stage) => (stage.kind === 'person' ? Object.keys(stage.knows) : [])),
    ...people.filter(({ id }) => lenders.includes(id)).flatMap(({ knows }) => Object.keys(knows)),
  ]);
}

/** Some of the questions that suit this person, different for each seed. */
function chooseQuestions(topics: readonly Topic[], seed: string): { index: number; question: string }[] {
  const questions = topics.flatMap(({ client_question }) => client_question ?? []);
  const start = chanceBetween(seed, 'questions', 0, Math.max(0, questions.length - 1));
  return Array.from({ length: Math.min(questionsPerTask, questions.length) }, (_, index) => ({
    index,
    question: questions[(start + index) % questions.length] ?? '',
  }));
}

function truthOfQuestions(
  taskData: Readonly<Record<string, unknown>>,
  topics: readonly Topic[],
): Record<string, string> {
  const questions = Array.isArray(taskData.questions_to_ask) ? taskData.questions_to_ask : [];
  return Object.fromEntries(
    questions.flatMap(({ index, question }: { index: number; question: string }) => {
      const fact = topics.find(({ client_question }) => client_question === question)?.answered_by;
      return fact === undefined ? [] : [[`question_${index}`, fact]];
    }),
  );
}
