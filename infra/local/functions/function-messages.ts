/** What the process sends to a function's worker. */
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

/** What a worker answers. */
export type WorkerMessage =
  | { readonly kind: 'ready' }
  | { readonly kind: 'failed-to-load'; readonly error: FunctionErrorDescription }
  | { readonly kind: 'succeeded'; readonly requestId: string; readonly payload: string }
  | { readonly kind: 'failed'; readonly requestId: string; readonly error: FunctionErrorDescription };

/** What a worker needs to know at its start. */
export interface WorkerStart {
  readonly codeDir: string;
  readonly handler: string;
  readonly functionName: string;
  readonly functionArn: string;
  readonly memoryMb: number;
  readonly codeCacheDir: string;
  readonly isBackground: boolean;
}
