import { log } from '#shared/observability/log.ts';
import { newPerson, type PersonState, type Reaction, react } from '../person/person.ts';
import { chanceBetween } from '../person/seeded.ts';
import { newSid } from '../wire.ts';
import { CallCut, type LineContext } from './line-context.ts';
import { type RelayEvent, RelaySocket } from './relay-socket.ts';
import { speak } from './speak.ts';
import type { RelayOrder } from './twiml.ts';
import { agentVoice } from './voices.ts';

/** How a session over the relay ended, in the words of the action callback. */
type SessionEnd =
  | { readonly status: 'ended'; readonly handoffData: string | null }
  | { readonly status: 'completed' }
  | { readonly status: 'failed'; readonly errorCode: string; readonly errorMessage: string };

export interface Session {
  readonly sessionId: string;
  readonly end: SessionEnd;
  readonly durationMs: number;
  readonly person: PersonState;
}

/**
 * However fast the simulated clock runs, an application needs real time to think. A silence counts as one only after
 * this much real time (or its natural length, if that is shorter).
 */
const thinkingTimeMs = 7000;
/** Real time in which frames that belong together arrive. */
const settleMs = 25;
/** Real time in which an answer comes when the agent was already speaking. */
const answerTimeMs = 1500;
/** A conversation that goes round in circles ends somewhere. */
const maxTurns = 150;

/** Connects the person to the application over the relay and lets them talk until one of them ends it. */
export async function converse(
  context: LineContext,
  order: RelayOrder,
  earlier: PersonState | null,
): Promise<Session> {
  const { call, clock, character } = context;
  const sessionId = newSid('VX');
  const startedMs = clock.elapsedMs;
  const conversation = new Conversation(context, order, earlier);
  const finish = (end: SessionEnd): Session => ({
    sessionId,
    end,
    durationMs: clock.elapsedMs - startedMs,
    person: conversation.person,
  });
  const socket = await RelaySocket.open({
    url: order.url,
    authToken: context.authToken,
    signsTrailingSlash: character.network.signs_trailing_slash,
    onResponse: context.noteResponseTime,
  });
  if (socket === null) {
    log('sandbox-relay-refused', { call_sid: call.sid });
    return finish({
      status: 'failed',
      errorCode: '64102',
      errorMessage: 'Unable to connect to WebSocket URL',
    });
  }
  try {
    socket.send({
      type: 'setup',
      sessionId,
      accountSid: call.account_sid,
      parentCallSid: '',
      callSid: call.sid,
      from: call.from,
      to: call.to,
      forwardedFrom: '',
      callerName: '',
      callType: 'PSTN',
      direction: character.network.setup_direction,
      callStatus: character.network.setup_call_status,
      customParameters: order.parameters,
    });
    const end = await conversation.run(socket);
    socket.close(end.status === 'completed' ? character.network.close_code_on_hang_up : 1000);
    return finish(end);
  } catch (error) {
    socket.close(character.network.close_code_on_hang_up);
    if (error instanceof CallCut) throw new ConversationCut(finish({ status: 'completed' }));
    throw error;
  }
}

/** The call was cut in the middle of a conversation, of which this is left. */
export class ConversationCut extends CallCut {
  readonly session: Session;

  constructor(session: Session) {
    super();
    this.session = session;
  }
}

type Heard =
  | { readonly kind: 'heard'; readonly text: string }
  | { readonly kind: 'keys'; readonly digits: string }
  | { readonly kind: 'silence' }
  | { readonly kind: 'over'; readonly end: SessionEnd };

class Conversation {
  readonly #context: LineContext;
  readonly #order: RelayOrder;
  readonly #voice;
  readonly #isFresh: boolean;
  person: PersonState;

  constructor(context: LineContext, order: RelayOrder, earlier: PersonState | null) {
    this.#context = context;
    this.#order = order;
    this.#voice = agentVoice(order.voice, context.personVoice);
    this.#isFresh = earlier === null;
    this.person = earlier ?? newPerson;
  }

