import type { CalledPerson } from '#shared/sandbox-phone/store/sandbox-call.ts';
import type { Held } from '../held.ts';

export type Exchange = CalledPerson['exchanges'][number];

/** The exchange that contains the words of a transcript's turn; null if unknown. */
export function whatWasSaidAt({ transcript, called }: Held, turn: number): Exchange | null {
  const said = (called?.exchanges ?? []).flatMap((exchange) =>
    exchange.says.map((words) => ({ exchange, words })),
  );
  let next = 0;
  for (const [position, line] of transcript.entries()) {
    if (line.role !== 'user') continue;
    // What a key interrupted never reached the transcript.
    const found = said.findIndex(
      ({ words }, index) => index >= next && words === (line.said ?? line.content),
    );
    if (found >= 0) next = found + 1;
    if (position === turn) return found < 0 ? null : (said[found]?.exchange ?? null);
  }
  return null;
}

/** Occasions on which a person says nothing that answers a question. */
const idleOccasions = [
  /^do not know$/,
  /^asked in vain /,
  /^say again$/,
  /^asks to repeat$/,
  /^how can i help$/,
  /^anything else$/,
  /^noted$/,
  /^ask /,
  /^heard /,
  / welcome$/,
  /^without it$/,
  /^refuses$/,
  /^still there$/,
  /^giving up$/,
  /^goodbye$/,
  /^looks up$/,
  /^is back$/,
  /^interrupts$/,
  /^asked too often$/,
  /^nothing booked$/,
  / became ready$/,
  /^topic (good time|willing|recording consent|press one|business name)$/,
];

/** Whether nothing was said that answers anything. */
export function isIdleTalk({ about, isHuman }: Exchange): boolean {
  return (
    isHuman &&
    about.length > 0 &&
    about.every((occasion) => idleOccasions.some((idle) => idle.test(occasion)))
  );
}

/** What the person wanted to know before they continued, by the names in their file: "date of birth". */
export function slotsAskedFor({ called }: Held): string[] {
  const occasions = (called?.exchanges ?? []).flatMap(({ about }) => about);
  return [...new Set(occasions)].flatMap((occasion) =>
    occasion.startsWith('ask ') ? [occasion.slice('ask '.length).replaceAll('_', ' ')] : [],
  );
}

/** Something that the person wants to know from the caller, in their own words. */
export function asksTheCaller({ about, says, isHuman }: Exchange): boolean {
  if (!isHuman) return false;
  if (about.some((occasion) => occasion.startsWith('ask '))) return true;
  return (
    about.some((occasion) => /^(aside|nosy) /.test(occasion) || occasion === 'interrupts') &&
    says.some(
      (words) => words.includes('?') || /^(who|what|why|how|are you|is this|am i|do you)\b/i.test(words),
    )
  );
}
