import { QuestionTemplate } from '#shared/domain/question-template.ts';
import type { Table } from './client.ts';
import { queryAll } from './query-pages.ts';
import type { TransactionItem } from './transaction.ts';

type TemplateKey = Pick<QuestionTemplate, 'project_id' | 'id'>;

function templateKey({ project_id, id }: TemplateKey): { pk: string; sk: string } {
  return { pk: `PROJECT#${project_id}`, sk: `QUESTIONS#${id}` };
}

/** Holds when the template is as it was read; null when there was none. */
export function putQuestionTemplateItem(
  table: Table,
  previous: QuestionTemplate | null,
  next: QuestionTemplate,
): TransactionItem {
  return {
    Put: {
      TableName: table.name,
      Item: { ...templateKey(next), type: 'question-template', ...next },
      ...(previous === null
        ? { ConditionExpression: 'attribute_not_exists(pk)' }
        : {
            ConditionExpression: 'updated_at = :read',
            ExpressionAttributeValues: { ':read': previous.updated_at },
          }),
    },
  };
}

/** Holds when the template is there. */
export function deleteQuestionTemplateItem(table: Table, template: TemplateKey): TransactionItem {
  return {
    Delete: {
      TableName: table.name,
      Key: templateKey(template),
      ConditionExpression: 'attribute_exists(pk)',
    },
  };
}

/** Those of a project, in any order. */
export async function listQuestionTemplates(table: Table, projectId: string): Promise<QuestionTemplate[]> {
  const items = await queryAll(table, {
    KeyConditionExpression: 'pk = :pk AND begins_with(sk, :questions)',
    ExpressionAttributeValues: { ':pk': `PROJECT#${projectId}`, ':questions': 'QUESTIONS#' },
    ConsistentRead: true,
  });
  return items.map((item) => QuestionTemplate.parse(item));
}
