/*
 * Names of people are known by how they are introduced, and in writing by their capitals. Speech recognition does not
 * always write capitals, so the clearest introductions count without them.
 */

const name =
  "(?:(?:Dr|Mr|Mrs|Ms|Doctor|Nurse)\\.? )?\\p{Lu}[\\p{L}'’-]*\\p{Ll}(?: \\p{Lu}(?:\\.|[\\p{L}'’-]*\\p{Ll}))?";

const introductions = [
  // "This is Lakeview Allergy, Mikey speaking": the person, and not the place.
  new RegExp(`(?:^|[.!?,] |[Tt]his is )(?<name>${name}) (?:speaking|here|on the line|with you)\\b`, 'u'),
  new RegExp(
    `\\b(?:[Mm]y name(?:'s|’s| is)|[Nn]ame is|[Yy]ou(?:'re| are|’re) (?:speaking|talking) (?:with|to)|[Yy]ou(?:'ve|’ve| have) got|[Ii]t's|[Ii]t’s|I am|I'm|I’m|[Tt]his is|[Cc]all me) (?<name>${name})`,
    'u',
  ),
  /(?:^|[.!?,] )(?<name>\p{Lu}\p{Ll}+), (?:how (?:can|may) I|what can I)/u,
  new RegExp(`\\b(?:and )?(?:my name|name's|mine) is (?<name>${name})`, 'u'),
];

