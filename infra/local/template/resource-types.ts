import { createHash } from 'node:crypto';
import { gatewayId, kebabCase, localAccountId, localRegion, physicalName } from './physical-names.ts';

/** One resource of the template while its references are resolved. */
export interface NamedResource {
  readonly logicalId: string;
  readonly stackName: string;
  /** The text of a property, resolved; `undefined` when the template does not set it. */
  property(name: string): string | undefined;
}

/** Known only once the embedded servers run. */
export interface RunningServers {
  /** Origin of the queues' server, for queue URLs. */
  readonly queueOrigin: string;
  /** The ARN of a table's stream as its server gave it; `undefined` for a table without one. */
  streamArn(tableName: string): string | undefined;
}

type Value = (resource: NamedResource, servers: RunningServers) => string | undefined;

export interface ResourceType {
  /** `null` for what is provisioned or run here; otherwise why it has no effect on one machine. */
  readonly noLocalEffect: string | null;
  readonly ref: Value;
  readonly attributes: Readonly<Record<string, Value>>;
}

const named =
  (nameProperty: string | null, maxLength: number): ((resource: NamedResource) => string) =>
  ({ property, stackName, logicalId }) =>
    (nameProperty === null ? undefined : property(nameProperty)) ??
    physicalName(stackName, logicalId, maxLength);

export const tableName = named('TableName', 255);
export const queueName = named('QueueName', 80);
/** Bucket names are host names, so they have no capitals. */
export const bucketName = (resource: NamedResource): string =>
  named('BucketName', 63)(resource).toLowerCase().replaceAll('_', '-');
export const secretName = named('Name', 512);
export const functionName = (resource: NamedResource): string =>
  resource.property('FunctionName') ?? kebabCase(resource.logicalId);
const ruleName = named('Name', 64);
const roleName = named('RoleName', 64);
const logGroupName = named('LogGroupName', 512);
const topicName = named('TopicName', 256);

export const queueArn = (name: string): string => arn('sqs', name);
export const functionArn = (name: string): string => arn('lambda', `function:${name}`);
export const secretArn = (name: string): string => {
  // Secrets Manager ends a secret's ARN in six characters of its own.
  const suffix = createHash('sha256').update(name).digest('hex').slice(0, 6);
  return arn('secretsmanager', `secret:${name}-${suffix}`);
};
export const tableArn = (name: string): string => arn('dynamodb', `table/${name}`);
export const bucketArn = (name: string): string => globalArn('s3', '', name);
export const keyId = ({ logicalId }: Pick<NamedResource, 'logicalId'>): string => gatewayId(logicalId);
export const keyArn = (id: string): string => arn('kms', `key/${id}`);
export const identityArn = (address: string): string => arn('ses', `identity/${address}`);
export const ruleArn = (resource: NamedResource): string => arn('events', `rule/${ruleName(resource)}`);

function arn(service: string, resource: string): string {
  return `arn:aws:${service}:${localRegion}:${localAccountId}:${resource}`;
}

const globalArn = (service: string, account: string, resource: string): string =>
  `arn:aws:${service}::${account}:${resource}`;

const runs = (ref: Value, attributes: ResourceType['attributes'] = {}): ResourceType => ({
  noLocalEffect: null,
  ref,
  attributes,
});

const withoutEffect = (
  why: string,
  ref: Value = ({ logicalId }) => logicalId,
  attributes: ResourceType['attributes'] = {},
): ResourceType => ({ noLocalEffect: why, ref, attributes });

const id: Value = ({ logicalId }) => gatewayId(logicalId);

const unchecked = 'only permissions in functions’ roles are checked locally';
const unencrypted = 'data at rest is not encrypted locally';
const signedInElsewhere = 'people sign in at the identity provider of the local stack';
const unreached = 'the local stack is not reachable from outside';
const unnamed = 'the local stack is reached at addresses of this machine';
const unsaved = 'a copy of the data directory is the backup of a local stack';
const unmetered = 'there are no metrics locally';

const table = runs(tableName, {
  Arn: (resource) => tableArn(tableName(resource)),
  StreamArn: (resource, servers) => servers.streamArn(tableName(resource)),
});

/**
 * Every resource type that a template may have here. An unknown type stops the start with an error: otherwise part of
 * the deployment would silently be missing locally.
 */
