/**
 * Log events that raise an alarm. Their lines count themselves (`metrics.ts`) and the stack has an alarm for each, so
 * both take the names from here.
 */
export const alarmingEvents = {
  /** A live task needs a carrier without credentials. */
  carrierWithoutCredentials: 'carrier-without-credentials',
  /** The carrier refuses our credentials, caller number or requests, or cannot hold a call with our settings. */
  carrierRefusesOurConfiguration: 'carrier-refuses-our-configuration',
  /** A recording at the carrier could not be fetched for too long. */
  recordingGivenUp: 'recording-given-up',
  /** A call was closed with unknown outcome, because the carrier stopped reporting. */
  callClosedAtDeadline: 'call-closed-at-deadline',
  /** A recording at the carrier has more content than our copy, so it was not deleted there. */
  recordingLeftAtCarrier: 'recording-left-at-carrier',
  /** The secret with a carrier's credentials is missing, malformed or unreadable. */
  carrierSecretNotRead: 'carrier-secret-not-read',
  /** KMS refuses to decrypt a webhook endpoint's signing secret. */
  webhookSecretNotOpened: 'webhook-secret-not-opened',
  /**
   * A signed socket or callback about one of our calls was refused: its signature covers another address or uses
   * another token.
   */
  carrierSignatureRefused: 'carrier-signature-refused',
  /** A handshake or the end of a socket could not be handled. */
  socketEventFailed: 'socket-event-failed',
  /** A call was answered, but its conversation could not begin. */
  conversationNotOpened: 'conversation-not-opened',
  /** An event on the line was lost. */
  relayFrameFailed: 'relay-frame-failed',
  /** The person heard an apology, because no other reply could be generated. */
  wordsNotAnswered: 'words-not-answered',
  /** Our reply was generated but did not reach the line. */
  framesNotSent: 'frames-not-sent',
  /** The language model was late or failed, and the conversation was cut short. */
  dialogueFallback: 'dialogue-fallback',
  /** A client's access could not be audited; this line records it instead. */
  accessEntryNotWritten: 'access-entry-not-written',
} as const;

export type AlarmingEvent = (typeof alarmingEvents)[keyof typeof alarmingEvents];
