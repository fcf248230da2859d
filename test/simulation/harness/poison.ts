/** Messages that can never be processed: no JSON, another shape, a kind that does not exist. */
export const poisonBodies: readonly string[] = [
  'this is no JSON',
  '{}',
  '[]',
  'null',
  '{"kind":"dial"}',
  '{"kind":"dial","task_id":"not-an-id"}',
  '{"kind":"something-else","task_id":"01930000-0000-7000-8000-000000000003"}',
  '{"kind":"carrier-event","task_id":"01930000-0000-7000-8000-000000000003","event":{"type":"progress"}}',
  '{"pk":1,"sk":2}',
];
