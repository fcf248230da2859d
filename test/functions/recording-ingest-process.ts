import { handler } from '../../functions/recording-ingest.ts';
import { lambdaContext, queueEvent } from '../support/lambda-events.ts';

/*
 * A process that does nothing but keep one recording, so that its memory is that of the function. Takes the body of the
 * message as its argument and tells on its standard output how it went.
 */
const context = { ...lambdaContext, getRemainingTimeInMillis: () => 15 * 60 * 1000 };
const { batchItemFailures } = await handler(queueEvent([process.argv[2] ?? '']), context);
const peakBytes = process.resourceUsage().maxRSS * 1024;
process.stdout.write(`${JSON.stringify({ failures: batchItemFailures.length, peakBytes })}\n`);
