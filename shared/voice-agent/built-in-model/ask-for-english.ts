import spanish from '../language/es/greetings.json' with { type: 'json' };
import type { Heard } from '../understanding/understand.ts';
import type { TurnDraft } from './turn-draft.ts';

/**
 * Answers a Spanish speaker: asks in Spanish for an English speaker, a second time if needed, then says goodbye;
 * at a wrong number, at once. Always decides the turn.
 */
export function askForEnglish(draft: TurnDraft, { said, tokens }: Heard): true {
  const { attempts } = draft.memory;
  const words = tokens.map(({ text }) => text.toLowerCase().normalize('NFD').replaceAll(/\p{M}/gu, ''));
  const holds = (some: readonly string[]): boolean => words.some((word) => some.includes(word));
  if (holds(spanish.mailboxWords)) {
    draft.end('voicemail', 'voicemail');
    return true;
  }
  if (saysWrongNumber(words)) {
    draft.end('wrong-number', 'wrong-number');
    return true;
  }
  const asked = attempts.english ?? 0;
  const isRecording = holds(spanish.recordingWords);
  if (isRecording || (asked > 0 && holds(spanish.waitWords))) {
    draft.memory.line = isRecording ? 'machine' : 'transfer';
    draft.wait();
    return true;
  }
  attempts.english = asked + 1;
  const question = spanish.askForEnglish[asked];
  if (question !== undefined) draft.say(question, { kind: 'question' });
  else {
    draft.followUp(`Nobody there spoke English. They said in Spanish: "${said.trim()}"`);
    draft.end('gave-up', 'follow-up');
  }
  return true;
}

/** "Está equivocado", "no, no, está equivocado"; "no está equivocado" may deny it. */
function saysWrongNumber(words: readonly string[]): boolean {
  return words.some((word, at) => {
    const isDenied = words[at - 2] === 'no' && words[at - 3] !== 'no';
    return spanish.wrongNumberWords.includes(word) && !isDenied;
  });
}
