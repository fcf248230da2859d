/** A refusal in the carrier's wording. */
export class RestError extends Error {
  override readonly name = 'RestError';
  readonly status: number;
  readonly code: number;

  constructor(status: number, code: number, message: string) {
    super(message);
    this.status = status;
    this.code = code;
  }

  /** The carrier's error body. */
  toBody(): Record<string, string | number> {
    return {
      code: this.code,
      message: this.message,
      more_info: `https://www.twilio.com/docs/errors/${this.code}`,
      status: this.status,
    };
  }
}

export function notFound(): RestError {
  return new RestError(404, 20404, 'The requested resource was not found');
}

export function invalidParameter(message: string): RestError {
  return new RestError(400, 20001, message);
}
