import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CallWorld } from '../support/call-world.ts';
import { openCarrierContract } from '../support/carrier-contract.ts';
import { hasCarrierDocument, skippedReason } from '../support/carrier-document.ts';
import { wavFile } from '../support/wav-file.ts';

let world: CallWorld;
beforeAll(async () => {
  world = await CallWorld.start();
});
afterAll(() => world.stop());

describe.skipIf(!hasCarrierDocument)(`the carrier's own document ${skippedReason}`, () => {
  test('describes whatever the call runner asks while calls go well, get lost and overrun', async () => {
    const contract = openCarrierContract();

    // Answered; of its recording nobody tells.
    const told = await world.dial(await world.newTask());
    await world.progress(told, 'answered', 1);
    await world.sessionEnded(told);
    world.carrier.addRecording(told.carrier_call_sid ?? '', wavFile({ channels: 2, seconds: 3 }));
    await world.progress(told, 'completed', 2, { talk_seconds: 3 });
    await world.lookUntilCompleted(told);
    await world.lookUntilSettled(told);
    expect((await world.call(told)).recording.status).toBe('stored');

    // Accepted by the carrier, whose answer is lost; then it talks for ever.
    world.carrier.interfere = (request, response) => {
      if (request.method !== 'POST') return false;
      world.carrier.acceptCall(request).status = 'in-progress';
      world.carrier.interfere = () => false;
      response.destroy();
      return true;
    };
    const lost = await world.dial(await world.newTask());
    await world.lookUntilCompleted(lost);
    expect(await world.call(lost)).toMatchObject({ submission: 'adopted' });

    const requests = world.carrier.requests.map(({ method, url, headers, body }) => ({
      method,
      url,
      requestType: headers['content-type'],
      requestBody: body,
    }));
    // The address of the sound is described in prose only.
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
