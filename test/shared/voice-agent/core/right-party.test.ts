import { describe, expect, test } from 'vitest';
import type { Callee } from '#shared/voice-agent/call-plan/call-plan.ts';
import { handsOver } from '#shared/voice-agent/core/handover.ts';
import { reachReply } from '#shared/voice-agent/core/reach-reply.ts';
import { nobodyYet, type Party, partyAfter } from '#shared/voice-agent/core/right-party.ts';
import { understand } from '#shared/voice-agent/understanding/understand.ts';
import { impostors } from './impostors.ts';
import { hear, partyHeard } from './party-heard.ts';

const callees: readonly Callee[] = ['clinic', 'insurer', 'claims-department', 'office'];

test('who asks for a fact stays on the line, whatever else sounds like a transfer', () => {
  const said = "Yeah, this is claims. Claim number or member ID, I'll take whichever you've got.";
  expect(partyHeard(said, 'claims-department', true).status).toBe('verified');
});

test.each([
  "Hi there, it's Joy at Larkspur Imaging, I'm likely with a patient, tell me who you are and I'll get back to you.",
  "Good day, Larkspur Medicine, we're on another line, leave your name and your number and somebody will call.",
])('a long speech that may be a mailbox proves nothing: "%s"', (said) => {
  expect(partyHeard(said, 'clinic', false).status).toBe('unverified');
});

describe.each([
  ['at pick-up', false],
  ['when asked whom we have reached', true],
])('32: no one is verified %s', (_, isAsked) => {
  test.each(impostors)('by "%s"', (said) => {
    for (const callee of callees) expect(partyHeard(said, callee, isAsked).status).not.toBe('verified');
  });
});

test('a person who refuses machines is no stranger, whoever else can pick up a phone', () => {
  const said = [
    "Automated? Yeah, no. I don't give claims out to a computer.",
    'Somebody at the clinic wants it, they can pick up a phone.',
  ].join(' ');
  expect(partyHeard(said, 'claims-department', true).status).toBe('unverified');
});

const desks: readonly (readonly [Callee, string])[] = [
  ['clinic', 'Yes, it is.'],
  ['clinic', 'Yes, you have reached the scheduling desk.'],
  ['clinic', 'yeah this is the front desk'],
  ['clinic', "Yep, that's us, what can I do for you?"],
  ['clinic', 'You sure did, this is the appointment desk.'],
  ['clinic', 'yes ma’am this is the doctor’s office how can i help you'],
  ['clinic', 'Mm-hm, scheduling, this is Brenda.'],
  ['clinic', "It's the front desk, yes. Is this for a new patient?"],
  ['clinic', 'Sorry, crazy morning here. Yes, this is the clinic.'],
  ['clinic', 'yes you got scheduling what is the patient’s name'],
  ['clinic', 'I make the appointments here, yes.'],
  ['insurer', 'Yes, you have.'],
  ['insurer', 'You do, this is Cove Mutual.'],
  ['insurer', 'Yes, this is the provider line.'],
  ['insurer', 'yes this is eligibility and benefits how can i help you'],
  ['insurer', "Correct, you're speaking with provider services."],
  ['insurer', "yep you've got benefits"],
  ['insurer', 'Yes sir, this is the insurance company. May I have the member ID?'],
  ['insurer', "That's right, benefits and eligibility. Who am I speaking with?"],
  ['insurer', 'you reached provider services yes'],
  ['insurer', 'Yes, you are. This is the health plan.'],
  ['claims-department', 'Yes, this is claims.'],
  ['claims-department', 'That is correct, you have reached the claims department.'],
  ['claims-department', "yeah claims what's the claim number"],
  ['claims-department', 'Yes, you got claims, this is Darnell.'],
  ['claims-department', "You're in the right place, I handle claims."],
  ['claims-department', 'yes claims department how may i assist you'],
  ['claims-department', 'It is, yes. Can I get the claim number from you?'],
  ['claims-department', 'Uh-huh, you have reached claims.'],
  ['claims-department', 'yes i work in claims'],
  ['claims-department', 'Absolutely, this is the claims department.'],
  ['office', 'Yes, this is an office.'],
  ['office', "yeah it's a business"],
  ['office', "Yes, you've reached our front office."],
  ['office', 'Yes ma’am, it is.'],
  ['office', 'yep this is the office what do you need'],
  ['office', 'Correct, this is our business line.'],
  ['office', 'You are, yes. This is the office manager.'],
  ['office', 'yes you have reached the office'],
  ['office', 'It is, how can I help you?'],
  ['office', "That's us, yes."],
  ['office', 'Sure is, this is the front desk.'],
];

