import { log } from '#shared/observability/log.ts';
import { react } from '../person/person.ts';
import {
  listening,
  newPerson,
  type PersonEvent,
  type PersonState,
  type Reaction,
  type Utterance,
} from '../person/person-state.ts';
import { withoutPauses } from '../person/phrase.ts';
import { chanceBetween } from '../person/seeded.ts';
import { beep, faxTone, holdMusic } from '../sound/line-sounds.ts';
import { durationMs } from '../sound/synthesizer.ts';
import { AgentSpeech } from './agent-speech.ts';
import { Hearing } from './hearing.ts';
import type { LineContext } from './line-context.ts';
import { type RealTimes, realTimes, startingUpMs } from './real-times.ts';
import type { RelaySocket } from './relay-socket.ts';
import { type SessionEnd, sessionEndOf } from './session-end.ts';
import { speak } from './speak.ts';
import type { SpeechPiece } from './talk-cycles.ts';
import type { RelayOrder } from './twiml.ts';
import { agentVoice } from './voices.ts';

/** A person who has started speaking continues for at least this long before the words are transcribed. */
const speakingUpMs = 60;
/** Ends a conversation that goes in circles. */
const maxTurns = 300;

type Heard =
  | { readonly kind: 'over'; readonly end: SessionEnd }
  | Exclude<PersonEvent, { kind: 'picked-up' }>;

/** The person and the application talk until one of them ends it. */
export class Conversation {
  readonly #context: LineContext;
  readonly #order: RelayOrder;
  readonly #voice;
  readonly #isFresh: boolean;
  /** Prompts that have not been answered yet, or never will be. */
  #owed = 0;
  /** Whether one wait for the missing answer has already timed out. */
  #isLate = false;
  person: PersonState;

  constructor(context: LineContext, order: RelayOrder, earlier: PersonState | null) {
    this.#context = context;
    this.#order = order;
    this.#voice = agentVoice(order.voice, context.personVoice);
    this.#isFresh = earlier === null;
    this.person = earlier ?? newPerson;
  }

