import * as z from 'zod/mini';
import { invokedFunction } from '../../../infra/local/access/aws-request.ts';
import { answerKms, type LocalKeys } from '../../../infra/local/servers/kms-server.ts';
import {
  type ObjectError,
  objectKeyError,
  rememberingKey,
} from '../../../infra/local/servers/object-encryption.ts';
import type { OutgoingRequest, OutgoingResponse } from '../engine/outgoing-request.ts';
import type { DynamoServer, QueueServer } from './embedded-servers.ts';
import type { HttpOrigin } from './http-origin.ts';
import { inOrder } from './in-order.ts';
import type { Refusal, Service } from './network.ts';
import type { StaleReads } from './stale-reads.ts';

/** Names the operation of a request to a JSON service, such as `PutItem`. */
function operationOf({ headers }: OutgoingRequest): string {
  return (headers['x-amz-target'] ?? '').split('.').at(-1) ?? '';
}

function jsonError(status: number, type: string, members: object = {}): OutgoingResponse {
  return {
    status,
    headers: { 'content-type': 'application/x-amz-json-1.0', 'x-amzn-errortype': type },
    body: Buffer.from(JSON.stringify({ __type: type, message: 'simulated', ...members })),
  };
}

function xmlError(status: number, code: string): OutgoingResponse {
  return {
    status,
    headers: { 'content-type': 'application/xml' },
    body: Buffer.from(
      `<?xml version="1.0" encoding="UTF-8"?><Error><Code>${code}</Code><Message>simulated</Message></Error>`,
    ),
  };
}

async function forward(origin: HttpOrigin, request: OutgoingRequest): Promise<OutgoingResponse> {
  const { method, url, headers, body } = request;
  const { 'transfer-encoding': _, connection: __, ...kept } = headers;
  const answer = await origin.ask(method, `${url.pathname}${url.search}`, { ...kept, host: url.host }, body);
  // The server's own date is the real one, to which an SDK client would adjust its clock.
  const { date: ___, ...answerHeaders } = answer.headers;
  return { ...answer, headers: answerHeaders };
}

const dynamoErrors = 'com.amazonaws.dynamodb.v20120810#';

const isTransaction = (request: OutgoingRequest): boolean => operationOf(request) === 'TransactWriteItems';
const isPlainWrite = (request: OutgoingRequest): boolean =>
  ['PutItem', 'UpdateItem', 'DeleteItem'].includes(operationOf(request));

const dynamoRefusals: Readonly<Record<string, Refusal>> = {
  throttled: {
    probability: 0.004,
    answer: () => jsonError(400, `${dynamoErrors}ProvisionedThroughputExceededException`),
  },
  'internal error': {
    probability: 0.002,
    answer: () => jsonError(500, `${dynamoErrors}InternalServerError`),
  },
  'internal error after acceptance': {
    probability: 0.002,
    afterEffect: true,
    answer: () => jsonError(500, `${dynamoErrors}InternalServerError`),
  },
  'transaction conflict': {
    probability: 0.012,
    appliesTo: isTransaction,
    answer: (request) =>
      jsonError(400, `${dynamoErrors}TransactionCanceledException`, {
        Message: 'Transaction cancelled, please refer cancellation reasons for specific reasons',
        CancellationReasons: conflictReasons(request),
      }),
  },
  'write conflict': {
    probability: 0.006,
    appliesTo: isPlainWrite,
    answer: () => jsonError(400, `${dynamoErrors}TransactionConflictException`),
  },
  'writes put off': {
    probability: 0.05,
    appliesTo: (request) => operationOf(request) === 'BatchWriteItem',
    answer: writesPutOff,
  },
};

/** None of the batch's writes was done; the writer has to repeat them. */
function writesPutOff({ body }: OutgoingRequest): OutgoingResponse {
  const { RequestItems } = z.object({ RequestItems: z.unknown() }).parse(JSON.parse(body.toString('utf8')));
  return {
    status: 200,
    headers: { 'content-type': 'application/x-amz-json-1.0' },
    body: Buffer.from(JSON.stringify({ UnprocessedItems: RequestItems })),
  };
}

/** Another transaction was writing one of the items. */
function conflictReasons({ body }: OutgoingRequest): { Code: string }[] {
  const input: unknown = JSON.parse(body.toString('utf8'));
  const items =
    typeof input === 'object' && input !== null && 'TransactItems' in input ? input.TransactItems : [];
  const count = Array.isArray(items) ? items.length : 1;
  return Array.from({ length: count }, (_, position) => ({
    Code: position === 0 ? 'TransactionConflict' : 'None',
  }));
}

function ordered({ status, headers, body }: OutgoingResponse): OutgoingResponse {
  const { 'content-length': _, 'x-amz-crc32': __, ...kept } = headers;
  return {
    status,
    headers: kept,
    body: Buffer.from(JSON.stringify(inOrder(JSON.parse(body.toString('utf8'))))),
  };
}

