import { handler } from '../../functions/recording-ingest.ts';
import { lambdaContext, queueEvent } from '../support/lambda-events.ts';

/*
 * A process that only stores one recording, so that its memory is the function's. Takes the body of the
 * message as its argument and reports the outcome on standard output.
 */
const context = { ...lambdaContext, getRemainingTimeInMillis: () => 15 * 60 * 1000 };
const { batchItemFailures } = await handler(queueEvent([process.argv[2] ?? '']), context);
const peakBytes = process.resourceUsage().maxRSS * 1024;
process.stdout.write(`${JSON.stringify({ failures: batchItemFailures.length, peakBytes })}\n`);
