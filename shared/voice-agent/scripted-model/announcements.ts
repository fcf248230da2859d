import { introducedName } from '../language/names.ts';
import type { Heard } from './understanding.ts';

/*
 * Recorded words that nobody expects an answer to: hold music, queues, notices. They often contain what people say as
 * well ("a representative", "your appointment", "how may we help"), so what only machines say decides, unless somebody
 * introduces themselves in the same breath.
 */

/** What only machines say, by what it is for. */
const machineWords: readonly RegExp[] = [
  // the queue
  /\byour call is (?:very |extremely )?(?:important|valued)/,
  /\byou(?:'re| are)(?: currently| now)? (?:number|caller(?: number)?|next|\d+(?:st|nd|rd|th)) ?(?:\d+|one|two|three|in)?\b.{0,25}\b(?:queue|line|in line)\b|\bthere (?:are|is)(?: currently)? (?:\d+|one|no) (?:other )?(?:callers?|people|person|calls)(?: \w+)? (?:ahead|before|in front)|\bposition in (?:the )?(?:queue|line)/,
  /\b(?:all|each|every one) (?:of )?(?:our |the )?(?:\w+ )?(?:representatives?|agents?|operators?|specialists?|associates?|lines|team members?|schedulers?|staff|receptionists?|advocates?)\b.{0,30}\b(?:busy|assisting|helping|unavailable|with other|speaking|on (?:other|another)|serving)/,
  /\b(?:representative|agent|operator|specialist|associate|team member|scheduler|someone|somebody|advocate|one of our \w+(?: \w+)?) (?:will|is going to) (?:be (?:right )?with you|assist you|answer|take your call|be available|help you)/,
  /\bnext available (?:\w+ )?(?:representative|agent|operator|associate|team member|specialist|scheduler|person)/,
  /\b(?:estimated|expected|approximate|average|current) (?:wait|hold)|\b(?:wait|hold) times? (?:is|are|may)\b/,
  /\bin the order (?:in which )?(?:it was|they were|received|you called)/,
  /\b(?:higher|heavier|longer) than (?:normal|usual|expected)|\b(?:high|heavy|unusually high|large) (?:call )?volumes?\b/,
  /\b(?:please |kindly )?(?:continue to|remain|stay|keep) (?:hold\b|holding|on (?:the )?(?:line|hold))/,
  /\bthank(?:s| you)(?: you)? for (?:your (?:continued )?patience|continuing to hold|your continued)|^thank(?:s| you) for holding(?: for [^,.?!]+)?[.! ]*$|\bwill be answered\b/,
  /\bwe (?:appreciate|value|apologi[sz]e for) (?:your (?:patience|call|business)|the (?:wait|delay|long))|\b(?<!i )(?:will|'ll) be (?:right )?with you\b/,
  // notices and advertising
  /\bthis call (?:may|will|might) be (?:monitored|recorded)|\bcalls? (?:may|will|are) (?:be )?(?:monitored|recorded) for/,
  /\bdid you know\b|\b(?:visit|go to|log (?:on|in) to) (?:us (?:at|online)|our (?:website|web site|portal|app)|www)|\bfor (?:faster|quicker) service|\bskip the wait\b|\bonline at\b.*(?:\bdot\b|\.[a-z])/,
  /\b(?:if )?this is (?:an? )?(?:medical |life-threatening )?emergency\b|\b(?:hang up and )?(?:dial|call) (?:911|9-1-1|9 1 1)\b/,
  /\blisten (?:carefully|closely)|\bmenu (?:options )?(?:have|has) (?:recently )?changed|\bpara espa[nñ]ol|\bplease have your .{0,60} ready/,
  /\b(?:not a|invalid) (?:valid )?(?:option|entry|selection|choice|response)\b|\b(?:did not|didn't) receive (?:a|your|any) (?:selection|response|entry|input)\b/,
  // being put through by a machine
  /\b(?:are|is) (?:now )?being (?:connected|transferred|routed)|\b(?:connecting|transferring) (?:you|your call) (?:now )?(?:to|with) (?:an?|the next) (?:representative|agent|operator|specialist|scheduler)|\bplease (?:wait|hold|stand by) while (?:we|your call|you)\b.{0,40}\b(?:connect|transfer|route|locate|look)/,
  /^[[(*]?(?:hold |soft |classical )?music(?: playing| plays)?[\])*]?[.]*$/,
];

/** Whether these words come from a machine that expects no answer. */
export function isAnnouncement({ said, sentences }: Heard): boolean {
  if (/[♪♫]|\[(?:hold )?music\]/i.test(said)) return true;
  const machine = sentences.filter(
    ({ plain }) => machineWords.some((words) => words.test(plain)) && !firstPerson.test(plain),
  );
  return machine.length > 0 && !isPersonSpeaking(said, sentences);
}

const firstPerson =
  /\b(?:i'll|i'm|i am|i will|let me|i can|i've|i have|you(?:'ll| will)? (?:have|need) to|we only)\b/;

/** "This is Kim, how can I help?", also after the phrases of the queue. */
function isPersonSpeaking(said: string, sentences: Heard['sentences']): boolean {
  return (
    introducedName(said) !== null ||
    sentences.some(
      ({ plain }) =>
        /\b(?:how (?:can|may|could) i|what can i|can i have|may i have|i can (?:help|take)|i (?:do |also |only |just )?(?:have|see|found|got) (?:you|her|him|them|the|an?|two|three|one|it|\d|\w+day|are|is)|(?:would|does|do) (?:either|any|one|that|those|these)(?: of (?:those|these|them))? (?:suit|work|be|fit|sound)|(?:visits?|consultations?|openings?|appointments?|times?|slots?|ones?) (?:that )?i have|are you (?:still )?(?:there|holding))\b/.test(
          plain,
        ) && !machineWords.some((words) => words.test(plain)),
    )
  );
}
