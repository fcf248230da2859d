import { describe, expect, test } from 'vitest';
import type { CallPlan } from '#shared/voice-agent/call-plan/call-plan.ts';
import { nobodyYet, type Party, partyAfter } from '#shared/voice-agent/core/right-party.ts';
import { type Heard, understand } from '#shared/voice-agent/understanding/understand.ts';
import { impostors } from './impostors.ts';

type Callee = CallPlan['callee'];

const callees: readonly Callee[] = ['clinic', 'insurer', 'claims-department', 'office'];

function hear(said: string): Heard {
  return understand(said, 1, { today: '2026-11-16', after: 'reach-question' });
}

describe('asked again for a yes or no', () => {
  const status = (said: string, callee: Callee): Party['status'] =>
    partyAfter({ ...nobodyYet, is_asked: true, asked: 1 }, hear(said), { callee, place: null }, false).status;

  test.each(impostors)('no one is verified by "%s"', (said) => {
    // Any business is an office, so "Yes, this is Gloria." suffices there.
    for (const callee of callees.filter((one) => one !== 'office'))
      expect(status(said, callee)).not.toBe('verified');
  });

  test.each<[string, Callee, Party['status']]>([
    ["yes what's her member number", 'insurer', 'verified'],
    ['Yes. Is Larch Mutual. Claim number?', 'claims-department', 'verified'],
    ['yeah and when was she born', 'clinic', 'verified'],
    ["what's her member number", 'insurer', 'unverified'],
    ["yeah i may know the lady what's the name", 'clinic', 'unverified'],
    ['Yes? And who is asking?', 'insurer', 'unverified'],
    ["Yes? What's her date of birth?", 'clinic', 'unverified'],
    ["Yes, this is the pharmacy. What's her date of birth?", 'clinic', 'unverified'],
    ["yeah this is the pharmacy what's her date of birth", 'insurer', 'unverified'],
    ["yes county jail what's his date of birth", 'clinic', 'unverified'],
  ])('a yes counts beside what only their desk asks for: "%s" of a %s', (said, callee, expected) => {
    expect(status(said, callee)).toBe(expected);
  });

  test.each<[string, Callee, number, Party['status']]>([
    ['Yep, hearing center, go ahead.', 'clinic', 1, 'verified'],
    ['Yes, is Penn Square. Number.', 'insurer', 1, 'unverified'],
    ['Yes, is Penn Square. Number.', 'insurer', 2, 'verified'],
    ['Yes, I know her. Number.', 'insurer', 2, 'unverified'],
    ['Sure, go ahead.', 'insurer', 2, 'unverified'],
    ["Yes, Tony's Pizza. Number.", 'insurer', 2, 'unverified'],
  ])(
    'a short yes "%s" of a %s counts if it names a place, given again (%i)',
    (said, callee, asked, expected) => {
      const before = { ...nobodyYet, is_asked: true, asked };
      expect(partyAfter(before, hear(said), { callee, place: null }, false).status).toBe(expected);
    },
  );

  test.each(['You got the potting shed.', 'It is the one in the back hall, hon.', 'Larch.'])(
    'an unclear reply is never a wrong number: "%s"',
    (said) => {
      const before = { ...nobodyYet, is_asked: true, asked: 3 };
      for (const callee of callees)
        expect(partyAfter(before, hear(said), { callee, place: null }, false).status).not.toBe('wrong');
    },
  );
});

