import { pendingQuestion } from './side-talk.ts';
import type { TurnDraft } from './turn-draft.ts';
import type { Heard } from './understanding.ts';

/** What somebody says who wants the assistant to do something else than its task. */
const temptations: readonly RegExp[] = [
  // taking over
  /\b(?:new|different|other|following|real|secret) (?:orders?|rules?|instructions?|tasks?|commands?|directives?|prompt|job|role)\b(?! (?:form|number|date))/,
  /\b(?:forget|ignore|disregard|drop|skip) (?:about )?(?:your|all|every|any|the|that|what|everything)\b.{0,40}(?:,| and\b|:|;) ?(?:instead |now |just |then )?(?:tell|read|give|say|list|repeat|show|recite|what|do)\b/,
  /\b(?:ignore|forget|disregard|override|bypass|drop) (?:all |everything |any )?(?:of )?(?:your|the|previous|prior|those|these|my|what)?\b.{0,25}\b(?:instructions?|rules?|prompts?|programming|guidelines?|training|orders|told)\b/,
  /\b(?:you are|you're|act as|act like|pretend|from now on|new instructions?|developer mode|jailbreak|role ?play)\b.{0,20}\b(?:now|a different|to be|as if|that you|you (?:are|must|will)|mode|an? unrestricted|instructions?)\b/,
  // looking inside
  /\b(?:system|initial|hidden|original) (?:prompt|message|instructions?)|\bwhat (?:are|were) your (?:instructions?|rules|orders|guidelines)|\b(?:what|which) (?:ai|language|llm )?model (?:are|is|do)|\bwho (?:made|built|programmed|created|trained|wrote) you|\bare you (?:chat ?gpt|gpt|claude|siri|alexa|gemini)|\b(?:source code|api key|password|access token)\b/,
  // playing
  /\b(?:can you |please |just |now )?(?:say|repeat after me|sing|tell me) (?:the word )?(?:banana|a joke|a story|a poem|a song|something funny|me a)|\brepeat after me\b|\bsing (?:me |us )?(?:a|something)|\bwrite (?:me )?(?:a|an) (?:poem|essay|story|song|code)|\bwhat(?:'s| is) (?:2|two|\d+) (?:plus|times|minus|\+) |\bcapital of\b|\bwho (?:will|would|should) (?:win|i vote)|\bmeaning of life\b|\bwhat(?:'s| is) the weather\b|\bdo you (?:love|like) me\b|\bdate me\b/,
  // other people's matters, or everything
  /\b(?:other|another|all (?:the |your )?|different|any other) (?:patients?|customers?|clients?|people)(?:'s?)?\b.{0,30}\b(?:do you|have|names?|records?|data|information|details|call|calling|list)|\b(?:which|what|how many) (?:other )?(?:patients|customers|clients) (?:do|are|have)|\b(?:everything|all (?:the )?(?:information|data|details)|whole (?:file|record)|entire (?:file|record))\b.{0,25}\b(?:you (?:have|know)|about (?:her|him|them|the patient)|on (?:her|him|them|the patient|file))|\bread (?:me )?(?:her|his|their|the) (?:whole |entire |full )?(?:file|record|chart|medical)/,
  /\b(?:credit card|debit card|bank account|card number|routing number|cvv)\b.{0,30}\b(?:number|details|information|give|read|tell|her|his|their)\b/,
];

/** How often in a row somebody may try before we leave. */
const maxAttempts = 3;

/** Whether these words try to lead us away from our task. */
export function isLedAstray({ sentences }: Heard): boolean {
  return sentences.some(({ plain }) => temptations.some((pattern) => pattern.test(plain)));
}

/** Says once that there is nothing to get, and goes back to the matter; leaves politely after the third time in a row. */
export function stayOnTask(draft: TurnDraft): void {
  const { memory } = draft;
  memory.astray += 1;
  if (memory.astray >= maxAttempts) {
    draft.end('gave-up', 'follow-up');
    return;
  }
  const question = pendingQuestion(draft);
  draft.say(
    memory.astray === 1
      ? `I don't have that; I'll note it for the patient. ${question.text}`.trim()
      : `I'm sorry, that is not something I can do. ${question.text}`.trim(),
    question.fields,
    question.kind,
  );
}