  async run(socket: RelaySocket): Promise<SessionEnd> {
    const { character } = this.#context;
    let reaction: Reaction = this.#isFresh
      ? react(character, this.person, { kind: 'picked-up' })
      : // Put through again after a failure: the person waits for what comes.
        {
          state: this.person,
          says: null,
          presses: null,
          hangsUp: false,
          silenceMs: character.manners.silence_ms,
        };
    for (let turn = 0; turn < maxTurns; turn += 1) {
      this.person = reaction.state;
      await this.#perform(socket, reaction, turn);
      if (turn === 0 && this.#order.welcomeGreeting !== null) {
        await this.#agentSpeaks(socket, this.#order.welcomeGreeting);
      }
      if (reaction.hangsUp) {
        await this.#context.passTime(300);
        return { status: 'completed' };
      }
      const heard = await this.#listen(socket, reaction.silenceMs, turn);
      if (heard.kind === 'over') return heard.end;
      reaction = react(character, this.person, heard);
    }
    log('sandbox-conversation-too-long', { call_sid: this.#context.call.sid });
    return { status: 'completed' };
  }

  async #perform(socket: RelaySocket, reaction: Reaction, turn: number): Promise<void> {
    const { character, passTime, personVoice } = this.#context;
    if (reaction.says === null && reaction.presses === null) return;
    const [quickest, slowest] = character.manners.reaction_ms;
    await passTime(chanceBetween(character.seed, `reaction ${turn}`, quickest, slowest));
    if (reaction.says !== null) {
      if (this.#order.tellsSpeakers) socket.send({ type: 'info', name: 'clientSpeaking', value: 'on' });
      const voicePrompt = await speak(this.#context, 'person', reaction.says, personVoice);
      if (this.#order.tellsSpeakers) socket.send({ type: 'info', name: 'clientSpeaking', value: 'off' });
      socket.send({ type: 'prompt', voicePrompt, lang: this.#order.language, last: true });
    }
    if (reaction.presses !== null && this.#order.dtmfDetection) {
      for (const digit of reaction.presses) {
        await passTime(250);
        socket.send({ type: 'dtmf', digit });
      }
    }
  }

  /** Hears the agent out: everything it says before it falls silent is one hearing. */
  async #listen(socket: RelaySocket, silenceMs: number, turn: number): Promise<Heard> {
    const { clock, character } = this.#context;
    const askedAt = performance.now();
    const patienceMs = Math.max(silenceMs * clock.pace, Math.min(silenceMs, thinkingTimeMs));
    const texts: string[] = [];
    let waitMs = patienceMs;
    for (;;) {
      const event = await socket.next(waitMs);
      if (event === null) {
        if (texts.length > 0) return { kind: 'heard', text: texts.join(' ') };
        await this.#context.passTime(silenceMs);
        return { kind: 'silence' };
      }
      if (event.kind === 'utterance') {
        if (event.text === '') continue;
        if (await this.#isCutByEnd(socket)) continue;
        if (texts.length === 0) await this.#passThinkingTime(performance.now() - askedAt, turn);
        await this.#agentSpeaks(socket, event.text);
        texts.push(event.text);
        // What was said before the person had finished is no answer yet: they wait a little for one.
        const minWaitMs = event.receivedAt < askedAt ? answerTimeMs : settleMs;
        waitMs = Math.max(minWaitMs, character.manners.reaction_ms[0] * clock.pace);
        continue;
      }
      if (event.kind === 'digits') {
        await this.#context.passTime(250 * event.digits.length);
        return { kind: 'keys', digits: event.digits };
      }
      return { kind: 'over', end: this.#sessionEnd(event) };
    }
  }

  #sessionEnd(event: Extract<RelayEvent, { kind: 'end' | 'closed' }>): SessionEnd {
    if (event.kind === 'end') return { status: 'ended', handoffData: event.handoffData };
    log('sandbox-relay-closed-by-application', { call_sid: this.#context.call.sid, code: event.code });
    return {
      status: 'failed',
      errorCode: '64105',
      errorMessage: event.isTooMalformed
        ? 'Too many consecutive malformed messages'
        : 'WebSocket ended by the server during the call',
    };
  }

  /** Speech that was only queued when `end` came is lost, unless this network lets it play. */
  async #isCutByEnd(socket: RelaySocket): Promise<boolean> {
    if (this.#context.character.network.end_flushes_speech) return false;
    if (!socket.hasEndWaiting()) await new Promise((resolve) => setTimeout(resolve, settleMs));
    return socket.hasEndWaiting();
  }

  /** Nobody answers within no time; what the application really took counts if it was longer. */
  async #passThinkingTime(realMs: number, turn: number): Promise<void> {
    await this.#context.passTime(
      Math.max(realMs, chanceBetween(this.#context.character.seed, `thinking ${turn}`, 500, 1100)),
    );
  }

  async #agentSpeaks(socket: RelaySocket, text: string): Promise<void> {
    if (this.#order.tellsSpeakers) socket.send({ type: 'info', name: 'agentSpeaking', value: 'on' });
    await speak(this.#context, 'agent', text, this.#voice);
    if (this.#order.tellsTokensPlayed) socket.send({ type: 'info', name: 'tokensPlayed', value: text });
    if (this.#order.tellsSpeakers) socket.send({ type: 'info', name: 'agentSpeaking', value: 'off' });
  }
}
