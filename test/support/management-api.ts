import { importJWK, SignJWT } from 'jose';
import type { Member, Role } from '#shared/domain/person.ts';
import { addMemberItem } from '#shared/table/member.ts';
import { writeTransaction } from '#shared/table/transaction.ts';
import { type ApiClient, type ApiReply, type ApiUnderTest, newApiClient, send } from './api-under-test.ts';
import { secretsKey, startEmbeddedSecrets } from './embedded-secrets.ts';
import { startHandlerApi } from './handler-api.ts';
import { startIdentityProvider, type TestIdentityProvider } from './identity-provider.ts';

/** A project with members, each with a token signed by the identity provider. */
export interface StaffedProject extends ApiClient {
  readonly owner: string;
  readonly viewer: string;
}

/** The management API and `/v1`, with two projects that know nothing of each other. */
export interface ManagementApi extends Omit<ApiUnderTest, 'mine' | 'other'> {
  readonly mine: StaffedProject;
  readonly other: StaffedProject;
  /** A token of a person without a project. */
  tokenOf(email: string): Promise<string>;
  newProject(): Promise<StaffedProject>;
  ask(method: string, path: string, token: string, body?: unknown): Promise<ApiReply>;
}

/** The email address of an operator of the service. */
export const operatorEmail = 'operator@service.example.com';

/** The handlers of both in this process, on their own embedded servers, including an identity provider. */
export async function startManagementApi(): Promise<ManagementApi> {
  const [provider, secrets] = await Promise.all([startIdentityProvider(), startEmbeddedSecrets()]);
  Object.assign(process.env, {
    OIDC_ISSUER: provider.issuer,
    OIDC_CLIENT_ID: provider.clientId,
    AWS_ENDPOINT_URL_KMS: secrets.kms.endpoint,
    SECRETS_KEY_ID: secretsKey.arn,
    WEBHOOK_LOOPBACK: 'allowed',
    OPERATOR_EMAILS: `somebody@service.example.com,${operatorEmail}`,
    LIVE_CARRIER_SECRET_ID: '',
    MAIL_FROM: '',
  });
  const api = await startHandlerApi(
    ({ authentication }) => authentication === 'api-key' || authentication === 'oidc',
  );
  const tokenOf = (email: string): Promise<string> => signedToken(provider, email);
  const newProject = async (): Promise<StaffedProject> => {
    const client = await newApiClient(api.table);
    const emailOf = (role: Role): string => `${role}.${client.projectId}@clinic.example.com`;
    await writeTransaction(
      api.table,
      (['owner', 'viewer'] as const).map((role) =>
        addMemberItem(api.table, memberOf(client.projectId, emailOf(role), role)),
      ),
    );
    return {
      ...client,
      owner: await tokenOf(emailOf('owner')),
      viewer: await tokenOf(emailOf('viewer')),
    };
  };
  return {
    ...api,
    mine: await newProject(),
    other: await newProject(),
    tokenOf,
    newProject,
    ask: (method, path, token, body) => send(api.baseUrl, { method, path, apiKey: token, body }),
    async stop() {
      await api.stop();
      await Promise.all([provider.stop(), secrets.stop()]);
    },
  };
}

function memberOf(projectId: string, email: string, role: Role): Member {
  const at = new Date().toISOString();
  return { project_id: projectId, email, role, created_at: at, updated_at: at };
}

async function signedToken({ issuer, clientId, signingKey }: TestIdentityProvider, email: string) {
  return new SignJWT({ email, email_verified: true, name: 'Invented Person' })
    .setProtectedHeader({ alg: 'RS256', kid: signingKey.kid })
    .setIssuer(issuer)
    .setAudience(clientId)
    .setSubject(`subject of ${email}`)
    .setIssuedAt()
    .setExpirationTime('1h')
    .sign(await importJWK(signingKey, 'RS256'));
}
