import type { LikelyListener } from '../dialogue/likely-listener.ts';
import type { Heard } from './understanding.ts';

/**
 * Whether these are the words of a machine that takes messages. Where detection says that a person picked up, words
 * that only mention such a machine are theirs; words by which it presents itself or asks for a message are believed all
 * the same, because nothing may be told to a mailbox.
 */
export function isMailbox({ signals, sentences }: Heard, listener: LikelyListener | null): boolean {
  if (!signals.has('voicemail')) return false;
  return listener !== 'human' || sentences.some(({ plain }) => speaksAsMailbox.test(plain));
}

const speaksAsMailbox =
  /\b(?:reached|this is|forwarded to|connected to|welcome to)\b.{0,60}\b(?:voice ?mail|mailbox)\b|\b(?:voice ?mail|mailbox) (?:of|for|system|box|number)\b|\b(?:leave|record)\b.{0,30}\b(?:message|name|number)\b|\b(?:after|at) the (?:tone|beep)\b|\b(?:not|n't|unable) (?:currently )?(?:available|able|here)? ?(?:to (?:take|answer|come to)) (?:your|the) (?:call|phone)\b/;