export const resourceTypes: Readonly<Record<string, ResourceType>> = {
  'AWS::DynamoDB::Table': table,
  'AWS::SQS::Queue': runs((resource, { queueOrigin }) => queueUrl(queueOrigin, queueName(resource)), {
    Arn: (resource) => queueArn(queueName(resource)),
    QueueName: queueName,
    QueueUrl: (resource, { queueOrigin }) => queueUrl(queueOrigin, queueName(resource)),
  }),
  'AWS::S3::Bucket': runs(bucketName, {
    Arn: (resource) => bucketArn(bucketName(resource)),
  }),
  'AWS::SecretsManager::Secret': runs((resource) => secretArn(secretName(resource)), {
    Id: (resource) => secretArn(secretName(resource)),
  }),
  // Only what functions seal themselves is encrypted: data at rest is not.
  'AWS::KMS::Key': runs(keyId, { Arn: (resource) => keyArn(keyId(resource)), KeyId: keyId }),
  'AWS::Lambda::Function': runs(functionName, { Arn: (resource) => functionArn(functionName(resource)) }),
  'AWS::Lambda::EventSourceMapping': runs(id, { Id: id }),
  'AWS::Events::Rule': runs(ruleName, { Arn: ruleArn }),
  'AWS::ApiGateway::RestApi': runs(id, { RestApiId: id, RootResourceId: rootResourceId }),
  'AWS::ApiGateway::Resource': runs(id, { ResourceId: id }),
  'AWS::ApiGateway::Method': runs(id),
  'AWS::ApiGateway::GatewayResponse': runs(id, { Id: id }),
  'AWS::ApiGateway::Stage': runs((resource) => resource.property('StageName')),
  'AWS::ApiGatewayV2::Api': runs(id, { ApiId: id }),
  'AWS::ApiGatewayV2::Integration': runs(id, { IntegrationId: id }),
  'AWS::ApiGatewayV2::Route': runs(id, { RouteId: id }),
  'AWS::ApiGatewayV2::Stage': runs((resource) => resource.property('StageName')),

  'AWS::ApiGateway::Deployment': withoutEffect('the routes of the template itself are served', id, {
    DeploymentId: id,
  }),
  'AWS::ApiGatewayV2::Deployment': withoutEffect('the routes of the template itself are served', id, {
    DeploymentId: id,
  }),
  'AWS::ApiGateway::Account': withoutEffect('gateway access logs are not written locally'),
  'AWS::Lambda::Permission': withoutEffect(unchecked),
  'AWS::Lambda::EventInvokeConfig': withoutEffect('asynchronous invocations are made once'),
  'AWS::IAM::Role': runs(roleName, {
    Arn: (resource) => globalArn('iam', localAccountId, `role/${roleName(resource)}`),
    RoleId: id,
  }),
  'AWS::IAM::Policy': runs(id),
  'AWS::IAM::ManagedPolicy': withoutEffect(unchecked),
  'AWS::SQS::QueuePolicy': withoutEffect(unchecked),
  'AWS::S3::BucketPolicy': withoutEffect(unchecked),
  'AWS::SNS::TopicPolicy': withoutEffect(unchecked),
  'AWS::KMS::Alias': withoutEffect(unencrypted, (resource) => resource.property('AliasName')),
  'AWS::Cognito::UserPool': withoutEffect(signedInElsewhere),
  'AWS::Cognito::UserPoolClient': withoutEffect(signedInElsewhere),
  'AWS::Cognito::UserPoolDomain': withoutEffect(signedInElsewhere),
  'AWS::Cognito::ManagedLoginBranding': withoutEffect(signedInElsewhere),
  'AWS::Logs::LogGroup': withoutEffect('functions log to one file locally', logGroupName, {
    Arn: (resource) => arn('logs', `log-group:${logGroupName(resource)}:*`),
  }),
  'AWS::CloudWatch::Alarm': withoutEffect(unmetered, undefined, {
    Arn: ({ logicalId }) => arn('cloudwatch', `alarm:${logicalId}`),
  }),
  'AWS::CloudWatch::CompositeAlarm': withoutEffect(unmetered, undefined, {
    Arn: ({ logicalId }) => arn('cloudwatch', `alarm:${logicalId}`),
  }),
  'AWS::CloudWatch::Dashboard': withoutEffect(unmetered),
  'AWS::SNS::Topic': withoutEffect(
    'nothing but alarms publishes to topics',
    (resource) => arn('sns', topicName(resource)),
    { TopicArn: (resource) => arn('sns', topicName(resource)), TopicName: topicName },
  ),
  'AWS::SNS::Subscription': withoutEffect('nothing but alarms publishes to topics'),
  'AWS::WAFv2::WebACL': withoutEffect(unreached, undefined, {
    Arn: ({ logicalId }) => arn('wafv2', logicalId),
  }),
  'AWS::WAFv2::WebACLAssociation': withoutEffect(unreached),
  'AWS::ApiGateway::DomainName': withoutEffect(unnamed, undefined, { RegionalDomainName: id }),
  'AWS::ApiGateway::BasePathMapping': withoutEffect(unnamed),
  'AWS::ApiGatewayV2::DomainName': withoutEffect(unnamed, undefined, { RegionalDomainName: id }),
  'AWS::ApiGatewayV2::ApiMapping': withoutEffect(unnamed),
  'AWS::Backup::BackupVault': withoutEffect(unsaved),
  'AWS::Backup::BackupPlan': withoutEffect(unsaved, undefined, { BackupPlanId: id }),
  'AWS::Backup::BackupSelection': withoutEffect(unsaved),
  'AWS::CDK::Metadata': withoutEffect('it describes the app to AWS'),
};

/** The embedded server finds a queue by the last part of the path. */
export function queueUrl(origin: string, name: string): string {
  return `${origin}/${localAccountId}/${name}`;
}

/** The resource that paths start from belongs to the API and is not in the template. */
export function rootResourceId({ logicalId }: Pick<NamedResource, 'logicalId'>): string {
  return gatewayId(`${logicalId}/`);
}
