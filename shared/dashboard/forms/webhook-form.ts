import { WebhookEventName } from '#shared/domain/webhook.ts';
import { textOf, textsOf } from './form-values.ts';

/** What the form of a webhook endpoint says. */
export interface WebhookForm {
  readonly url: string;
  readonly description: string;
  readonly events: readonly string[];
}

export const newWebhookForm: WebhookForm = {
  url: '',
  description: '',
  events: WebhookEventName.options,
};

export function readWebhookForm(form: FormData): WebhookForm {
  return {
    url: textOf(form, 'url'),
    description: textOf(form, 'description'),
    events: textsOf(form, 'events'),
  };
}

/** By field, for what the schema refuses. */
export const webhookProblems = {
  url: 'Give the address that webhooks are sent to',
  description: 'The description must have at most 200 characters',
  events: 'Choose at least one event',
} as const;

/** At which field a problem of an endpoint is shown. */
export function webhookFieldOf([member]: readonly PropertyKey[]): keyof typeof webhookProblems {
  return member === 'events' || member === 'description' ? member : 'url';
}
