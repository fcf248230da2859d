import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CallFixture } from '../support/call-fixture.ts';
import { openCarrierContract } from '../support/carrier-contract.ts';
import { hasCarrierDocument, skippedReason } from '../support/carrier-document.ts';
import { wavFile } from '../support/wav-file.ts';

let fixture: CallFixture;
beforeAll(async () => {
  fixture = await CallFixture.start();
});
afterAll(() => fixture.stop());

describe.skipIf(!hasCarrierDocument)(`the carrier's own document ${skippedReason}`, () => {
  test('describes every request of the call runner while calls succeed, get lost and overrun', async () => {
    const contract = openCarrierContract();

    // Answered; nobody reports its recording.
    const told = await fixture.dial(await fixture.newTask());
    await fixture.progress(told, 'answered', 1);
    await fixture.sessionEnded(told);
    fixture.carrier.addRecording(told.carrier_call_sid ?? '', wavFile({ channels: 2, seconds: 3 }));
    await fixture.progress(told, 'completed', 2, { talk_seconds: 3 });
    await fixture.lookUntilCompleted(told);
    await fixture.lookUntilSettled(told);
    expect((await fixture.call(told)).recording.status).toBe('stored');

    // Accepted by the carrier, whose response is lost; then it talks forever.
    fixture.carrier.interfere = (request, response) => {
      if (request.method !== 'POST') return false;
      fixture.carrier.acceptCall(request).status = 'in-progress';
      fixture.carrier.interfere = () => false;
      response.destroy();
      return true;
    };
    const lost = await fixture.dial(await fixture.newTask());
    await fixture.lookUntilCompleted(lost);
    expect(await fixture.call(lost)).toMatchObject({ submission: 'adopted' });

    const requests = fixture.carrier.requests.map(({ method, url, headers, body }) => ({
      method,
      url,
      requestType: headers['content-type'],
      requestBody: body,
    }));
    // Only prose describes the sound's URL.
    const described = requests.filter(({ url }) => !url.includes('.wav'));
    expect(described.length).toBeLessThan(requests.length);
    for (const request of described) {
      expect({ url: request.url, violations: contract.requestViolations(request) }).toEqual({
        url: request.url,
        violations: [],
      });
    }
    expect([...new Set(described.map((request) => contract.operationOf(request)))].sort()).toEqual([
      'CreateCall',
      'DeleteRecording',
      'FetchCall',
      'ListCall',
      'ListCallRecording',
      'UpdateCall',
    ]);
  });
});