/** @param onWrite called after a request that may have changed the table */
export function dynamoService(
  server: Pick<DynamoServer, 'origin'>,
  staleReads: Pick<StaleReads, 'asSeen'>,
  onWrite: () => Promise<void>,
): Service {
  return {
    name: 'DynamoDB',
    describe: operationOf,
    refusals: dynamoRefusals,
    lossFactor: 1,
    async answer(request) {
      const answer = ordered(await forward(server.origin, request));
      const operation = operationOf(request);
      if (answer.status === 200 && !['GetItem', 'Query', 'BatchGetItem'].includes(operation)) await onWrite();
      return staleReads.asSeen(request, answer);
    },
  };
}

/** @param onSend called after a message was sent, with the queue's address */
export function queueService(
  { origin }: QueueServer,
  onSend: (queueUrl: string, request: OutgoingRequest) => void,
): Service {
  return {
    name: 'SQS',
    describe: operationOf,
    refusals: {
      'internal error': { probability: 0.006, answer: () => jsonError(500, 'InternalFailure') },
      'error after acceptance': {
        probability: 0.006,
        afterEffect: true,
        answer: () => jsonError(503, 'ServiceUnavailable'),
      },
    },
    lossFactor: 3,
    async answer(request) {
      const answer = await forward(origin, request);
      if (answer.status === 200) {
        const input: unknown = JSON.parse(request.body.toString('utf8'));
        if (typeof input === 'object' && input !== null && 'QueueUrl' in input) {
          onSend(String(input.QueueUrl), request);
        }
      }
      return answer;
    },
  };
}

/** Encrypts each object by the key that it was stored with. */
export function objectService({ origin }: QueueServer, keys: LocalKeys): Service {
  const refused = ({ status, code }: ObjectError): OutgoingResponse => xmlError(status, code);
  return {
    name: 'S3',
    describe: ({ method }) => method,
    refusals: {
      'internal error': { probability: 0.02, answer: () => xmlError(500, 'InternalError') },
      'slow down': { probability: 0.02, answer: () => xmlError(503, 'SlowDown') },
      'error after acceptance': {
        probability: 0.02,
        afterEffect: true,
        answer: () => xmlError(500, 'InternalError'),
      },
    },
    lossFactor: 5,
    answer: async (request) => {
      const unencrypted = objectKeyError(request.headers, keys);
      if (unencrypted !== null) return refused(unencrypted);
      const answer = await forward(origin, { ...request, headers: rememberingKey(request.headers) });
      const undecrypted = request.method === 'GET' ? objectKeyError(answer.headers, keys) : null;
      return undecrypted === null ? answer : refused(undecrypted);
    },
  };
}

/** The local KMS itself. */
export function kmsService(keys: LocalKeys): Service {
  return {
    name: 'KMS',
    describe: operationOf,
    refusals: {
      'internal error': { probability: 0.01, answer: () => jsonError(500, 'KMSInternalException') },
    },
    lossFactor: 2,
    answer: (request) => {
      const target = request.headers['x-amz-target'] ?? '';
      const { status, body } = answerKms(target, request.body.toString('utf8'), keys);
      return {
        status,
        headers: { 'content-type': 'application/x-amz-json-1.1' },
        body: Buffer.from(JSON.stringify(body)),
      };
    },
  };
}

/** @param invoke starts an invocation that nobody waits for */
export function invocationService(invoke: (functionName: string, event: unknown) => void): Service {
  return {
    name: 'Lambda',
    describe: () => 'Invoke',
    refusals: {
      throttled: { probability: 0.05, answer: () => jsonError(429, 'TooManyRequestsException') },
      'internal error': { probability: 0.05, answer: () => jsonError(500, 'ServiceException') },
    },
    lossFactor: 2,
    answer: ({ url, body }) => {
      invoke(invokedFunction(url.pathname) ?? '', JSON.parse(body.toString('utf8')));
      return { status: 202, headers: {}, body: Buffer.alloc(0) };
    },
  };
}

/** @param secrets the text of each secret by its name or ARN */
export function secretsService(secrets: (secretId: string) => string | null): Service {
  return {
    name: 'Secrets Manager',
    describe: operationOf,
    refusals: {
      'internal error': { probability: 0.01, answer: () => jsonError(500, 'InternalServiceError') },
    },
    lossFactor: 2,
    answer: ({ body }) => {
      const input: unknown = JSON.parse(body.toString('utf8'));
      const secretId =
        typeof input === 'object' && input !== null && 'SecretId' in input ? input.SecretId : '';
      const value = secrets(String(secretId));
      if (value === null) return jsonError(400, 'ResourceNotFoundException');
      return {
        status: 200,
        headers: { 'content-type': 'application/x-amz-json-1.1' },
        body: Buffer.from(
          JSON.stringify({ Name: secretId, SecretString: value, VersionStages: ['AWSCURRENT'] }),
        ),
      };
    },
  };
}
