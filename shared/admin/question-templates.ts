import * as z from 'zod/mini';
import { ServiceError } from '#shared/domain/errors.ts';
import { uuidv7 } from '#shared/domain/identifiers.ts';
import { givenName } from '#shared/domain/names.ts';
import { type QuestionTemplate, templateLimits } from '#shared/domain/question-template.ts';
import type { Table } from '#shared/table/client.ts';
import {
  deleteQuestionTemplateItem,
  listQuestionTemplates,
  putQuestionTemplateItem,
} from '#shared/table/question-template.ts';
import { TransactionConditionFailed, writeTransaction } from '#shared/table/transaction.ts';
import { auditItem } from './audit.ts';
import type { ProjectAccess } from './authorize-project.ts';

const { nameCharacters, questionCharacters, questions, templates } = templateLimits;

export const QuestionTemplateBody = z.object({
  name: givenName(nameCharacters),
  questions: z
    .array(z.string().check(z.minLength(1), z.maxLength(questionCharacters)))
    .check(z.minLength(1), z.maxLength(questions)),
});
export type QuestionTemplateBody = z.infer<typeof QuestionTemplateBody>;

/** The templates of the project, by name. */
export async function readQuestionTemplates(
  table: Table,
  { project }: ProjectAccess,
): Promise<readonly QuestionTemplate[]> {
  const found = await listQuestionTemplates(table, project.id);
  return found.toSorted((one, other) => one.name.localeCompare(other.name));
}

/** Throws `not_found`. */
export async function readQuestionTemplate(
  table: Table,
  access: ProjectAccess,
  id: string,
): Promise<QuestionTemplate> {
  const template = (await readQuestionTemplates(table, access)).find((one) => one.id === id);
  if (template === undefined) throw notFound();
  return template;
}

/**
 * Saves questions under a unique name.
 *
 * @param previous the template as read; null for a new one
 * @throws `conflict` for a name in use, for too many templates, and when others have changed it meanwhile
 */
export async function saveQuestionTemplate(
  table: Table,
  access: ProjectAccess,
  body: QuestionTemplateBody,
  previous: QuestionTemplate | null,
): Promise<QuestionTemplate> {
  const now = new Date();
  const others = (await readQuestionTemplates(table, access)).filter(({ id }) => id !== previous?.id);
  if (others.some(({ name }) => name.toLowerCase() === body.name.toLowerCase())) {
    throw new ServiceError('conflict', 'A template with this name already exists');
  }
  if (others.length >= templates) {
    throw new ServiceError('conflict', `A project has at most ${templates} templates; remove one first`);
  }
  const next: QuestionTemplate = {
    id: previous?.id ?? uuidv7(),
    project_id: access.project.id,
    ...body,
    updated_by: access.caller.person.email,
    updated_at: now.toISOString(),
  };
  const audited = auditItem(table, access, auditedChange('saved', access, previous, next), now);
  try {
    await writeTransaction(table, [putQuestionTemplateItem(table, previous, next), audited]);
  } catch (error) {
    if (!(error instanceof TransactionConditionFailed)) throw error;
    throw new ServiceError('conflict', 'Someone changed this template after you opened it; open it again');
  }
  return next;
}

/** Throws `not_found`. */
export async function removeQuestionTemplate(table: Table, access: ProjectAccess, id: string): Promise<void> {
  const template = await readQuestionTemplate(table, access, id);
  const audited = auditItem(table, access, auditedChange('removed', access, template, null));
  try {
    await writeTransaction(table, [deleteQuestionTemplateItem(table, template), audited]);
  } catch (error) {
    throw error instanceof TransactionConditionFailed ? notFound() : error;
  }
}

/** Without the questions, which may name a patient although they should not. */
function auditedChange(
  change: 'saved' | 'removed',
  { project }: ProjectAccess,
  before: QuestionTemplate | null,
  after: QuestionTemplate | null,
) {
  const audited = (template: QuestionTemplate | null) =>
    template === null ? null : { name: template.name, questions: template.questions.length };
  return {
    action: `question-template.${change}`,
    target: { type: 'project', id: project.id },
    before: audited(before),
    after: audited(after),
  } as const;
}

function notFound(): ServiceError {
  return new ServiceError('not_found', 'Template not found');
}
