import { type Permission, whoMay } from '#shared/domain/permissions.ts';

/* `detail` of errors that several operations of the management API have. */

export const noProject = 'Project not found';
/** The message to a person whose role lacks the permission. */
export const onlyFor = (permission: Permission): string =>
  `Only ${whoMay(permission)} of the project may do this`;
export const otherProject = 'project_id must match the path';
export const noWebhookId = 'Invalid webhook ID format';
export const noWebhook = 'Webhook not found';
export const isDisabled = 'The webhook is disabled: enable it first';