const spokenIntroductions = [
  /\bmy name(?:'s| is) (?<name>[a-z]+)\b/,
  /(?<=^|\s)(?<name>[a-z]{3,}) speaking\b/,
  /\b(?:you're|you are) (?:speaking|talking) (?:with|to) (?<name>[a-z]+)\b/,
  /\bthank(?:s| you) for calling .{3,60}\b(?:this is|i'm) (?<name>[a-z]+)(?: how|$)/,
  /\bthis is (?<name>[a-z]+)(?:,? (?:how|what) (?:can|may)|,? (?:at|with|from|in) )/,
];

const notPeople =
  /\p{L}(?:ology|ologists?|iatry|iatrics|opedics|opaedics|dontics)\b|\b(?:Clinic|Practice|Health|Healthcare|Insurance|Family|Medical|Medicine|Center|Centre|Care|Group|Office|Dental|Dermatology|Cardiology|Orthop\w*|Pediatrics?|Associates|Department|Dept|Billing|Claims?|Provider|Providers|Services?|Hospital|Benefits?|Front|Desk|Reception|Customer|Member|Support|Line|Company|Mutual|Shield|Cross|Blue|Plan|Partners|Institute|University|Wellness|Therapy|Imaging|Allergy|Asthma|Pain|Spine|Heart|Sleep|Vein|Skin|Vision|Eye|Foot|Urgent|Physical|Records|Management|Information|Lab|Laboratory|Desk|Counter|School|College|Board|County|City|State|National|First|United|Pharmacy|Scheduling|Appointments?|Eligibility|Sorry|Good|Great|Thanks|Thank|Hello|Hi|Yes|No|Okay|Sure|Please|Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday|January|February|March|April|May|June|July|August|September|October|November|December|The|A|An|Not|Just|Afraid|Still|Going|Looking|Speaking|Calling|Home|Pizza|Restaurant|Store|Shop|Auto|LLC|Inc|In|It|So|That|There|What|How|Who|Your|Our|My|We|You|Active|Denied|Pending|Paid|Covered|PPO|HMO|EPO|Medicare|Medicaid|Gold|Silver|Bronze|Platinum|Premier|Select|Basic|Choice|Open|Doing|Fine|Ready|Here|And|But|All|Absolutely|Correct|Right|Exactly|Says|Looks|Shows|Over|Down|Out|Got|See|Nobody|Somebody|Everybody|Everyone|Anyone|Someone|Nothing|Everything|Something)\b/u;

const notSpokenNames =
  /^(?:the|a|an|not|just|still|now|who|what|how|so|that|this|it|she|he|they|we|you|your|my|our|their|is|are|was|in|on|at|for|with|from|about|going|only|already|again|also|really|actually|generally|basically|strictly|technically|correct|right|okay|ok|yes|no|sure|fine|good|great|me|who's|everyone|someone|customer|member|provider|patient|reception|billing|claims|scheduling|sorry|very|all|called|doctor|bye|goodbye|okay|hello|hi|please|wait|hold|thanks|thank|welcome|anything|nothing|none|maybe|perhaps|of|to|if|when|where|why|because|it's|that's|i'm)$/;

/** The name by which the person introduces themselves, or `null`. */
export function introducedName(said: string): string | null {
  for (const pattern of introductions) {
    for (const match of said.matchAll(new RegExp(pattern, 'gu'))) {
      const found = match.groups?.name?.replaceAll('’', "'").trim();
      if (found === undefined) continue;
      const person = personOnly(found);
      if (person !== null && !isOrganisation(said, match.index + match[0].length)) return person;
    }
  }
  const plain = said.toLowerCase().replaceAll('’', "'");
  for (const pattern of spokenIntroductions) {
    const found = pattern.exec(plain)?.groups?.name;
    // In writing with capitals, a name without one is none.
    if (found !== undefined && !notSpokenNames.test(found) && !/\p{Lu}\p{Ll}/u.test(said.slice(1))) {
      return capitalized(found);
    }
  }
  return null;
}

/** A name that is the whole reply to "may I have your name": "Dana", "Sure, Dana Reyes", "it's dana". */
export function nameInReply(said: string): string | null {
  const introduced = introducedName(said);
  if (introduced !== null) return introduced;
  const rest = said
    .replace(
      /^(?:(?:yes|yeah|yep|sure|sure thing|of course|certainly|absolutely|okay|ok|uh|um|oh|my name|first name|name|you got|you've got|you’ve got|you have|it is|that is|she is|he is|that would be|that'd be|that’d be|it would be|he's|she's|he’s|she’s|you want|you'd want|you need|ask for|they call me|folks call me|people call me|the name's|it's|it’s|that's|that’s|is|i'm|i’m|this is|no problem)\b[\s,.:!]*)+/i,
      '',
    )
    .trim();
  const match =
    /^(?<name>\p{L}[\p{L}'’-]+(?: (?:\p{L}[\p{L}'’-]+|\p{Lu}\.?))?)(?:[.,!]|$| and\b| from\b| with\b| in\b| at\b|;| last initial)/u.exec(
      rest,
    );
  const found = match?.groups?.name;
  if (found === undefined) return null;
  const words = found.split(' ');
  if (words.some((word) => notSpokenNames.test(word.toLowerCase()))) return null;
  return personOnly(words.map(capitalized).join(' '));
}

/** The name if all of it can be a person's: "Lakeside Clinic" is none. */
function personOnly(found: string): string | null {
  return found.split(' ').some((word) => notPeople.test(word)) ? null : found;
}

/** "This is Lakeside Family Practice": the capitals go on after what looked like a name. */
function isOrganisation(said: string, from: number): boolean {
  return (
    /^ \p{Lu}\p{L}+/u.test(said.slice(from)) &&
    notPeople.test(/^(?: \p{Lu}\p{L}+)+/u.exec(said.slice(from))?.[0] ?? '')
  );
}

function capitalized(word: string): string {
  return word.slice(0, 1).toUpperCase() + word.slice(1);
}

/** The doctor or other provider named in the words: "Dr. Okafor", "Doctor Amara Lee". */
export function namedProvider(said: string): string | null {
  const match = /\b(?:Dr\.?|[Dd]octor|DR\.?|dr\.) (?<name>\p{Lu}[\p{L}'’-]+(?: \p{Lu}[\p{L}'’-]+)?)/u.exec(
    said,
  );
  if (match?.groups?.name !== undefined) {
    const words = match.groups.name.split(' ').filter((word, index) => index === 0 || !notPeople.test(word));
    return `Dr. ${words.join(' ').replace(/['’]s$/, '')}`;
  }
  const spoken = /\b(?:dr\.?|doctor) (?<name>[a-z]{3,})\b/.exec(said);
  if (
    spoken?.groups?.name !== undefined &&
    !notSpokenNames.test(spoken.groups.name) &&
    !notDoctors.test(spoken.groups.name)
  ) {
    return `Dr. ${capitalized(spoken.groups.name)}`;
  }
  return null;
}

const notDoctors =
  /^(?:does|can|has|will|would|who|that|you|and|or|available|wants|needs|first|today|tomorrow|visit|appointment|office|said|in|on|at|is|name|for|with|have|are|do|see|sees|here|there|available|should|could|might|may|before|after|when|then|they|prefer|preference)$/;
