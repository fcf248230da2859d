import { defaultEvents } from '#shared/domain/webhook.ts';
import { type FormProblems, textOf, textsOf } from './form-values.ts';

/** The values of a webhook endpoint's form. */
export interface WebhookForm {
  readonly url: string;
  readonly description: string;
  readonly events: readonly string[];
  readonly payload: string;
}

export const newWebhookForm: WebhookForm = {
  url: '',
  description: '',
  events: defaultEvents,
  payload: 'minimal',
};

export function readWebhookForm(form: FormData): WebhookForm {
  return {
    url: textOf(form, 'url'),
    description: textOf(form, 'description'),
    events: textsOf(form, 'events'),
    payload: textOf(form, 'payload'),
  };
}

export const webhookProblems: FormProblems = {
  fieldOf: ([member]) =>
    member === 'events' || member === 'payload' || member === 'description' ? member : 'url',
  sentences: {
    url: 'Enter the URL that receives webhooks',
    description: 'The description must have at most 200 characters',
    events: 'Choose at least one event',
    payload: 'Choose what is sent',
  },
  refusedAt: 'url',
};
