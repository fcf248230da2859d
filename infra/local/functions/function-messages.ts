import type { MessagePort } from 'node:worker_threads';

/** What a thread for functions needs to know at its start. */
export interface HostStart {
  readonly codeCacheDir: string;
  readonly isBackground: boolean;
}

/** Has a thread load a function, which it then speaks to through the port. */
export interface OpenMessage {
  readonly function: FunctionStart;
  readonly port: MessagePort;
}

export interface FunctionStart {
  readonly codeDir: string;
  readonly handler: string;
  readonly name: string;
  readonly arn: string;
  readonly memoryMb: number;
  readonly environment: Readonly<Record<string, string>>;
}

/** A request to a function. */
export interface InvokeMessage {
  readonly requestId: string;
  /** The event as JSON text. */
  readonly event: string;
  /** When Lambda would end the request, in milliseconds since 1970. */
  readonly deadlineMs: number;
}

/** How Lambda describes an error of a function to its caller. */
export interface FunctionErrorDescription {
  readonly errorType: string;
  readonly errorMessage: string;
  readonly trace?: readonly string[];
}

/** What a function's side of the port says. */
export type WorkerMessage =
  | { readonly kind: 'ready' }
  | { readonly kind: 'failed-to-load'; readonly error: FunctionErrorDescription }
  | { readonly kind: 'printed'; readonly text: string }
  | { readonly kind: 'succeeded'; readonly requestId: string; readonly payload: string }
  | { readonly kind: 'failed'; readonly requestId: string; readonly error: FunctionErrorDescription };
