/**
 * Counts the bytes that a WebSocket client sends and reports a frame above the limit. API Gateway limits each frame,
 * but the library behind the local API only delivers whole messages.
 */
export class FrameSizeGuard {
  readonly #limitBytes: number;
  readonly #onTooLarge: () => void;
  /** Bytes of the current frame's payload (and mask) that are still to come. */
  #toSkip = 0;
  #header: Buffer = Buffer.alloc(0);

  constructor(limitBytes: number, onTooLarge: () => void) {
    this.#limitBytes = limitBytes;
    this.#onTooLarge = onTooLarge;
  }

  watch(chunk: Buffer): void {
    let rest = chunk;
    while (rest.length > 0) {
      const skipped = Math.min(this.#toSkip, rest.length);
      this.#toSkip -= skipped;
      rest = rest.subarray(skipped);
      if (rest.length === 0) return;
      this.#header = Buffer.concat([this.#header, rest.subarray(0, 1)]);
      rest = rest.subarray(1);
      const payloadBytes = payloadBytesOf(this.#header);
      if (payloadBytes === null) continue;
      const maskBytes = ((this.#header[1] ?? 0) & 0x80) === 0 ? 0 : 4;
      this.#header = Buffer.alloc(0);
      this.#toSkip = payloadBytes + maskBytes;
      if (payloadBytes > this.#limitBytes) this.#onTooLarge();
    }
  }
}

/** The length that a frame's header gives (RFC 6455, 5.2), or `null` while the header is not complete. */
function payloadBytesOf(header: Buffer): number | null {
  const short = header[1];
  if (short === undefined) return null;
  switch (short & 0x7f) {
    case 126:
      return header.length < 4 ? null : header.readUInt16BE(2);
    case 127:
      return header.length < 10 ? null : Number(header.readBigUInt64BE(2));
    default:
      return short & 0x7f;
  }
}
