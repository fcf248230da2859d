import type { Character } from '../person/character.ts';
import type { Speech } from '../sound/speech.ts';
import type { Voice } from '../sound/synthesizer.ts';
import type { SandboxCall } from '../store/sandbox-call.ts';
import type { CallClock } from './call-clock.ts';
import type { SoundTrack } from './sound-track.ts';

/** Shared by all parts of a running call. */
export interface LineContext {
  readonly call: SandboxCall;
  readonly authToken: string;
  readonly publicBaseUrl: string;
  readonly relayUrl: string;
  readonly clock: CallClock;
  readonly track: SoundTrack;
  readonly character: Character;
  readonly personVoice: Voice;
  readonly speech: Speech;
  /** Records how long the application took to answer a prompt, in real milliseconds. */
  noteResponseTime(realMs: number): void;
  /**
   * Lets natural time pass and records that the line is alive. Throws `CallCut` when the REST API ended the call, its
   * time limit is reached or the function runs out of time.
   */
  passTime(naturalMs: number): Promise<void>;
}

/** Ends the call in any state. */
export class CallCut extends Error {
  override readonly name = 'CallCut';
}
