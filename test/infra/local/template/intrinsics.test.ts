import { describe, expect, test } from 'vitest';
import { createDeployment } from '../../../../infra/local/template/deployment.ts';
import { createResolver } from '../../../../infra/local/template/intrinsics.ts';
import { parameterValues } from '../../../../infra/local/template/template.ts';

const template = {
  Parameters: { Pace: { Type: 'String', Default: '0.05' }, Address: { Type: 'String', Default: '' } },
  Mappings: { Sizes: { small: { memory: 512 } } },
  Conditions: {
    HasAddress: { 'Fn::Not': [{ 'Fn::Equals': [{ Ref: 'Address' }, ''] }] },
    IsSlow: { 'Fn::Equals': [{ Ref: 'Pace' }, '0.05'] },
    Both: { 'Fn::And': [{ Condition: 'HasAddress' }, { Condition: 'IsSlow' }] },
    Either: { 'Fn::Or': [{ Condition: 'HasAddress' }, { Condition: 'IsSlow' }] },
    Circular: { 'Fn::Not': [{ Condition: 'Circular' }] },
  },
  Resources: { Queue: { Type: 'AWS::SQS::Queue' } },
};

const resolver = createResolver({
  template,
  parameters: parameterValues(template, {}),
  pseudoParameters: { 'AWS::Region': 'us-east-1' },
  resources: {
    ref: (id) => (id === 'Queue' ? 'http://queue' : undefined),
    attribute: (id, attribute) => (id === 'Queue' && attribute === 'Arn' ? 'arn:queue' : undefined),
  },
});

describe("intrinsic functions return CloudFormation's values", () => {
  test.each<[string, unknown, unknown]>([
    ['Ref of a parameter', { Ref: 'Pace' }, '0.05'],
    ['Ref of a resource', { Ref: 'Queue' }, 'http://queue'],
    ['Ref of a pseudo parameter', { Ref: 'AWS::Region' }, 'us-east-1'],
    ['Ref of AWS::NoValue leaves the member out', { a: 1, b: { Ref: 'AWS::NoValue' } }, { a: 1 }],
    ['AWS::NoValue in a list leaves the element out', [1, { Ref: 'AWS::NoValue' }], [1]],
    ['Fn::GetAtt', { 'Fn::GetAtt': ['Queue', 'Arn'] }, 'arn:queue'],
    ['Fn::GetAtt with a dot', { 'Fn::GetAtt': 'Queue.Arn' }, 'arn:queue'],
    ['Fn::Join', { 'Fn::Join': ['-', ['a', { Ref: 'Pace' }, 1]] }, 'a-0.05-1'],
    ['Fn::Join of a split', { 'Fn::Join': ['+', { 'Fn::Split': ['/', 'a/b'] }] }, 'a+b'],
    ['Fn::Select of a split', { 'Fn::Select': [1, { 'Fn::Split': ['/', 'a/b'] }] }, 'b'],
    [
      'Fn::Sub',
      { 'Fn::Sub': `\${AWS::Region}/\${Queue}/\${Queue.Arn}/\${!Kept}` },
      `us-east-1/http://queue/arn:queue/\${Kept}`,
    ],
    ['Fn::Sub with own variables', { 'Fn::Sub': [`\${x}!`, { x: { Ref: 'Pace' } }] }, '0.05!'],
    [
      'Fn::If takes one branch and does not look at the other',
      { 'Fn::If': ['HasAddress', { Ref: 'Nothing' }, 'else'] },
      'else',
    ],
    ['Fn::FindInMap', { 'Fn::FindInMap': ['Sizes', 'small', 'memory'] }, 512],
    ['Fn::Base64', { 'Fn::Base64': 'hi' }, 'aGk='],
    ['Fn::And', { 'Fn::If': ['Both', 1, 2] }, 2],
    ['Fn::Or', { 'Fn::If': ['Either', 1, 2] }, 1],
    ['nested in objects and lists', { list: [{ deep: { Ref: 'Pace' } }] }, { list: [{ deep: '0.05' }] }],
    [
      'a policy member named Condition is no function',
      { Condition: { Bool: { x: 'y' } } },
      { Condition: { Bool: { x: 'y' } } },
    ],
  ])('%s', (_, value, expected) => {
    expect(resolver.resolve(value, 'Thing.Property')).toEqual(expected);
  });
});

