import { XMLParser, XMLValidator } from 'fast-xml-parser';
import * as z from 'zod/mini';
import { pollyVoices } from './polly-voices.ts';

/** A request in a document that the carrier would refuse; the message names elements and attributes, never values. */
export class TwimlError extends Error {
  override readonly name = 'TwimlError';
}

export type Verb =
  | { readonly verb: 'start-recording'; readonly recording: RecordingOrder }
  | { readonly verb: 'connect'; readonly action: string | null; readonly relay: RelayOrder }
  | { readonly verb: 'dial'; readonly action: string | null; readonly dial: DialOrder }
  | { readonly verb: 'say'; readonly text: string; readonly voice: string | null }
  | { readonly verb: 'pause'; readonly seconds: number }
  | { readonly verb: 'hangup' };

export interface RecordingOrder {
  readonly channels: 'mono' | 'dual';
  readonly track: string;
  readonly trimsSilence: boolean;
  readonly callback: string | null;
  readonly callbackEvents: readonly ('in-progress' | 'completed' | 'absent')[];
}

export interface DialOrder {
  /** E.164 */
  readonly number: string;
  readonly ringTimeoutSeconds: number;
}

export interface RelayOrder {
  readonly url: string;
  readonly welcomeGreeting: string | null;
  readonly voice: string | null;
  readonly language: string;
  /** Whether the carrier has the voice and the language; without them it breaks the session off. */
  readonly isSpeakable: boolean;
  /** Which input of the person interrupts the agent, unless a frame says otherwise. */
  readonly interruptible: 'none' | 'dtmf' | 'speech' | 'any';
  readonly dtmfDetection: boolean;
  readonly tellsSpeakers: boolean;
  readonly tellsTokensPlayed: boolean;
  readonly parameters: Readonly<Record<string, string>>;
}

/** An element as the parser gives it, after its odd shape was put right. */
interface Element {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly (Element | string)[];
}

/**
 * Parses a document strictly: an undocumented element or attribute, an invalid value, or a name in other case is an
 * error, because the carrier would silently ignore or refuse it.
 */
export function parseTwiml(xml: string): Verb[] {
  const root = parseXml(xml);
  if (root.name !== 'Response') throw new TwimlError('the root element must be Response');
  checkAttributes(root, {});
  return elementsOf(root).map(toVerb);
}

function toVerb(element: Element): Verb {
  switch (element.name) {
    case 'Start': {
      checkAttributes(element, {});
      return { verb: 'start-recording', recording: toRecording(onlyChild(element, 'Recording')) };
    }
    case 'Connect': {
      const { action = null } = checkAttributes(element, { action: anything, method: oneOf('POST') });
      return { verb: 'connect', action, relay: toRelay(onlyChild(element, 'ConversationRelay')) };
    }
    case 'Dial': {
      const attributes = checkAttributes(element, {
        action: anything,
        method: oneOf('POST'),
        answerOnBridge: boolean,
        callerId: phoneNumber,
        timeout: wholeNumber,
        timeLimit: wholeNumber,
      });
      const number = textOf(element);
      if (!phoneNumber(number)) throw new TwimlError('Dial must hold a number');
      return {
        verb: 'dial',
        action: attributes.action ?? null,
        dial: { number, ringTimeoutSeconds: Number(attributes.timeout ?? '30') },
      };
    }
    case 'Say': {
      const { voice = null } = checkAttributes(element, { voice: anything, language: anything });
      return { verb: 'say', text: textOf(element), voice };
    }
    case 'Pause': {
      const { length = '1' } = checkAttributes(element, { length: wholeNumber });
      noChildren(element);
      return { verb: 'pause', seconds: Number(length) };
    }
    case 'Hangup':
      checkAttributes(element, {});
      noChildren(element);
      return { verb: 'hangup' };
    default:
      throw new TwimlError(`verb ${element.name} is not known to the sandbox phone`);
  }
}

