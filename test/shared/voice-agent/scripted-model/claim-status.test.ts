import { describe, expect, test } from 'vitest';
import { sentencesOf } from '#shared/voice-agent/language/text.ts';
import { findClaimStatus } from '#shared/voice-agent/scripted-model/answers/claim-status.ts';

function statusIn(said: string, isAsked = true): string | null {
  return findClaimStatus(sentencesOf(said), isAsked)?.status ?? null;
}

describe('the status of a claim in everyday words', () => {
  test.each([
    ['paid', 'That one went through last month.'],
    ['paid', 'oh sure it went threw fine'],
    ['paid', 'A check got cut on the ninth.'],
    ['paid', 'we cut a check for it tuesday'],
    ['paid', 'The payment was mailed out on October 2nd.'],
    ['paid', 'Payment has been issued.'],
    ['paid', 'That one paid.'],
    ['paid', 'It has cleared already.'],
    ['paid', 'yeah they sent the check out already'],
    ['paid', 'That has been taken care of, the money went out on Friday.'],
    ['paid', 'It was denied at first. Then they reversed it and it got paid.'],
    ['denied', 'Looks like it got kicked back.'],
    ['denied', 'they turned it down'],
    ['denied', 'It was turned down on the fifth.'],
    ['denied', 'That claim bounced.'],
    ['denied', 'so it got rejected'],
    ['denied', "It didn't pay."],
    ['denied', "It didn't go through."],
    ['denied', 'That one was thrown out.'],
    ['denied', 'Medical review said no.'],
    ['denied', 'We did not pay on that one.'],
    ['approved', "They gave it the okay. The check hasn't gone out."],
    ['approved', "it's been okayed"],
    ['approved', "It got the green light but it isn't paid yet."],
    ['approved', 'We signed off on it Monday.'],
    ['approved', 'the money has not gone out yet'],
    ['approved', 'It was approved, but nothing has been paid yet.'],
    ['pending', "It's sitting in medical review."],
    ['pending', 'it is in process'],
    ['pending', "They're still looking at it."],
    ['pending', 'The claim is still being looked at.'],
    ['pending', 'We are waiting on the surgery notes.'],
    ['pending', 'No one has paid or denied it.'],
    ['pending', 'It has not been denied or paid.'],
    ['pending', "It hasn't been decided."],
    ['pending', 'Not paid yet.'],
    ['pending', "Nobody's denied it, it's with the examiner."],
    ['pending', "It hasn't gone through yet."],
    ['pending', "It's in limbo."],
    ['received', 'We have it, it just came in the door.'],
    ['received', 'All I can see is that the claim was received.'],
    ['partially paid', 'They paid part and sent the rest back.'],
    ['partially paid', 'We paid some of it, the rest was turned down.'],
    ['closed', 'That claim has been closed.'],
    ['not on file', "I don't see a claim like that."],
    ['not on file', 'nothing is coming up under that number'],
    ['not on file', "I've got nothing under that number."],
    ['not on file', 'Nope, never got it.'],
    ['not on file', 'We never got that claim.'],
  ])('%s: %s', (status, said) => {
    expect(statusIn(said)).toBe(status);
  });

  test.each([
    "It's gone and logged me off.",
    "Okay, she's in the system.",
    'We received your fax.',
    'I have her on file.',
    'The system is still processing.',
    "No, we're not waiting on anything.",
    'Nobody has denied it.',
    'My call got kicked back to the front desk.',
    'Your fax went through.',
    'She paid the copay.',
    'No authorization on file.',
    "We still don't have the itemized bill.",
    'I turned down the radio.',
    'Her birthday went through my head.',
  ])('is not in: %s', (said) => {
    expect(statusIn(said)).toBeNull();
    expect(statusIn(said, false)).toBeNull();
  });
});