describe('a person who says yes to the verification question is verified', () => {
  test.each(desks)('%s: "%s"', (callee, said) => {
    const { status, quote, turn } = partyHeard(said, callee, true);
    expect(status).toBe('verified');
    expect(turn).toBe(1);
    expect(said).toContain(quote);
  });
});

describe('a yes', () => {
  test.each(['Yes, it is.', 'yes you have', 'Yep, that’s right.'])('proves nothing unasked: "%s"', (said) => {
    for (const callee of callees) expect(partyHeard(said, callee, false).status).toBe('unverified');
  });

  test('to a place of another kind proves nothing', () => {
    expect(partyHeard('Yes, this is Tony’s Pizza.', 'clinic', true).status).not.toBe('verified');
  });

  test('does not apply to a new person who says hello in mid-call', () => {
    const verified = {
      ...nobodyYet,
      status: 'verified',
      quote: 'Yes, this is the clinic.',
      turn: 1,
    } as const;
    const heard = understand('Hello? My husband says it is about a bill?', 3, {
      today: '2026-11-16',
      after: null,
    });
    expect(partyAfter(verified, heard, { callee: 'clinic', place: null }, false).status).toBe('unverified');
    const same = understand('Hello, are you still there?', 3, { today: '2026-11-16', after: null });
    expect(partyAfter(verified, same, { callee: 'clinic', place: null }, false).status).toBe('verified');
  });

  test('applies while they look and ask for data', () => {
    const verified = { ...nobodyYet, status: 'verified', quote: 'Yes, claims.', turn: 1 } as const;
    const said = "Okay, her I have. I'm going through her file now. And which day was she seen?";
    const heard = understand(said, 5, { today: '2026-11-16', after: null });
    expect(partyAfter(verified, heard, { callee: 'claims-department', place: null }, false).status).toBe(
      'verified',
    );
  });

  test('after a no to something else denies nothing', () => {
    const said = 'No, sorry, we never do that over the phone. Yes, this is Harbor Mutual.';
    expect(partyHeard(said, 'insurer', true).status).not.toBe('wrong');
  });

  test('does not verify the person after a transfer', () => {
    const said = 'Yes, this is the clinic, let me transfer you to scheduling.';
    expect(partyHeard(said, 'clinic', true).status).toBe('unverified');
  });
});

describe('replies to the verification question', () => {
  test.each([
    'No, this is my house.',
    'nope wrong number',
    "I'm afraid you have the wrong number.",
    'no this is a restaurant',
    'No, the doctor retired.',
  ])('deny it: "%s"', (said) => {
    expect(reachReply(hear(said, true))).toMatchObject({ label: 'denies' });
  });

  test.each(['Who is this?', 'Hold on a second.', 'What is this about?', ''])('say neither: "%s"', (said) => {
    expect(reachReply(hear(said, true))).toMatchObject({ label: 'neither' });
  });
});

describe('a wrong number', () => {
  test.each(['No, this is a house.', "Sorry, wrong number, there's no clinic here."])(
    'is known: "%s"',
    (said) => {
      for (const callee of callees) expect(partyHeard(said, callee, true).status).toBe('wrong');
    },
  );

  test.each([
    "No, I can't see that, you'd have to call back after four.",
    'Yes, this is the school, the health room.',
    'It is covered, yes, but the knee is not.',
  ])('is not the meaning of these words: "%s"', (said) => {
    expect(partyHeard(said, 'office', true).status).not.toBe('wrong');
  });
});

test('a person with rules for our matter is not a wrong number', () => {
  const said = "Yes, sure. Without the member on the line I can't tell you a thing, this is no clinic.";
  expect(partyHeard(said, 'claims-department', true).status).not.toBe('wrong');
});

/** The party after a pick-up and the replies to our questions for the place. */
function partyAfterAll(callee: Callee, [pickUp, ...replies]: readonly string[]): Party {
  let party = partyHeard(pickUp ?? '', callee, false);
  for (const said of replies) {
    party = partyAfter({ ...party, is_asked: true }, hear(said, true), { callee, place: null }, false);
  }
  return party;
}

