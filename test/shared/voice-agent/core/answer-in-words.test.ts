import { describe, expect, test } from 'vitest';
import { clientItem } from '#shared/voice-agent/call-plan/items.ts';
import { isMoment } from '#shared/voice-agent/core/clause-topic.ts';
import type { Evidence } from '#shared/voice-agent/core/clause-value.ts';
import { evidenceIn } from '#shared/voice-agent/core/evidence.ts';
import { type Move, understand } from '#shared/voice-agent/understanding/understand.ts';
import { benefits, claim, evidenceFor, quoteFor, told, visit } from './told-in.ts';

describe('not an answer in words:', () => {
  test.each(['They do require authorization.', 'It does need an authorization, yes.'])(
    'what the question takes for granted: "%s"',
    (said) => {
      expect(quoteFor(benefits, 'authorization_process', said)).toBeUndefined();
    },
  );

  test.each(['Dunno.', "Oh gosh, I don't have that.", "Honestly, I couldn't tell you."])(
    'that they do not know: "%s"',
    (said) => {
      expect(evidenceFor(claim, 'denial_reason', said)).toBeUndefined();
    },
  );

  test.each(['Two minutes.', 'thirty seconds'])('a request to wait: "%s"', (said) => {
    expect(told(benefits, 'plan_name', said)).toEqual({});
  });

  test.each(['The printer jammed.', 'one of those', 'where did that go'])(
    'a few words that may be spoken to themselves: "%s"',
    (said) => {
      expect(quoteFor(visit, 'instructions', said)).toBeUndefined();
    },
  );

  test.each([
    "We don't need the pictures, and we already have the chart notes.",
    "We don't require the pathology report for this one.",
  ])('that one thing is not needed does not say that nothing is: "%s"', (said) => {
    expect(told(claim, 'missing_documents', said)).toEqual({});
  });

  test('that something is not there does', () => {
    const said = "We don't have the operative report.";
    expect(told(claim, 'missing_documents', said)).toEqual({ missing_documents: true });
  });

  test.each(["We don't need anything.", 'We are not waiting for anything.'])(
    'that nothing is needed does: "%s"',
    (said) => {
      expect(told(claim, 'missing_documents', said)).toEqual({ missing_documents: false });
    },
  );

  test.each(["There's a paper we asked for.", 'We requested some documents.'])(
    'that something is missing, and not what: "%s"',
    (said) => {
      expect(quoteFor(claim, 'missing_documents', said)).toBeUndefined();
    },
  );

  test.each(['There was some thing or other.', 'She has to do something with her sugar stuff.'])(
    'that there is something, and not what: "%s"',
    (said) => {
      expect(quoteFor(visit, 'instructions', said)).toBeUndefined();
    },
  );

  test.each(["Oh, there's a good while yet.", "They've got about six months from the letter."])(
    'a deadline that is only approximate: "%s"',
    (said) => {
      expect(quoteFor(claim, 'appeal_deadline', said)).toBeUndefined();
    },
  );

  test.each(["I've already been over that with you.", "You've asked me that one before."])(
    'a reproach: "%s"',
    (said) => {
      expect(quoteFor(claim, 'send_documents_to', said)).toBeUndefined();
    },
  );

  test('a reproach that counts', () => {
    const when = { ...clientItem('question_0', 'When will the brace be ready?', null, []), required: true };
    const said = "I've told you so three times now.";
    const heard = understand(said, 1, { today: '2026-11-16', after: 'question' });
    const evidence = evidenceIn(heard, { ...visit, items: [when] }, when);
    expect(evidence.filter(({ confidence }) => confidence >= 0.55)).toEqual([]);
  });

  test('words around a question of theirs', () => {
    const said = 'Before I look, is it for her or for an office? Those are two different forms.';
    expect(quoteFor(claim, 'send_documents_to', said) ?? '').not.toContain('?');
  });

  test.each(['N.', 'y'])('a letter off the screen: "%s"', (said) => {
    expect(quoteFor(benefits, 'authorization_process', said)).toBeUndefined();
  });

  test.each([
    "It's with the nurse reviewer.",
    'The chart notes from the visit, it says here.',
    'Three papers, the referral and two slips, to 202 555 0148.',
  ])('words without the requested time: "%s"', (said) => {
    expect(quoteFor(claim, 'expected_decision', said)).toBeUndefined();
  });
});

test.each([
  'Only the operative note with the procedure code.',
  'they need an itemized bill that shows the diagnosis',
  'Just the full name of the surgeon, the date of the operation, and the pathology report.',
])('their needs answer that question, and request nothing from us: "%s"', (said) => {
  expect(quoteFor(claim, 'missing_documents', said)).toBe(said);
});

test.each(['No, nothing for that one.', 'Bring a list of medications.', 'Only a photo ID and the card.'])(
  'a few words with the topic, or a no, answer: "%s"',
  (said) => {
    expect(quoteFor(visit, 'instructions', said)).toBe(said);
  },
);

test('a question to themselves answers nothing', () => {
  expect(quoteFor(claim, 'missing_documents', 'What did they want here')).toBeUndefined();
});

test.each(['Give it another three weeks.', 'After the appeal board meets, early next month.'])(
  'a time in any words tells when: "%s"',
  (said) => {
    expect(quoteFor(claim, 'expected_decision', said)).toBe(said);
  },
);