function toRecording(element: Element): RecordingOrder {
  noChildren(element);
  const attributes = checkAttributes(element, {
    channels: oneOf('mono', 'dual'),
    track: oneOf('inbound', 'outbound', 'both'),
    trim: oneOf('trim-silence', 'do-not-trim'),
    recordingStatusCallback: absoluteUrl,
    recordingStatusCallbackMethod: oneOf('POST'),
    recordingStatusCallbackEvent: listOf('in-progress', 'completed', 'absent'),
    name: anything,
  });
  return {
    channels: attributes.channels === 'mono' ? 'mono' : 'dual',
    track: attributes.track ?? 'both',
    trimsSilence: attributes.trim === 'trim-silence',
    callback: attributes.recordingStatusCallback ?? null,
    callbackEvents: words(attributes.recordingStatusCallbackEvent ?? 'completed').flatMap((event) =>
      event === 'in-progress' || event === 'completed' || event === 'absent' ? [event] : [],
    ),
  };
}

function toRelay(element: Element): RelayOrder {
  const attributes = checkAttributes(element, {
    url: relayUrl,
    welcomeGreeting: anything,
    welcomeGreetingInterruptible: interruption,
    language: anything,
    ttsLanguage: anything,
    transcriptionLanguage: anything,
    ttsProvider: oneOf('Google', 'Amazon', 'ElevenLabs'),
    voice: anything,
    elevenlabsTextNormalization: oneOf('on', 'auto', 'off'),
    transcriptionProvider: oneOf('Google', 'Deepgram'),
    speechModel: anything,
    deepgramSmartFormat: boolean,
    speechTimeout: (value) => value === 'auto' || isBetween(value, 600, 5000),
    eotThreshold: (value) => isBetween(value, 0.5, 0.9),
    partialPrompts: boolean,
    interruptible: interruption,
    interruptSensitivity: oneOf('low', 'medium', 'high'),
    ignoreBackchannel: boolean,
    reportInputDuringAgentSpeech: oneOf('none', 'dtmf', 'speech', 'any'),
    dtmfDetection: boolean,
    preemptible: boolean,
    hints: anything,
    events: listOf('speaker-events', 'tokens-played'),
    debug: listOf('debugging', 'speaker-events', 'tokens-played'),
  });
  const { url } = attributes;
  if (url === undefined) throw new TwimlError('ConversationRelay needs the attribute url');
  const parameters: Record<string, string> = {};
  for (const child of elementsOf(element)) {
    if (child.name === 'Language') {
      checkAttributes(child, {
        code: anything,
        ttsProvider: anything,
        voice: anything,
        transcriptionProvider: anything,
        speechModel: anything,
      });
      continue;
    }
    if (child.name !== 'Parameter') {
      throw new TwimlError(`ConversationRelay may not hold ${child.name}`);
    }
    const { name, value } = checkAttributes(child, { name: anything, value: anything });
    if (name === undefined || value === undefined) throw new TwimlError('Parameter needs name and value');
    parameters[name] = value;
  }
  const events = words(`${attributes.events ?? ''} ${attributes.debug ?? ''}`);
  return {
    url,
    welcomeGreeting: attributes.welcomeGreeting ?? null,
    voice: attributes.voice ?? null,
    language: attributes.language ?? usualLanguage,
    isSpeakable: isSpeakable(attributes),
    interruptible: interruptibleBy(attributes.interruptible),
    dtmfDetection: attributes.dtmfDetection === 'true',
    tellsSpeakers: events.includes('speaker-events'),
    tellsTokensPlayed: events.includes('tokens-played'),
    parameters,
  };
}

const usualLanguage = 'en-US';

/** Each of Amazon's voices speaks one language or two. The sandbox does not know the voices of the other providers. */
function isSpeakable({
  ttsProvider,
  voice,
  language = usualLanguage,
  ttsLanguage = language,
}: Readonly<Partial<Record<string, string>>>): boolean {
  if (ttsProvider !== 'Amazon') return true;
  const voices = pollyVoices.get(ttsLanguage);
  return voices !== undefined && (voice === undefined || voices.includes(voice));
}

/** Anything interrupts unless the document says otherwise; `true` and `false` are older words for `any` and `none`. */
function interruptibleBy(value = 'any'): RelayOrder['interruptible'] {
  if (value === 'none' || value === 'false') return 'none';
  return value === 'dtmf' || value === 'speech' ? value : 'any';
}

type Check = (value: string) => boolean;

const anything: Check = () => true;
const phoneNumber: Check = (value) => /^\+[1-9]\d{1,14}$/.test(value);
const wholeNumber: Check = (value) => /^\d+$/.test(value);
const boolean = oneOf('true', 'false');
const interruption = oneOf('none', 'dtmf', 'speech', 'any', 'true', 'false');
const absoluteUrl: Check = (value) => /^https?:\/\//.test(value) && URL.canParse(value);

