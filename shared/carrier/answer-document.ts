import { type AgentSettings, defaultAgentSettings } from '#shared/domain/agent-settings.ts';
import { callbackUrl, inboundCallUrl } from './callbacks.ts';

/*
 * The documents that tell the carrier what to do with a call (TwiML), hand-written because they are few and small. The
 * carrier logs them, so they hold only IDs and neutral sentences, no health information. Attribute names are
 * case-sensitive XML.
 */

/** A project's voice settings, and the words that speech recognition should expect. */
export type SpeechSettings = Pick<AgentSettings, 'voice' | 'language' | 'speech_hints'>;

export interface RelayConversation {
  readonly publicBaseUrl: string;
  /** WebSocket address of the voice agent, exactly as its handshake signature will be verified. */
  readonly relayUrl: string;
  readonly taskId: string;
  readonly callId: string;
  /** Proves to the voice agent that the session belongs to this call. */
  readonly token: string;
  readonly speech: SpeechSettings;
}

/**
 * Records the call and connects it to the voice agent. Recording starts here because the carrier refuses or ignores
 * every other way on relay calls; it comes first because `<Connect>` returns only after the conversation. The
 * recording callback must be absolute. Both tracks, untrimmed, keep the recording as long as the call and its offsets
 * equal to the transcript's.
 */
export function conversationDocument(conversation: RelayConversation): string {
  const { publicBaseUrl, relayUrl, taskId, callId, token, speech } = conversation;
  const voice = voiceFor(speech);
  return document(
    element(
      'Start',
      {},
      element('Recording', {
        channels: 'dual',
        track: 'both',
        trim: 'do-not-trim',
        recordingStatusCallback: callbackUrl(publicBaseUrl, 'recording', taskId, callId),
        recordingStatusCallbackEvent: 'completed absent',
      }),
    ),
    element(
      'Connect',
      { action: callbackUrl(publicBaseUrl, 'relay-end', taskId, callId), method: 'POST' },
      element(
        'ConversationRelay',
        {
          url: relayUrl,
          language: speech.language,
          ttsProvider: 'Amazon',
          ...(voice === null ? {} : { voice }),
          transcriptionProvider: 'Deepgram',
          interruptible: 'speech',
          interruptSensitivity: 'medium',
          // Speech during the agent's turn is heard even when it does not interrupt.
          reportInputDuringAgentSpeech: 'speech',
          dtmfDetection: 'true',
          ...(speech.speech_hints.length === 0 ? {} : { hints: speech.speech_hints.join(',') }),
        },
        element('Parameter', { name: 'task_id', value: taskId }),
        element('Parameter', { name: 'call_id', value: callId }),
        element('Parameter', { name: 'token', value: token }),
      ),
    ),
  );
}

/** Ends the call without speaking. */
export function hangUpDocument(): string {
  return document(element('Hangup', {}));
}

/** Says one sentence, in the conversation's voice, after a pause, and ends the call. */
export function farewellDocument(
  sentence: string,
  speech: SpeechSettings = defaultAgentSettings,
  pauseSeconds = 0,
): string {
  const voice = voiceFor(speech);
  const attributes = {
    ...(voice === null ? {} : { voice: `Polly.${voice}` }),
    ...(speech.language === usualLanguage ? {} : { language: speech.language }),
  };
  const pause = pauseSeconds === 0 ? [] : [element('Pause', { length: String(pauseSeconds) })];
  return document(...pause, element('Say', attributes, escapeXml(sentence)), element('Hangup', {}));
}

/**
 * Forwards a caller to a number, with ringing and caller ID. If the call is not answered, the carrier asks what to do
 * (twilio.com/docs/voice/twiml/dial).
 *
 * @param phoneNumber E.164
 */
export function forwardDocument(publicBaseUrl: string, phoneNumber: string): string {
  return document(
    element(
      'Dial',
      {
        action: inboundCallUrl(publicBaseUrl),
        method: 'POST',
        answerOnBridge: 'true',
        timeout: String(forwardRingSeconds),
        timeLimit: String(forwardLimitSeconds),
      },
      escapeXml(phoneNumber),
    ),
  );
}

const forwardRingSeconds = 25;
const forwardLimitSeconds = 3600;

const usualLanguage = defaultAgentSettings.language;

/**
 * Null leaves the choice to the carrier: the default voice does not speak every language, and a wrong one ends the
 * call.
 */
function voiceFor({ voice, language }: SpeechSettings): string | null {
  return voice ?? (language === usualLanguage ? 'Joanna-Neural' : null);
}

function document(...verbs: string[]): string {
  return `<?xml version="1.0" encoding="UTF-8"?>${element('Response', {}, ...verbs)}`;
}

function element(name: string, attributes: Readonly<Record<string, string>>, ...content: string[]): string {
  const opening = Object.entries(attributes)
    .map(([attribute, value]) => ` ${attribute}="${escapeXml(value)}"`)
    .join('');
  return content.length === 0 ? `<${name}${opening}/>` : `<${name}${opening}>${content.join('')}</${name}>`;
}

/** Also drops the control characters that XML 1.0 cannot represent. */
function escapeXml(text: string): string {
  return text
    .replaceAll(/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, '')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