test.each([
  ['How long does a refill take?', 'Should be ready tomorrow afternoon.'],
  ['How soon can forms be ready?', 'By the next morning.'],
  ['Who does the billing?', "That'd be Larkspur Billing, over in Tulsa."],
  ['Who should the family talk to?', "You want Odette Marchand, she's the office manager."],
  [
    'Who may pick up the parcel?',
    "anyone over eighteen who knows her birth date, I don't ask for a license.",
  ],
])('a client’s question is answered by a time or a name in any words: "%s"', (question, said) => {
  expect(answerTo(question, said)).toMatchObject({ value: null, quote: said });
});

test('words joined to the previous clause are quoted with it', () => {
  const said = 'Just loose sleeves and flat shoes, there is a treadmill.';
  expect(answerTo('What should the patient wear?', said)?.quote).toBe(said);
});

test('asked for a time, a day of rest beside it is not one', () => {
  const said = 'We shut at 7:15 PM on weekdays and 2 PM on Saturdays. Sunday everybody is home.';
  expect(answerTo('What time does the lab close?', said)).toMatchObject({
    value: null,
    quote: 'We shut at 7:15 PM on weekdays and 2 PM on Saturdays.',
  });
});

test('a number of weeks is none of days', () => {
  expect(answerTo('How many days does it take?', 'About a week.')).toMatchObject({
    value: null,
    quote: 'About a week.',
  });
  expect(answerTo('How many days does it take?', 'Six days.')).toMatchObject({ value: 6 });
});

test.each(['At nine on a Sunday.', 'Until nine on a Friday.'])(
  'a day is no time by the clock: "%s"',
  (said) => {
    expect(answerTo('Until what time may guests use the pool?', said)).toMatchObject({
      value: null,
      quote: said,
    });
  },
);

/** The sure answer to a question of the client's. */
function answerTo(question: string, said: string): Evidence | undefined {
  const item = clientItem('question_0', question, null, []);
  const heard = understand(said, 1, { today: '2026-11-16', after: 'question' });
  return evidenceIn(heard, { ...claim, items: [item] }, item).find(({ confidence }) => confidence >= 0.55);
}

test.each([
  ['How long does a visit take?', 'Thirty minutes.'],
  ['How long does the scan take?', 'forty seconds'],
  ['Is there a wait for walk-ins?', 'Ten minutes.'],
])('a short time answers a client’s question: "%s"', (question, said) => {
  const item = clientItem('question_0', question, null, []);
  const heard = understand(said, 1, { today: '2026-11-16', after: 'question' });
  const found = evidenceIn(heard, { ...claim, items: [item] }, item);
  expect(found.some(({ quote }) => said.startsWith(quote))).toBe(true);
  expect(isMoment(heard.moves[0] as Move, item)).toBe(false);
});

test('of two times for one question neither is dropped', () => {
  const item = clientItem('question_0', 'When do the doors open?', null, []);
  const said = 'The gate opens at seven ten, and the desk is up at seven thirty.';
  const heard = understand(said, 1, { today: '2026-11-16', after: 'question' });
  const [answer] = evidenceIn(heard, { ...claim, items: [item] }, item);
  expect(answer).toMatchObject({ value: null, quote: said });
});

test.each([
  ['Which papers do they need?', 'A few papers, the usual kind.'],
  ['Which papers do they need?', 'They need three papers from the surgeon.'],
])('what only says that there is something is no sure answer: %s "%s"', (question, said) => {
  expect(answerTo(question, said)).toBeUndefined();
});

test('a question back that gives no day does not answer which day', () => {
  const item = clientItem('question_0', 'On which day of the month is the rent due?', null, []);
  const heard = understand('Of each month? Day 5. Is that all?', 1, {
    today: '2026-11-16',
    after: 'question',
  });
  const quotes = evidenceIn(heard, { ...claim, items: [item] }, item).map(({ quote }) => quote);
  expect(quotes).toEqual(['Day 5.']);
});

test.each([
  ["She doesn't have to be there.", undefined],
  ["He doesn't need to sign himself.", undefined],
  ["No, she doesn't have to come, and nobody else may.", false],
  ['Not unless she signs for it, no.', null],
])('what is not required is not forbidden: "%s"', (said, value) => {
  expect(answerTo('May a neighbor pick up the parcel?', said)?.value).toBe(value);
});

test('what is said instead of a wrong number belongs to the answer', () => {
  const said = 'Fax them to 202-555-0142. Wait. Wrong fax. 202-555-0124.';
  expect(answerTo('Where should the papers be sent?', said)?.quote).toBe(said);
});

test('an answer that sounds like a question belongs to it', () => {
  const said = 'That was denied. You want the reason, I guess. Reason is the diagnosis code does not match.';
  expect(evidenceFor(claim, 'denial_reason', said)?.quote).toContain('does not match');
});

test.each([
  "I can't do that. No code, no benefits, that's how it is. You have a nice day.",
  'Not without the code, I would be out of a job.',
])('who turns us away names no plan: "%s"', (said) => {
  expect(evidenceFor(benefits, 'plan_name', said)).toBeUndefined();
});