/** The carrier accepts only `wss://`; the sandbox also accepts `ws://` to this machine. */
const relayUrl: Check = (value) => {
  if (!URL.canParse(value)) return false;
  const { protocol, hostname } = new URL(value);
  return (
    protocol === 'wss:' || (protocol === 'ws:' && ['127.0.0.1', 'localhost', '[::1]'].includes(hostname))
  );
};

function oneOf(...allowed: string[]): Check {
  return (value) => allowed.includes(value);
}

function listOf(...allowed: string[]): Check {
  return (value) => words(value).every((word) => allowed.includes(word));
}

function isBetween(value: string, low: number, high: number): boolean {
  return /^\d+(\.\d+)?$/.test(value) && Number(value) >= low && Number(value) <= high;
}

function words(text: string): string[] {
  return text.split(/\s+/).filter((word) => word !== '');
}

function checkAttributes(
  element: Element,
  known: Readonly<Record<string, Check>>,
): Readonly<Partial<Record<string, string>>> {
  const checks = new Map(Object.entries(known));
  const checked: Partial<Record<string, string>> = {};
  for (const [name, value] of Object.entries(element.attributes)) {
    const check = checks.get(name);
    if (check === undefined) throw new TwimlError(`${element.name} has the unknown attribute ${name}`);
    if (!check(value))
      throw new TwimlError(`attribute ${name} of ${element.name} has a value that is not allowed`);
    checked[name] = value;
  }
  return checked;
}

function elementsOf(element: Element): Element[] {
  return element.children.map((child) => {
    if (typeof child === 'string') throw new TwimlError(`${element.name} may not hold text`);
    return child;
  });
}

function onlyChild(element: Element, name: string): Element {
  const [child, ...others] = elementsOf(element);
  if (child?.name !== name || others.length > 0) {
    throw new TwimlError(`${element.name} must hold exactly one ${name}`);
  }
  return child;
}

function noChildren(element: Element): void {
  if (element.children.length > 0) throw new TwimlError(`${element.name} must be empty`);
}

function textOf(element: Element): string {
  return element.children
    .map((child) => {
      if (typeof child !== 'string') throw new TwimlError(`${element.name} may hold text only`);
      return child;
    })
    .join('')
    .trim();
}

/** In the parser's ordered form a node has its element's name as its only other key beside `:@`, its attributes. */
const ParsedNode = z.record(z.string(), z.unknown());
const ParsedNodes = z.array(ParsedNode);
const ParsedAttributes = z.record(z.string(), z.string());

const parser = new XMLParser({
  preserveOrder: true,
  ignoreAttributes: false,
  attributeNamePrefix: '',
  parseTagValue: false,
  parseAttributeValue: false,
  trimValues: false,
  ignoreDeclaration: true,
});

function parseXml(xml: string): Element {
  // A document type could define entities, which no carrier document needs.
  if (/<!DOCTYPE/i.test(xml)) throw new TwimlError('a document type is not allowed');
  if (XMLValidator.validate(xml) !== true) throw new TwimlError('the document is not well-formed XML');
  const nodes = ParsedNodes.safeParse(parser.parse(xml));
  if (!nodes.success) throw new TwimlError('the document cannot be read');
  const roots = nodes.data.flatMap(toChildren);
  const [root] = roots;
  if (root === undefined || typeof root === 'string' || roots.length > 1) {
    throw new TwimlError('the document must have one root element');
  }
  return root;
}

function toChildren(node: z.infer<typeof ParsedNode>): (Element | string)[] {
  const name = Object.keys(node).find((key) => key !== ':@');
  if (name === undefined || name.startsWith('?')) return [];
  const content = node[name];
  if (name === '#text') {
    const text = String(content);
    return text.trim() === '' ? [] : [text];
  }
  const attributes = ParsedAttributes.safeParse(node[':@'] ?? {});
  const children = ParsedNodes.safeParse(content);
  if (!attributes.success || !children.success) throw new TwimlError(`element ${name} cannot be read`);
  return [{ name, attributes: attributes.data, children: children.data.flatMap(toChildren) }];
}