describe('"Claims, Bob" may insure cars:', () => {
  test('a yes with a name then suffices, and not without it', () => {
    const yes = 'Yes, tell me. Yes, this is Cove Gate. Who is the member?';
    expect(partyAfterAll('claims-department', ['Claims, Bob.', yes]).status).toBe('verified');
    expect(partyAfterAll('claims-department', ['Cove Gate, Bob.', yes]).status).toBe('unverified');
  });

  test('what only a desk asks for does not', () => {
    const asked = [
      'Okay, I can look at the claim. What was she driving?',
      "And what's the insured's date of birth, so I can find the policy?",
      'Thank you. And may I have the number of the policy, please?',
    ];
    expect(partyAfterAll('claims-department', ['Claims, Bob.', ...asked]).status).toBe('unverified');
  });

  test('the wrong company is one, however the reply begins', () => {
    const reply = "Yeah, I won't have that. This is car insurance. You've got the wrong company.";
    expect(partyAfterAll('claims-department', ['Claims, Bob.', reply]).status).toBe('wrong');
  });

  test('nothing that was said before counts after a reply that rather denies', () => {
    const denies =
      'My apologies, you have reached the bank. These are card benefits. ' +
      'For health coverage you would need a different company.';
    const before = ['Thank you for calling Lone Pine benefits, this is Hank.', 'I will be happy to check.'];
    const party = partyAfterAll('insurer', [...before, denies, 'Thank you for calling Lone Pine. Good-bye.']);
    expect(party).toMatchObject({ status: 'unverified', quote: null });
    expect(party.support).toBeLessThan(0.2);
  });
});

test.each([
  'You have the wrong number, this is a tire shop.',
  'I think you got the wrong outfit. We do boats here. No health plan at this number, somebody gave it to you wrong.',
])('a verified person is asked again before they count as a wrong number: "%s"', (said) => {
  const verified: Party = { ...nobodyYet, status: 'verified', notice_heard: true };
  const doubted = partyAfter(verified, hear(said, false), { callee: 'clinic', place: null }, false);
  expect(doubted).toMatchObject({ status: 'unverified', notice_heard: true });
  const denied = partyAfter(
    { ...doubted, is_asked: true },
    hear(said, true),
    { callee: 'clinic', place: null },
    false,
  );
  expect(denied.status).toBe('wrong');
});

test.each(['It is, benefits desk. What is the member ID?', 'It is. Eligibility unit, what is the number?'])(
  'a yes without the word is one, whatever they ask next: "%s"',
  (said) => {
    expect(partyHeard(said, 'insurer', true).status).toBe('verified');
  },
);

test.each(['It is my house.', 'You have the wrong number.', 'We are a bakery.'])(
  'words that only begin like one are none: "%s"',
  (said) => {
    expect(partyHeard(said, 'insurer', true).status).not.toBe('verified');
  },
);

test('a person who refuses machines is not a wrong number', () => {
  const said = 'No robots on this line, and no recordings, that is final.';
  expect(partyHeard(said, 'insurer', true).status).toBe('unverified');
});

test('a certain wrong number is one, whatever else sounds like a transfer', () => {
  const said = "I'm going to stop you. I can't transfer outside. You've got a wrong number.";
  expect(partyHeard(said, 'clinic', true).status).toBe('wrong');
});

test.each([
  ["I'm not able to transfer calls.", false],
  ["There's no transferring from this desk.", false],
  ["Not a problem, I'm transferring you.", true],
  ["Totally, I'll try.", false],
  ["I'll ring records for you.", true],
  ['Yes, did the operator put you through?', false],
  ["We don't handle those, I'll put you through.", true],
])('"%s" transfers us: %s', (said, isPassed) => {
  expect(handsOver(hear(said, false))).toBe(isPassed);
});

test.each([
  [
    'Cedar Supply, Wes. I am up a ladder with a hammer somewhere, so you are talking to the gadget. Tell it all.',
    'unverified',
  ],
  [
    'Cedar Supply, Wes. I am up a ladder most mornings, so bear with the noise. What can I do for you today?',
    'verified',
  ],
  [
    'morning you have reached cedar supply wes speaking with whom do i have the honor and on whose account do you ring',
    'verified',
  ],
])('a long first speech verifies only if it asks something: "%s"', (said, status) => {
  expect(partyHeard(said, 'office', false).status).toBe(status);
});
