/**
 * Log events that raise an alarm. Their lines count themselves (`metrics.ts`) and the stack has an alarm on
 * each, so both take the names from here.
 */
export const alarmingEvents = {
  /** A carrier is wanted of which the service has no credentials. */
  carrierWithoutCredentials: 'carrier-without-credentials',
  /**
   * The carrier refuses our credentials, our caller number or the form of our requests, or cannot hold a call as we
   * set it up.
   */
  carrierRefusesOurConfiguration: 'carrier-refuses-our-configuration',
  /** A recording exists at the carrier and could not be fetched for too long. */
  recordingGivenUp: 'recording-given-up',
  /** A call was closed without knowing how it ended, because the carrier stopped reporting. */
  callClosedAtDeadline: 'call-closed-at-deadline',
  /**
   * A recording at the carrier holds more than the one that we keep of the same call, so it was not deleted
   * there.
   */
  recordingLeftAtCarrier: 'recording-left-at-carrier',
  /** The secret with a carrier's credentials is missing, malformed or cannot be read. */
  carrierSecretNotRead: 'carrier-secret-not-read',
  /** KMS refuses to open the signing secret of a webhook endpoint. */
  webhookSecretNotOpened: 'webhook-secret-not-opened',
  /**
   * A socket, or a callback about a call of ours, was refused although signed: for another address or with another
   * token.
   */
  carrierSignatureRefused: 'carrier-signature-refused',
  /** A handshake or the end of a socket could not be handled. */
  socketEventFailed: 'socket-event-failed',
  /** A call was answered, and its conversation could not begin. */
  conversationNotOpened: 'conversation-not-opened',
  /** Something that happened on the line was lost. */
  relayFrameFailed: 'relay-frame-failed',
  /** The person was answered by an apology, because nothing else could be made up. */
  wordsNotAnswered: 'words-not-answered',
  /** Our words were made up and did not reach the line. */
  framesNotSent: 'frames-not-sent',
  /** The language model was late or failed, and the conversation was cut short. */
  dialogueFallback: 'dialogue-fallback',
  /** What a client saw could not be written down; the line says what it was. */
  accessEntryNotWritten: 'access-entry-not-written',
} as const;

export type AlarmingEvent = (typeof alarmingEvents)[keyof typeof alarmingEvents];
