import type { Sentence } from '../language/text.ts';
import type { Heard } from './understanding.ts';

const bookedCue =
  /^(?:(?:okay|ok|alright|all right|great|perfect|yes|yep|sure|and|there)[,. ]+)*(?:all )?(?:done|booked|scheduled|confirmed|reserved)\b|\b(?:booked|all set|you're set|set (?:up )?for|(?:is|are|got|been|now) scheduled|scheduled (?:for|him|her|them|you|it|that)|rescheduled|confirmed|(?:got|have|put|placed|penciled|pencilled|added|moved|switched|changed|rescheduled|entered|down)(?! (?:an?|any\w*|something|nothing|what|openings?|some|two|three|several|times?|to|the (?:first|next|following)) )(?: \w+){0,4} (?:down|in\b|to\b|on (?:the|our|for|monday|tuesday|wednesday|thursday|friday|saturday)|for (?:monday|tuesday|wednesday|thursday|friday|saturday|the|\d|november|december|january|february))|(?:on|in) (?:the|our|my|his|her|their|the doctor's) (?:schedule|calendar|books?|system|computer)|(?:is|are|'s|got|been|have|has) (?:\w+ )?(?:saved|entered|blocked off|penciled in)\b|\b(?:it|system|computer) (?:took|accepted) (?:it|that)|\bwent through\b|\b(?:just|already) (?:book(?:ed)?|did) (?:that|it)\b|(?:see|seeing) (?:him|her|them|you|the patient|(?!is|it|that|what|the|one)\w{3,}) (?:then|on|there|at|next|tomorrow|monday|tuesday|wednesday|thursday|friday|saturday|in)\b|confirmation (?:number|code)(?: for (?:that|this|it))? is|(?:is|are|'s) in (?:for|on)\b|reserved|taken care of|locked in|it's in (?:the|our) system|look(?:ing)? forward to seeing|good to go|(?:it|that|this|everything)(?:'s| is) (?:all )?(?:done|set|in)|all done|you got it)\b/;
const notYetCue =
  /\b(?:can|could|let me|let's|before|in order to|would|if|once|want me|should i|shall i|need to|needs to|have to|going to|about to|will be|not|n't|unable|as soon as|when i|to get|while i|trying|anything|nothing|no openings?)\b|n't\b/;

/** The sentence that says that it is booked, if one does. */
export function confirmationIn({ sentences }: Pick<Heard, 'sentences'>): Sentence | null {
  return (
    sentences.find(({ isQuestion, plain }) => {
      if (isQuestion || !bookedCue.test(plain)) return false;
      if (/\bbooked (?:up|out|solid)|fully booked|we(?:'re| are) all booked|completely booked\b/.test(plain))
        return false;
      const cue = bookedCue.exec(plain);
      const before = plain.slice(0, cue?.index ?? 0);
      return !notYetCue.test(before);
    }) ?? null
  );
}

/** What is said of an appointment that is already made, and of no offer. */
const settledCue =
  /\b(?:booked|all set|you're set|is set|scheduled|confirmed|reserved|confirmation (?:number|code)|good to go|(?:put|got|have) (?:him|her|them|you|the patient|\w+) (?:down|in) (?:for|on|at)|see (?:him|her|them|you) (?:then|there|on))\b/;

/** A booking that comes with an offer which nobody has taken yet has to be said plainly. */
export function settledIn(heard: Pick<Heard, 'sentences'>): Sentence | null {
  const sentence = confirmationIn(heard);
  return sentence !== null && settledCue.test(sentence.plain) ? sentence : null;
}

/** Words by which a slot that was offered is taken back. */
export const goneCue =
  /\b(?:(?:just|already|now) (?:been )?(?:taken|booked|gone|filled|snapped)|no longer (?:available|open)|(?:someone|somebody) (?:just |else )?(?:took|booked|grabbed)|not available (?:any ?more|after all)|isn't available|got taken|was taken|is taken|is gone|slot (?:is )?(?:gone|taken)|lost that)\b/;
