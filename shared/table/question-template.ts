import { QuestionTemplate } from '#shared/domain/question-template.ts';
import type { Table } from './client.ts';
import type { PrimaryKey } from './primary-key.ts';
import { queryPrefix } from './query-pages.ts';
import type { TransactionItem } from './transaction.ts';
import { asRead, itemDelete, itemPut, when } from './transaction-items.ts';

type TemplateKey = Pick<QuestionTemplate, 'project_id' | 'id'>;

function templateKey({ project_id, id }: TemplateKey): PrimaryKey {
  return { pk: `PROJECT#${project_id}`, sk: `QUESTIONS#${id}` };
}

/** Holds when the template is as it was read; null when there was none. */
export function putQuestionTemplateItem(
  table: Table,
  previous: QuestionTemplate | null,
  next: QuestionTemplate,
): TransactionItem {
  return itemPut(table, { ...templateKey(next), type: 'question-template', ...next }, asRead(previous));
}

/** Holds when the template is there. */
export function deleteQuestionTemplateItem(table: Table, template: TemplateKey): TransactionItem {
  return itemDelete(table, templateKey(template), when('attribute_exists(pk)'));
}

/** Those of a project, in any order. */
export async function listQuestionTemplates(table: Table, projectId: string): Promise<QuestionTemplate[]> {
  const items = await queryPrefix(table, `PROJECT#${projectId}`, 'QUESTIONS#');
  return items.map((item) => QuestionTemplate.parse(item));
}
