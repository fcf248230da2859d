import { type AgentSettings, defaultAgentSettings } from '#shared/domain/agent-settings.ts';
import { callbackUrl } from './callbacks.ts';

/*
 * The documents that tell the carrier what to do with a call (TwiML), written by hand because they are few and small.
 * The carrier keeps them in its logs, so they hold identifiers and neutral sentences only, no health information.
 * Attribute names are XML and case-sensitive.
 */

/** How a project wants its conversations to sound, and what speech recognition should expect. */
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
 * Records the call and connects it to the voice agent. The recording is started here because the carrier
 * ignores or refuses every other way on calls that use its relay; it stands first because `<Connect>` does
 * not come back before the conversation is over. The callback of a recording must be absolute. Both tracks,
 * untrimmed, keep the recording as long as the call and its offsets equal to the transcript's.
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
          // What is said while the agent speaks is heard, even when it does not interrupt.
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

/** Ends the call without a word. */
export function hangUpDocument(): string {
  return document(element('Hangup', {}));
}

/** Says one sentence, in the voice of the conversation, and ends the call. */
export function farewellDocument(sentence: string, speech: SpeechSettings = defaultAgentSettings): string {
  const voice = voiceFor(speech);
  const attributes = {
    ...(voice === null ? {} : { voice: `Polly.${voice}` }),
    ...(speech.language === usualLanguage ? {} : { language: speech.language }),
  };
  return document(element('Say', attributes, escapeXml(sentence)), element('Hangup', {}));
}

const usualLanguage = defaultAgentSettings.language;

/**
 * Null leaves the choice to the carrier: the usual voice does not speak every language, and a wrong one ends
 * the call.
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

/** Also drops the control characters that XML 1.0 cannot hold in any form. */
function escapeXml(text: string): string {
  return text
    .replaceAll(/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, '')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