describe('an unresolvable expression fails with its place and reason', () => {
  test.each<[unknown, string]>([
    [{ 'Fn::ImportValue': 'x' }, 'Cannot resolve Thing.Property: Fn::ImportValue is not supported'],
    [{ a: [{ Ref: 'Nothing' }] }, 'Cannot resolve Thing.Property.a[0]: there is no resource Nothing'],
    [{ Ref: 'AWS::NotificationARNs' }, 'the pseudo parameter AWS::NotificationARNs is not known'],
    [{ 'Fn::GetAtt': ['Queue', 'Colour'] }, 'attribute Colour of Queue (AWS::SQS::Queue) is not known'],
    [{ 'Fn::If': ['Unheard', 1, 2] }, 'there is no condition Unheard'],
    [{ 'Fn::If': ['Circular', 1, 2] }, 'condition Circular depends on itself'],
    [{ 'Fn::Select': [5, ['a']] }, 'Fn::Select has no element 5'],
    [{ 'Fn::Join': ['', [{ 'Fn::GetAtt': ['Queue', 'Arn'] }, {}]] }, 'Fn::Join needs text'],
  ])('%j', (value, message) => {
    expect(() => resolver.resolve(value, 'Thing.Property')).toThrow(message);
  });
});

describe('parameters', () => {
  const declared = {
    ...template,
    Parameters: {
      Needed: { Type: 'String' },
      Shaped: { Type: 'String', Default: 'a', AllowedPattern: '[ab]+' },
      Counted: { Type: 'Number', Default: 200, MinValue: 1, MaxValue: 1000 },
    },
  };

  test.each<[Record<string, string>, string]>([
    [{}, 'Parameter Needed has no default and was not given'],
    [{ Needed: 'x', Other: 'y' }, 'The template has no parameter Other'],
    [{ Needed: 'x', Shaped: 'abc' }, 'Parameter Shaped is "abc" but must match [ab]+'],
    [
      { Needed: 'x', Counted: 'abc' },
      'Parameter Counted is "abc" but must be a number, at least 1 and at most 1000',
    ],
    [{ Needed: 'x', Counted: '' }, 'Parameter Counted is "" but must be a number'],
    [{ Needed: 'x', Counted: '0' }, 'Parameter Counted is "0" but must be a number, at least 1'],
  ])('%j is refused', (given, message) => {
    expect(() => parameterValues(declared, given)).toThrow(message);
  });

  test('given values override defaults', () => {
    expect(parameterValues(declared, { Needed: 'x', Shaped: 'b' })).toEqual({
      Needed: 'x',
      Shaped: 'b',
      Counted: '200',
    });
  });
});

describe('the resources of a template', () => {
  const servers = { queueOrigin: 'http://127.0.0.1:1', streamArn: () => undefined };
  const deploy = (
    Resources: Record<string, { Type: string; Properties?: Record<string, unknown>; Condition?: string }>,
  ) =>
    createDeployment({
      stackName: 'stack',
      template: { ...template, Resources },
      parameters: {},
      servers,
    });

  test('unknown types are refused, all at once, with instructions', () => {
    expect(() =>
      deploy({ Cluster: { Type: 'AWS::ECS::Cluster' }, Cache: { Type: 'AWS::DAX::Cluster' } }),
    ).toThrow(
      'Cluster (AWS::ECS::Cluster), Cache (AWS::DAX::Cluster). Teach it in infra/local/template/resource-types.ts',
    );
  });

  test('a resource with a false condition does not exist', () => {
    const deployment = deploy({
      A: { Type: 'AWS::SQS::Queue', Condition: 'HasAddress' },
      B: { Type: 'AWS::SQS::Queue', Condition: 'IsSlow' },
    });
    expect(deployment.ofType('AWS::SQS::Queue').map(({ logicalId }) => logicalId)).toEqual(['B']);
  });

  test('the same template gets the same names at every start', () => {
    const outputs = () =>
      createDeployment({
        stackName: 'a-stack-with-quite-a-long-name-that-goes-on-and-on',
        template: {
          ...template,
          Resources: {
            RecordingsBucketOfTheService: { Type: 'AWS::S3::Bucket' },
            Secret: { Type: 'AWS::SecretsManager::Secret' },
          },
          Outputs: {
            Bucket: { Value: { Ref: 'RecordingsBucketOfTheService' } },
            Secret: { Value: { Ref: 'Secret' } },
          },
        },
        parameters: {},
        servers,
      }).outputs();
    expect(outputs()).toEqual(outputs());
    expect(outputs().Bucket).toMatch(/^[a-z0-9-]{3,63}$/);
  });
});