describe('a person who answered with the name of their business', () => {
  function statusAfter(replies: readonly string[], callee: Callee = 'office'): Party['status'] {
    const first = understand(replies[0] ?? '', 1, { today: '2026-11-16', after: 'opening' });
    const met = partyAfter(nobodyYet, first, { callee, place: null }, false);
    const asked = (before: Party, said: string): Party =>
      partyAfter({ ...before, is_asked: true }, hear(said), { callee, place: null }, false);
    return replies.slice(1).reduce(asked, met).status;
  }

  test.each([
    [['Yeah, Larch Bend, this is Gus.', 'Sure, I got all day. You found us, Larch Bend.']],
    [['Bellows Corner Apothecary, this is Ines.', 'Bellows Corner, yes.']],
    [['This is Jobeth at Amberwick.', 'You found Amberwick.', 'You found Amberwick.']],
  ])('says that it is one by repeating it: %j', (replies) => {
    expect(statusAfter(replies)).toBe('verified');
  });

  test.each([
    [['Yeah, Larch Bend, this is Gus.', 'Larch Bend? Who wants it?']],
    [['Hello, Amy Lind here.', 'Who wants Amy Lind?']],
    [['Okay, this is Jo.', 'Okay.', 'Okay, okay.']],
    [['Thanks for calling, this is Jo.', 'Thanks.', 'Thanks for calling.']],
    [['Lind residence, this is Amy.', 'You found us, the Lind residence.']],
  ])('proves nothing by a question, a home or an everyday word: %j', (replies) => {
    expect(statusAfter(replies)).not.toBe('verified');
  });

  test('proves no medical office by it', () => {
    expect(statusAfter(['Larch Bend, this is Gus.', 'You found us, Larch Bend.'], 'clinic')).not.toBe(
      'verified',
    );
  });
});

test.each(["You haven't got the wrong place.", "This isn't the wrong number."])(
  'a denied error neither denies nor proves: "%s"',
  (said) => {
    const before = { ...nobodyYet, is_asked: true };
    expect(partyAfter(before, hear(said), { callee: 'insurer', place: null }, false).status).toBe(
      'unverified',
    );
  },
);

test.each([
  "That's not right, you have the wrong number.",
  "it's not us it's the wrong number",
  "You haven't got the wrong number, but this is a private home, there is no clinic.",
])('what else denies counts: "%s"', (said) => {
  expect(
    partyAfter({ ...nobodyYet, is_asked: true }, hear(said), { callee: 'insurer', place: null }, false)
      .status,
  ).toBe('wrong');
});

describe("the payer's own name, which we never say,", () => {
  const heardAll = (said: readonly string[], payer: string | null, callee: Callee = 'insurer'): Party => {
    let party = nobodyYet;
    for (const reply of said)
      party = partyAfter({ ...party, is_asked: true }, hear(reply), { callee, place: null, payer }, false);
    return party;
  };

  test.each<[string, string]>([
    ['Yes, this is Larkmere.', 'Larkmere Health Alliance'],
    ['yes this is larkmere what is the name', 'Larkmere Benefit Administrators'],
  ])('proves beside a yes: "%s" of %s', (said, payer) => {
    expect(heardAll([said], payer).status).toBe('verified');
    expect(heardAll([said], null).status).toBe('unverified');
  });

  test('proves said twice, without a yes', () => {
    const said = ["You haven't got the wrong place. Stone and Heron.", 'Stone and Heron. ID?'];
    expect(heardAll(said.slice(0, 1), 'Stone and Heron Benefits').status).toBe('unverified');
    expect(heardAll(said, 'Stone and Heron Benefits').status).toBe('verified');
  });

  test.each<[string, string]>([
    ['Yes, this is Stone.', 'Stone and Heron Benefits'],
    ['Yes, this is Larkmere Pizza.', 'Larkmere Health Alliance'],
    ['Larkmere? No, this is a private home.', 'Larkmere Health Alliance'],
    ['Are you looking for Larkmere?', 'Larkmere Health Alliance'],
    ['Yes, Larkmere moved out last year.', 'Larkmere Health Alliance'],
    ['Larkmere moved out.', 'Larkmere Health Alliance'],
    ['Yes, this is the national one.', 'National Mutual Health'],
  ])('proves nothing by an everyday word, elsewhere, denied or asked: "%s"', (said, payer) => {
    expect(heardAll([said, said], payer).status).not.toBe('verified');
  });
});

test('the own name of the place that was asked for proves, repeated without a clear yes', () => {
  const called = { callee: 'office', place: 'Windrose Hearing Center' } as const;
  const first = partyAfter({ ...nobodyYet, is_asked: true }, hear('you got windrose hearing'), called, false);
  const second = partyAfter({ ...first, is_asked: true }, hear('windrose hearing yeah'), called, false);
  expect(second.status).toBe('verified');
});

