/** URLs that responses contain: API clients and dashboard users have different ones. */
export interface Addresses {
  readonly patients: string;
  readonly tasks: string;
  readonly task: (taskId: string) => string;
  readonly recording: (callId: string) => string;
}
