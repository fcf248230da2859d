import { expect, test } from 'vitest';
import { claim, evidenceFor, told } from './told-in.ts';

test('a status is heard beside a date', () => {
  const said = 'The claim was processed and partially paid on November 10th.';
  expect(told(claim, 'claim_status', said)).toMatchObject({ claim_status: 'partially paid' });
});

test.each(['Nothing on it was paid or denied yet.', 'One claim, yes.'])(
  'a claim that they speak of is on file: "%s"',
  (said) => {
    expect(told(claim, 'claim_status', said).claim_status).not.toBe('not on file');
  },
);

test.each([
  ["I can't call that one denied. It's pending.", 'pending'],
  ['No denial that I can see, it is pending with the reviewer.', 'pending'],
  ['It is not pending, no. It was denied last week.', 'denied'],
  ["It's approved, they did that last week, but it ain't paid yet.", 'approved'],
  ['I looked twice, and the claim is not on file, it never got here.', 'not on file'],
  ["It's paid, but the member never cashed the check.", 'paid'],
  ["That one's not on file. I've only got the August one.", 'not on file'],
  ['That one is approved, not paid yet.', 'approved'],
  ['It is approved and paid, all done.', 'paid'],
  ["not turned down no it's been paid", 'paid'],
  ["It's not denied, it's been paid in part.", 'partially paid'],
])('a denied status is not a status: "%s"', (said, status) => {
  expect(told(claim, 'claim_status', said).claim_status).toBe(status);
});

test.each([
  ['It says denied here, and the member already paid you the copay.', 'denied'],
  ['Pending, they want the statement that shows she paid.', 'pending'],
])('of two statuses in one prompt neither is certain: "%s"', (said, status) => {
  const { claim_status } = told(claim, 'claim_status', said);
  expect([undefined, status]).toContain(claim_status);
});

test('a past status yields to the current one', () => {
  const said = 'It was in review until Monday. Now it reads paid.';
  expect(told(claim, 'claim_status', said).claim_status).toBe('paid');
});

test('a status is heard by its name in a clause about the reason', () => {
  const said = 'So that one was denied, because no referral was on file for the scan.';
  expect(told(claim, 'claim_status', said).claim_status).toBe('denied');
});

test('what a processed claim came to is its status', () => {
  expect(told(claim, 'claim_status', 'It is processed and paid.')).toMatchObject({ claim_status: 'paid' });
  expect(told(claim, 'claim_status', 'It was processed, nothing was paid.')).toMatchObject({
    claim_status: 'processed',
  });
});

test.each(['It is on hold right now.', 'Nobody has paid it.'])(
  'a status without a name of ours is kept in words, and unsure: "%s"',
  (said) => {
    const evidence = evidenceFor(claim, 'claim_status', said);
    expect(evidence).toMatchObject({ value: null, quote: said });
    expect(evidence?.confidence).toBeLessThan(0.5);
  },
);

test.each(['The remittance advice has that.', 'No signed authorization, no information.'])(
  'words that tell none are no status: "%s"',
  (said) => {
    expect(evidenceFor(claim, 'claim_status', said)).toBeUndefined();
  },
);

test.each(["Never mind, here's the claim.", 'No worries, I have it up.', "Never mind, it's on my screen."])(
  'an idiom denies no claim: "%s"',
  (said) => {
    expect(told(claim, null, said).claim_status).not.toBe('not on file');
  },
);

test.each([
  "There's no such claim here. The last one I see's a flu shot, and that's paid.",
  "Nope, not on file. There's an eye exam in May, it was denied.",
])('the status of what they found instead is not that of our claim: "%s"', (said) => {
  expect(evidenceFor(claim, 'claim_status', said)?.value ?? null).not.toMatch(/paid|denied/);
});