  async run(socket: RelaySocket): Promise<SessionEnd> {
    const { character, call } = this.#context;
    let reaction: Reaction = this.#isFresh
      ? react(character, this.person, { kind: 'picked-up' })
      : // Reconnected after a failure: the person waits.
        listening(this.person, character.defaults.silence_ms);
    let isSpeakingUp = false;
    // A person who picks up takes a moment to speak, and most applications have started by then.
    if (this.#isFresh) await socket.awaitEvent(this.#realTimes(socket).opening.early);
    for (let turn = 0; turn < maxTurns; turn += 1) {
      this.person = reaction.state;
      await this.#perform(socket, reaction, { turn, isSpeakingUp });
      if (turn === 0 && this.#order.welcomeGreeting !== null)
        await this.#agentSpeaks(socket, this.#newSpeech(), { text: this.#order.welcomeGreeting ?? '' });
      if (reaction.hangsUp) {
        await this.#context.passTime(300);
        return { status: 'completed' };
      }
      const event =
        reaction.waitsMs === null
          ? await this.#listen(socket, reaction, turn)
          : await this.#waitOut(socket, reaction.waitsMs, reaction.waitsWith);
      if (event.kind === 'over') return event.end;
      isSpeakingUp = event.kind === 'heard' && event.wasCut === true;
      reaction = react(character, this.person, event);
    }
    log('sandbox-conversation-too-long', { call_sid: call.sid });
    return { status: 'completed' };
  }

  /** The person speaks, presses keys, and a mailbox beeps. */
  async #perform(
    socket: RelaySocket,
    { utterances, isCutByKeys, presses, beeps }: Reaction,
    { turn, isSpeakingUp }: { turn: number; isSpeakingUp: boolean },
  ): Promise<void> {
    const { character, clock, track, passTime } = this.#context;
    if (utterances.length > 0 || presses !== null) {
      const [quickest, slowest] = character.defaults.reaction_ms;
      // An interrupting person does not hesitate.
      if (!isSpeakingUp) await passTime(chanceBetween(character.seed, `reaction ${turn}`, quickest, slowest));
    }
    for (const [index, utterance] of utterances.entries()) {
      if (index > 0) {
        await this.#pauseBefore(socket, utterance, `${turn} ${index}`);
        await this.#speakOver(socket, `${turn} ${index}`);
      }
      if (socket.isOver()) return;
      if (isCutByKeys && socket.hasKeysWaiting()) break;
      if (!(await this.#say(socket, utterance, isCutByKeys))) break;
    }
    if (presses !== null && this.#order.dtmfDetection) {
      for (const digit of presses) {
        await passTime(250);
        socket.send({ type: 'dtmf', digit });
      }
    }
    if (beeps) {
      track.play('person', clock.elapsedMs, beep());
      await passTime(durationMs(beep()));
    }
  }

  /** One utterance becomes one prompt; a key press cancels it. Returns whether it was completed. */
  async #say(
    socket: RelaySocket,
    { spoken, transcribed, voice }: Utterance,
    isCutByKeys: boolean,
  ): Promise<boolean> {
    this.#tellSpeaker(socket, 'clientSpeaking', 'on');
    const isWhole = await speak(
      this.#context,
      'person',
      spoken,
      voice,
      isCutByKeys ? () => socket.hasKeysWaiting() : undefined,
    );
    this.#tellSpeaker(socket, 'clientSpeaking', 'off');
    if (isWhole) {
      socket.send({ type: 'prompt', voicePrompt: transcribed, lang: this.#order.language, last: true });
      this.#owed += 1;
    }
    return isWhole;
  }

  /** Pause between utterances; long enough in real time for an answer to the first during the second. */
  async #pauseBefore(socket: RelaySocket, { spoken }: Utterance, occasion: string): Promise<void> {
    const { character, clock, passTime } = this.#context;
    const [shortest, longest] = character.defaults.pause_ms;
    const naturalMs = chanceBetween(character.seed, `between utterances ${occasion}`, shortest, longest) / 2;
    const speakingMs = (withoutPauses(spoken).length / 14) * 1000;
    const realMs = (naturalMs + speakingMs) * clock.pace;
    const { aside } = this.#realTimes(socket);
    if (realMs < aside) await socket.awaitEvent(aside - realMs);
    await passTime(naturalMs);
  }

  /** A person who keeps speaking interrupts an agent that spoke into the pause, after a word or two. */
  async #speakOver(socket: RelaySocket, occasion: string): Promise<void> {
    const piece = socket.takeSpeech();
    if (piece === null) return;
    if (!this.#isInterruptible(piece)) {
      socket.putBack(piece);
      return;
    }
    const speech = this.#newSpeech();
    const words = chanceBetween(this.#context.character.seed, `words into the pause ${occasion}`, 0, 2);
    await this.#cutShort(socket, speech, piece, speech.cutAfter(words, piece) ?? piece.text);
  }

  /** Lets time pass while no one listens: the agent's speech is on the line but unheard. */
  async #waitOut(socket: RelaySocket, waitsMs: number, waitsWith: Reaction['waitsWith']): Promise<Heard> {
    const { clock, track, passTime } = this.#context;
    const endMs = clock.elapsedMs + waitsMs;
    if (waitsWith !== 'silence') {
      const sound = waitsWith === 'music' ? holdMusic(waitsMs) : faxTone(waitsMs);
      track.play('person', clock.elapsedMs, sound);
    }
    await socket.awaitEvent(Math.min(waitsMs, this.#realTimes(socket).aside));
    const stepMs = Math.max(250, 100 / Math.max(clock.pace, 0.0001));
    const unheard = new Hearing(false);
    for (;;) {
      const event = await socket.next(0);
      if (event === null) {
        const leftMs = endMs - clock.elapsedMs;
        if (leftMs <= 0) return { kind: 'time' };
        await passTime(Math.min(leftMs, stepMs));
      } else if (event.kind === 'digits') {
        await passTime(250 * event.digits.length);
      } else if (event.kind === 'speech') {
        if (!unheard.hasBegun(event)) this.#countAnswer(socket, unheard, event);
        await this.#agentSpeaks(
          socket,
          unheard.speechOf(event, () => this.#newSpeech()),
          event,
        );
      } else {
        track.cutAt('person', clock.elapsedMs);
        return { kind: 'over', end: sessionEndOf(this.#context.call.sid, event) };
      }
    }
  }

  /** Listens to the agent: everything until it falls silent is one hearing, unless the person interrupts. */
  async #listen(socket: RelaySocket, reaction: Reaction, turn: number): Promise<Heard> {
    const { passTime } = this.#context;
    const hearing = new Hearing(this.#isFresh && turn === 0);
    const overheard = new Hearing(false);
    const patienceMs = this.#patienceMs(socket, reaction.silenceMs);
    let waitMs = patienceMs;
    let bargesIn = reaction.bargesIn;
    for (;;) {
      const event = await socket.next(waitMs);
      if (event === null) {
        this.#giveUpAnswers();
        if (hearing.text !== '') return { kind: 'heard', text: hearing.text };
        await passTime(reaction.silenceMs);
        return { kind: 'silence' };
      }
      if (event.kind === 'digits') {
        if (hearing.text !== '') {
          // Earlier speech is heard first.
          socket.putBack(event);
          return { kind: 'heard', text: hearing.text };
        }
        this.#owed = 0;
        const digits = event.digits + socket.takeKeys();
        await passTime(250 * digits.length);
        return { kind: 'keys', digits: digits.replaceAll('w', '') };
      }
      if (event.kind !== 'speech') return { kind: 'over', end: sessionEndOf(this.#context.call.sid, event) };
      if (await this.#isCutByEnd(socket, hearing, event)) continue;
      if (event.text.trim() !== '' && hearing.text === '') await this.#passThinkingTime(hearing, turn);
      if (reaction.isCutByKeys && hearing.isOpeningOf(event)) {
        // A machine reading a menu does not hear the application.
        await this.#agentSpeaks(
          socket,
          overheard.speechOf(event, () => this.#newSpeech()),
          event,
        );
        continue;
      }
      if (!hearing.hasBegun(event)) this.#countAnswer(socket, hearing, event);
      const speech = hearing.speechOf(event, () => this.#newSpeech());
      const cut = this.#isInterruptible(event) ? speech.cutAfter(bargesIn?.afterWords ?? null, event) : null;
      if (cut !== null) {
        await this.#cutShort(socket, speech, event, cut);
        return { kind: 'heard', text: hearing.text, wasCut: true };
      }
      await this.#agentSpeaks(socket, speech, event);
      if (event.isLast && hearing.text !== '') bargesIn = null;
      waitMs = hearing.text === '' ? patienceMs : this.#lullMs(socket, event, hearing);
    }
  }

  /** One missing answer may be late; after the second it is no longer expected. */
  #giveUpAnswers(): void {
    this.#owed = this.#isLate ? 0 : Math.min(this.#owed, 1);
    this.#isLate = this.#owed > 0;
  }

  /** A new talk cycle answers a prompt, unless the application opens the conversation with it. */
  #countAnswer(socket: RelaySocket, hearing: Hearing, piece: SpeechPiece): void {
    const isEarly = hearing.isOpeningOf(piece);
    // The first words of an application on a cold start may be late and still be its opening.
    hearing.isOpening =
      hearing.isFirst && hearing.cycles === 0 && !isEarly && (socket.slowestResponseMs ?? 0) > startingUpMs;
    if (!isEarly && !hearing.isOpening) this.#owed = Math.max(0, this.#owed - 1);
  }

  /** The person interrupts the agent: the rest is never said, and the application is notified. */
  async #cutShort(
    socket: RelaySocket,
    speech: AgentSpeech,
    { cycle }: SpeechPiece,
    heard: string,
  ): Promise<void> {
    this.#tellSpeaker(socket, 'agentSpeaking', 'on');
    await speech.speak(heard);
    this.#tellSpeaker(socket, 'agentSpeaking', 'off');
    this.#owed = 0;
    socket.send({ type: 'interrupt', ...speech.untilCut });
    await socket.drop(cycle);
    await socket.awaitEvent(speakingUpMs);
  }

  #isInterruptible({ isInterruptible }: SpeechPiece): boolean {
    return isInterruptible ?? ['speech', 'any'].includes(this.#order.interruptible);
  }

  /** Real time that counts as silence for the person. */
  #patienceMs(socket: RelaySocket, silenceMs: number): number {
    const { pace } = this.#context.clock;
    return Math.max(silenceMs * pace, Math.min(silenceMs, this.#realTimes(socket).thinking));
  }

  /** Real time without another word after which the agent has finished. */
  #lullMs(socket: RelaySocket, { receivedAt, isLast }: SpeechPiece, hearing: Hearing): number {
    const { clock, character } = this.#context;
    const { answering, opening, owing, settling } = this.#realTimes(socket);
    // Speech from before the person had finished is no answer yet: they wait a little for one.
    if (receivedAt < hearing.beganAt) return answering;
    if (hearing.isOpening) return opening.late;
    if (this.#owed > 0) return owing;
    const followsPlayback = this.#order.tellsSpeakers || this.#order.tellsTokensPlayed;
    // What comes with it was awaited before speaking, and speaking took no time in which more could arrive.
    if (isLast && hearing.pieces === 1 && clock.pace === 0 && !followsPlayback) return 0;
    return Math.max(settling, character.defaults.reaction_ms[0] * clock.pace);
  }

  #realTimes(socket: RelaySocket): RealTimes {
    return realTimes(this.#context.clock.pace, socket.slowestResponseMs);
  }

  /** Speech still queued at `end` is lost, unless this network plays it. */
  async #isCutByEnd(socket: RelaySocket, hearing: Hearing, piece: SpeechPiece): Promise<boolean> {
    if (this.#context.character.network.end_flushes_speech || piece.text.trim() === '') return false;
    if (!socket.isOver() && !hearing.hasBegun(piece)) {
      await new Promise((resolve) => setTimeout(resolve, this.#realTimes(socket).settling));
    }
    return socket.isOver();
  }

  /** No one answers in no time; uses the application's real time if longer. */
  async #passThinkingTime({ beganAt }: Hearing, turn: number): Promise<void> {
    await this.#context.passTime(
      Math.max(
        performance.now() - beganAt,
        chanceBetween(this.#context.character.seed, `thinking ${turn}`, 500, 1100),
      ),
    );
  }

  #newSpeech(): AgentSpeech {
    return new AgentSpeech(this.#context, this.#voice);
  }

  async #agentSpeaks(
    socket: RelaySocket,
    speech: AgentSpeech,
    { text }: Pick<SpeechPiece, 'text'>,
  ): Promise<void> {
    if (text.trim() === '') return;
    this.#tellSpeaker(socket, 'agentSpeaking', 'on');
    await speech.speak(text);
    if (this.#order.tellsTokensPlayed)
      socket.send({ type: 'info', name: 'tokensPlayed', value: text.trim() });
    this.#tellSpeaker(socket, 'agentSpeaking', 'off');
  }

  #tellSpeaker(socket: RelaySocket, name: 'agentSpeaking' | 'clientSpeaking', value: 'on' | 'off'): void {
    if (this.#order.tellsSpeakers) socket.send({ type: 'info', name, value });
  }
}
