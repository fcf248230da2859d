/** Where things are read by whoever was answered with an address: clients and people have different ones. */
export interface Addresses {
  readonly patients: string;
  readonly tasks: string;
  readonly task: (taskId: string) => string;
  readonly recording: (callId: string) => string;
}