test.each<[string, Party['status']]>([
  ['yeah cove bend dermatology best phone number for her', 'verified'],
  ['yes cove bend dermatology', 'verified'],
  ['yeah i know cove bend dermatology best phone number for her', 'unverified'],
])('the whole name right after a yes is one, whatever they ask then: "%s"', (said, expected) => {
  const called = { callee: 'clinic' as const, place: 'Cove Bend Dermatology' };
  expect(partyAfter({ ...nobodyYet, is_asked: true }, hear(said), called, false).status).toBe(expected);
});

describe('a place named in other grammar', () => {
  const statusAfter = (
    said: string,
    times: number,
    called: { callee: Callee; place: string | null },
  ): Party['status'] => {
    let party: Party = nobodyYet;
    for (let time = 0; time < times; time += 1)
      party = partyAfter({ ...party, is_asked: true }, hear(said), called, false);
    return party.status;
  };

  test.each<[string, number, Party['status']]>([
    ['Yes yes, is Larkmere.', 1, 'verified'],
    ['Yes, is this Larkmere?', 1, 'unverified'],
    ['Ayuh, the gallery.', 2, 'verified'],
  ])('"%s" (%i times) makes the gallery %s', (said, times, expected) => {
    expect(statusAfter(said, times, { callee: 'office', place: 'Larkmere Gallery' })).toBe(expected);
  });

  test.each<[string, Party['status']]>([
    ['Horseshoe, yes sir.', 'verified'],
    ['Horseshoe Pizza, yes sir.', 'wrong'],
    ['You have indeed reached Horseshoe.', 'verified'],
    ["You haven't reached Horseshoe.", 'unverified'],
    ['You have to call Horseshoe about that, dear.', 'unverified'],
    ['You got to ask Horseshoe about that, dear.', 'unverified'],
    ["Horseshoe, that's us. Maybe. Depends what you need, so let me ask you first.", 'verified'],
  ])('a name says nothing of the kind of place: "%s" makes it %s', (said, expected) => {
    expect(statusAfter(said, 1, { callee: 'office', place: 'Horseshoe Medical Supply' })).toBe(expected);
  });

  test.each<[string, number, Party['status']]>([
    ['Yes, this is the Quintanas.', 1, 'unverified'],
    ['yes the quintanas here', 1, 'unverified'],
    ["yes, it's the Quintanas here", 1, 'unverified'],
    ['Yes, the Quintanas, like I said.', 2, 'verified'],
    ['Yes, this is the pediatrics.', 1, 'verified'],
    ['Yes, this is Grandpa.', 1, 'unverified'],
    ['Yes, this is Grandpa.', 2, 'unverified'],
  ])('a family at home is no place: "%s" (%i times) is %s', (said, times, expected) => {
    expect(statusAfter(said, times, { callee: 'clinic', place: null })).toBe(expected);
  });

  test("but a union's fund may be called by its members", () => {
    expect(statusAfter('Yes, this is the Glaziers.', 1, { callee: 'insurer', place: null })).toBe('verified');
  });

  test.each<[string, Party['status']]>([
    ['it is larkmere eye group kindly give me the full name of the patient', 'verified'],
    ['it is velma kindly give me the full name of the patient', 'unverified'],
    ['it is the larkmere residence kindly tell me who is calling', 'unverified'],
    ['yes this is his brother what is the name', 'unverified'],
    ["Yes, I'm her husband. What is it about?", 'unverified'],
  ])('counts before a request without punctuation, given again: "%s"', (said, expected) => {
    expect(statusAfter(said, 3, { callee: 'clinic', place: null })).toBe(expected);
  });
});

test('a word of the whole name tells no other kind of place', () => {
  const called = { callee: 'office', place: 'Marigold House' } as const;
  const heard = understand("Yes, you've reached Marigold House.", 3, { today: '2026-11-16', after: null });
  expect(partyAfter({ ...nobodyYet, is_asked: true }, heard, called, false).status).toBe('verified');
});
