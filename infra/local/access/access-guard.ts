import {
  Agent,
  createServer,
  request as httpRequest,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http';
import * as z from 'zod/mini';
import { closeServer, listenOnLoopback, loopback } from '../../loopback.ts';
import {
  type AwsEndpoints,
  type FunctionDefinition,
  localSecretAccessKey,
} from '../functions/function-definition.ts';
import type { LocalKeys } from '../servers/kms-server.ts';
import { objectKeyError, rememberingKey, tellingKey } from '../servers/object-encryption.ts';
import { overriddenHeaders } from '../servers/response-overrides.ts';
import type { Deployment } from '../template/deployment.ts';
import { localAccountId, localRegion } from '../template/physical-names.ts';
import { tableName } from '../template/resource-types.ts';
import {
  type AwsRequest,
  absenceAccess,
  accessesOf,
  isInvocation,
  isMail,
  type TagsOfKey,
} from './aws-request.ts';
import { type Access, isAllowed, PolicyDocument, type Statement } from './policy.ts';
import { presignedUrlError } from './presigned-url.ts';

/**
 * A proxy between the functions and the embedded servers that enforces each function's role, so that a permission
 * missing in the template is missing here, too. It identifies functions by their access keys, also in presigned URLs,
 * whose scope, signature and time it checks. Resource policies, key policies and grants on Amazon Bedrock are not
 * checked.
 */
export interface AccessGuard {
  /** The function with its own access key, and the guard as its servers. */
  instrument(definition: FunctionDefinition): FunctionDefinition;
  /** Whether the signer of a request to the WebSocket management endpoint may send it. */
  mayManageConnection(request: IncomingMessage, apiId: string): boolean;
  /** Refusals so far: `create-task: dynamodb:DeleteItem on arn:…`. */
  readonly refused: readonly string[];
  stop(): Promise<void>;
}

/** Access key of people and tests beside the stack, which may do everything. */
const operatorAccessKey = 'local';

export async function startAccessGuard(
  deployment: Deployment,
  servers: AwsEndpoints,
  keys: LocalKeys,
  log: (line: string) => void,
): Promise<AccessGuard> {
  const statements = statementsByFunction(deployment);
  const partitionKeys = partitionKeysOf(deployment);
  const refused: string[] = [];
  /** By access key. */
  const functionNames = new Map<string, string>();
  const agent = new Agent({ keepAlive: true });
  const tagsOfKey: TagsOfKey = (arn) => keys.find(arn.split('/').at(-1) ?? '')?.tags ?? {};

  /** The first access that is not allowed, or null. */
  function firstRefusal(caller: string, accesses: readonly Access[]): Access | null {
    if (caller === operatorAccessKey) return null;
    const own = statements.get(caller) ?? [];
    const refusal = accesses.find((access) => !isAllowed(own, access)) ?? null;
    if (refusal !== null) {
      const name = functionNames.get(caller) ?? caller;
      refused.push(`${name}: ${refusal.action} on ${refusal.resource}`);
      log(`${name} may not ${refusal.action} on ${refusal.resource}: its manifest does not use that`);
    }
    return refusal;
  }

  async function answer(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const target = String(incoming.headers['x-amz-target'] ?? '');
    const { method = 'GET', url = '/' } = incoming;
    // Objects are large, and no check depends on their content.
    const isRead = target !== '' || isMail(url) || isInvocation(url) || url.includes('?delete');
    const body = isRead ? await readAll(incoming) : null;
    const asked: AwsRequest = { method, url, target, body: body?.toString('utf8') ?? '' };
    const caller = signerOf(incoming);
    const { headers } = incoming;
    const invalid = isPresigned(url)
      ? presignedUrlError({ method, url, headers }, localSecretAccessKey, new Date())
      : null;
    if (invalid !== null) {
      incoming.resume();
      return refuseObject(outgoing, invalid);
    }
    const refusal = firstRefusal(caller, accessesOf(asked, partitionKeys, tagsOfKey));
    if (refusal !== null) {
      incoming.resume();
      return refuse(outgoing, target === '' && !isMail(url) && !isInvocation(url), caller, refusal);
    }
    const unencrypted = objectKeyError(headers, keys);
    if (unencrypted !== null) {
      incoming.resume();
      return refuseObject(outgoing, unencrypted);
    }
    const to = new URL(url, serverFor(target, url, servers));
    const forwarded = httpRequest(
      to,
      { agent, method, headers: { ...rememberingKey(headers), host: to.host } },
      (response) => {
        const undecrypted = method === 'GET' ? objectKeyError(response.headers, keys) : null;
        if (undecrypted !== null) {
          response.resume();
          return refuseObject(outgoing, undecrypted);
        }
        const absence = response.statusCode === 404 ? absenceAccess(asked) : null;
        const unlisted = absence === null ? null : firstRefusal(caller, [absence]);
        if (unlisted !== null) {
          response.resume();
          return refuse(outgoing, true, caller, unlisted);
        }
        const told = tellingKey(response.headers);
        const isObject = response.statusCode === 200 || response.statusCode === 206;
        outgoing.writeHead(
          response.statusCode ?? 502,
          isPresigned(url) && isObject ? overriddenHeaders(told, url) : told,
        );
        response.pipe(outgoing);
        response.on('error', () => outgoing.destroy());
      },
    );
    forwarded.on('error', () => outgoing.destroy());
    outgoing.on('close', () => forwarded.destroy());
    if (body === null) incoming.pipe(forwarded);
    else forwarded.end(body);
  }

  const server = createServer((incoming, outgoing) => {
    answer(incoming, outgoing).catch((error: unknown) => {
      const why = error instanceof Error ? error.message : String(error);
      refused.push(`${signerOf(incoming)}: ${why}`);
      log(`A request of ${signerOf(incoming)} could not be parsed: ${why}`);
      outgoing.destroy();
    });
  });
  server.keepAliveTimeout = 60_000;
  const origin = `http://${loopback}:${await listenOnLoopback(server, 0)}`;
  // A port may be the beginning of a longer one.
  const origins = new RegExp(`(${[...new Set(Object.values(servers))].join('|')})(?!\\d)`, 'g');

  return {
    instrument: (definition) => {
      // DynamoDB Local accepts only letters and digits.
      const accessKey = definition.logicalId;
      functionNames.set(accessKey, definition.name);
      const environment = Object.fromEntries(
        Object.entries(definition.environment).map(([name, value]) => [
          name,
          value.replaceAll(origins, origin),
        ]),
      );
      return { ...definition, environment: { ...environment, AWS_ACCESS_KEY_ID: accessKey } };
    },
    mayManageConnection: (request, apiId) => {
      const { method = 'GET', url = '/' } = request;
      const [, stage = '', ...rest] = url.split('/').map(decodeURIComponent);
      const path = [apiId, stage, method, ...rest].join('/');
      const resource = `arn:aws:execute-api:${localRegion}:${localAccountId}:${path}`;
      const action = 'execute-api:ManageConnections';
      return firstRefusal(signerOf(request), [{ action, resource, context: {} }]) === null;
    },
    refused,
    stop: async () => {
      agent.destroy();
      await closeServer(server);
    },
  };
}

const RoleProperties = z.object({
  Policies: z._default(z.array(z.object({ PolicyDocument })), []),
  ManagedPolicyArns: z.optional(
    z.array(z.unknown()).check(z.maxLength(0, 'managed policies are not supported locally')),
  ),
});
const PolicyProperties = z.object({ PolicyDocument, Roles: z._default(z.array(z.string()), []) });
const FunctionProperties = z.object({ Role: z.string() });

/** All statements of each function's role, by logical ID. */
function statementsByFunction(deployment: Deployment): Map<string, Statement[]> {
  const byFunction = deployment
    .ofType('AWS::Lambda::Function')
    .map(
      (resource) => [resource.logicalId, deployment.properties(resource, FunctionProperties).Role] as const,
    );
  const used = new Set(byFunction.map(([, roleArn]) => roleArn));
  const byRole = new Map<string, Statement[]>();
  for (const role of deployment.ofType('AWS::IAM::Role')) {
    const arn = deployment.attribute(role, 'Arn');
    if (!used.has(arn)) continue;
    const { Policies } = deployment.properties(role, RoleProperties);
    byRole.set(
      arn,
      Policies.flatMap((policy) => policy.PolicyDocument.Statement),
    );
  }
  for (const policy of deployment.ofType('AWS::IAM::Policy')) {
    const { PolicyDocument: document, Roles } = deployment.properties(policy, PolicyProperties);
    for (const [arn, statements] of byRole) {
      if (Roles.includes(arn.split('/').at(-1) ?? '')) statements.push(...document.Statement);
    }
  }
  return new Map(byFunction.map(([logicalId, roleArn]) => [logicalId, byRole.get(roleArn) ?? []]));
}

const TableProperties = z.object({
  KeySchema: z.array(z.object({ AttributeName: z.string(), KeyType: z.string() })),
});

function partitionKeysOf(deployment: Deployment): Map<string, string> {
  return new Map(
    deployment.ofType('AWS::DynamoDB::Table').map((table) => {
      const { KeySchema } = deployment.properties(table, TableProperties);
      return [tableName(table), KeySchema.find(({ KeyType }) => KeyType === 'HASH')?.AttributeName ?? ''];
    }),
  );
}

function isPresigned(url: string): boolean {
  return url.includes('X-Amz-Signature=');
}

/** The access key that signed the request or its presigned URL. */
function signerOf({ headers, url = '/' }: IncomingMessage): string {
  const presigned = new URL(url, 'http://localhost').searchParams.get('X-Amz-Credential');
  const credential = /Credential=([^,]+)/.exec(headers.authorization ?? '')?.[1] ?? presigned ?? '';
  return credential.split('/')[0] ?? '';
}

function serverFor(target: string, url: string, servers: AwsEndpoints): string {
  if (isMail(url)) return servers.mail;
  if (isInvocation(url)) return servers.lambda;
  if (target.startsWith('DynamoDB')) return servers.dynamodb;
  if (target.startsWith('AmazonSQS')) return servers.sqs;
  if (target.startsWith('secretsmanager')) return servers.secretsManager;
  return target === '' ? servers.s3 : servers.kms;
}

function refuse(
  outgoing: ServerResponse,
  isOfObject: boolean,
  caller: string,
  { action, resource }: Access,
): void {
  const message = `User: ${caller} is not authorized to perform: ${action} on resource: ${resource}`;
  if (isOfObject) {
    refuseObject(outgoing, { status: 403, code: 'AccessDenied', message });
    return;
  }
  outgoing.writeHead(400, { 'Content-Type': 'application/x-amz-json-1.0' });
  outgoing.end(JSON.stringify({ __type: 'AccessDeniedException', message, Message: message }));
}

function refuseObject(
  outgoing: ServerResponse,
  { status, code, message }: { status: number; code: string; message: string },
): void {
  outgoing.writeHead(status, { 'Content-Type': 'application/xml' });
  outgoing.end(`<Error><Code>${code}</Code><Message>${message}</Message></Error>`);
}

async function readAll(incoming: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks);
}
