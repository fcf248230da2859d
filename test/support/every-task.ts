import type { RowFilter } from '#shared/table/task-rows.ts';

export const everyTask: RowFilter = {
  status: null,
  taskType: null,
  needs: null,
  phoneNumber: null,
  assignee: null,
  obstacle: null,
  result: null,
};
