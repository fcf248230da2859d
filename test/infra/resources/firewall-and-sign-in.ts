import { describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import type { StageName } from '../../../infra/constructs/stage.ts';
import { propertiesOfType, templateOf } from '../stage-templates.ts';
import { environmentOf, grantsOf, resourceNamed, resourcesOfType, written } from '../synthesized.ts';

export function firewallAndSignInSuite(): void {
  describe('a flood of strangers leaves calls alone', () => {
    test('the WebSocket API connects no more in a second than the carrier may start calls', () => {
      const [[, stage] = []] = propertiesOfType('AWS::ApiGatewayV2::Stage');
      expect(stage?.RouteSettings).toEqual({
        $connect: { ThrottlingRateLimit: 100, ThrottlingBurstLimit: 200 },
      });
      expect(stage?.DefaultRouteSettings).toMatchObject({
        ThrottlingRateLimit: 5000,
        ThrottlingBurstLimit: 5000,
      });
    });

    test('and its stage waits for the route that these settings name', () => {
      const [[, stage] = []] = resourcesOfType(templateOf('prod'), 'AWS::ApiGatewayV2::Stage');
      const [[connectRoute] = []] = resourcesOfType(templateOf('prod'), 'AWS::ApiGatewayV2::Route').filter(
        ([, { Properties }]) => Properties.RouteKey === '$connect',
      );
      expect(stage?.DependsOn).toContain(connectRoute);
    });

    test('executions are kept free for the functions of calls, and for no others, where the operator wants it', () => {
      const reserved = propertiesOfType('AWS::Lambda::Function').flatMap(([name, properties]) =>
        properties.ReservedConcurrentExecutions === undefined
          ? []
          : [[name, properties.ReservedConcurrentExecutions]],
      );
      const orNone = {
        'Fn::If': ['ReservedForCallsIsGiven', { Ref: 'ReservedForCalls' }, { Ref: 'AWS::NoValue' }],
      };
      expect(Object.fromEntries(reserved)).toEqual({ VoiceAgent: orNone, CarrierCallback: orNone });
      expect(templateOf('prod').Parameters.ReservedForCalls?.Default).toBe(0);
    });
  });

  describe('tracing', () => {
    const wherever = (on: unknown, off: unknown) => ({ 'Fn::If': ['TracingIsOn', on, off] });

    test('is for the operator to switch on: then every function and the REST API is traced', () => {
      expect(templateOf('prod').Parameters.Tracing?.Default).toBe('off');
      for (const [name, { TracingConfig }] of propertiesOfType('AWS::Lambda::Function')) {
        expect(TracingConfig, name).toEqual({ Mode: wherever('Active', 'PassThrough') });
      }
      const [[, stage] = []] = propertiesOfType('AWS::ApiGateway::Stage');
      expect(stage?.TracingEnabled).toEqual(wherever(true, false));
    });

    test('lets every function send to X-Ray while it is on, and none otherwise', () => {
      const { Condition, Properties } = resourceNamed(
        templateOf('prod'),
        'AWS::IAM::Policy',
        'TracingPolicy',
      );
      expect(Condition).toBe('TracingIsOn');
      expect(Properties.Roles).toHaveLength(propertiesOfType('AWS::Lambda::Function').length);
      for (const [name] of propertiesOfType('AWS::Lambda::Function')) {
        expect(grantsOf(templateOf('prod'), name).filter((grant) => grant.includes('xray:'))).toEqual([
          'xray:PutTelemetryRecords on * if TracingIsOn',
          'xray:PutTraceSegments on * if TracingIsOn',
        ]);
      }
    });
  });

  test('a language model that the region does not have is refused before anything is deployed', () => {
    const rule = JSON.stringify(templateOf('prod').Rules?.UsualModelIsInTheRegion);
    const model = String(templateOf('prod').Parameters.BedrockModelId?.Default);
    expect(model).toMatch(/^us\./);
    for (const part of [`[{"Ref":"BedrockModelId"},"${model}"]`, '"us-east-1"', '{"Ref":"AWS::Region"}']) {
      expect(rule).toContain(part);
    }
  });

  describe('46: the firewall', () => {
    const only = (type: string) => propertiesOfType(type).map(([, properties]) => properties);

    test('stands before the REST API and the user pool of prod unless it is not wanted', () => {
      expect(templateOf('prod').Parameters.WebAcl?.Default).toBe('on');
      expect(templateOf('dev').Parameters.WebAcl?.Default).toBe('off');
      const guarded = resourcesOfType(templateOf('prod'), 'AWS::WAFv2::WebACLAssociation');
      expect(
        guarded.map(([, { Properties, Condition }]) => [written(Properties.ResourceArn), Condition]),
      ).toEqual([
        [expect.stringMatching(/:apigateway:.*\/restapis\/\{RestApi\}\/stages\/\{RestApi/), 'HasWebAcl'],
        ['{IdentityPool}', 'HasWebAclOfUserPool'],
      ]);
    });

    test('blocks floods of one address but the callbacks of the carrier, and keeps no samples of requests', () => {
      const Rule = z.object({
        Name: z.string(),
        Priority: z.int(),
        VisibilityConfig: z.object({ SampledRequestsEnabled: z.literal(false) }),
        Statement: z.looseObject({}),
      });
      const [acl] = only('AWS::WAFv2::WebACL');
      const rules = z.array(Rule).parse(acl?.Rules);
      expect(rules.map(({ Name, Priority }) => `${Priority} ${Name}`)).toEqual([
        '0 RequestRate',
        '1 AWSManagedRulesAmazonIpReputationList',
        '2 AWSManagedRulesKnownBadInputsRuleSet',
        '3 AWSManagedRulesCommonRuleSet',
      ]);
      // `custom-domains.test.ts` says which paths these are.
      expect(JSON.stringify(rules[0]?.Statement)).toContain('"NotStatement"');
    });

    test('lets the sign-in at a terminal redirect to localhost', () => {
      const [acl] = only('AWS::WAFv2::WebACL');
      const counted = '{"ActionToUse":{"Count":{}},"Name":"EC2MetaDataSSRF_QUERYARGUMENTS"}';
      expect(JSON.stringify(acl?.Rules)).toContain(counted);
    });
  });

  describe('the identity provider', () => {
    const pool = (stage: StageName) =>
      resourceNamed(templateOf(stage), 'AWS::Cognito::UserPool', 'IdentityPool').Properties;
    const client = () =>
      resourceNamed(templateOf('prod'), 'AWS::Cognito::UserPoolClient', 'IdentityPoolClient').Properties;

    test('is a pool of the stack without sign-up, with long passwords and, in prod, a second factor for all', () => {
      expect(pool('prod')).toMatchObject({
        AdminCreateUserConfig: { AllowAdminCreateUserOnly: true },
        UsernameAttributes: ['email'],
        UsernameConfiguration: { CaseSensitive: false },
        UserAttributeUpdateSettings: { AttributesRequireVerificationBeforeUpdate: ['email'] },
        Policies: { PasswordPolicy: { MinimumLength: 14 } },
        MfaConfiguration: 'ON',
        EnabledMfas: ['SOFTWARE_TOKEN_MFA'],
        DeletionProtection: 'ACTIVE',
      });
      expect(pool('dev')).toMatchObject({ MfaConfiguration: 'OPTIONAL', DeletionProtection: 'INACTIVE' });
    });

    test('lets a public client in by authorization code only, and lets nobody change their own address', () => {
      expect(client()).toMatchObject({
        GenerateSecret: false,
        AllowedOAuthFlows: ['code'],
        AllowedOAuthScopes: ['openid', 'email', 'profile'],
        PreventUserExistenceErrors: 'ENABLED',
        SupportedIdentityProviders: ['COGNITO'],
        WriteAttributes: ['name'],
      });
      expect(z.array(z.unknown()).parse(client().CallbackURLs).map(written)).toEqual([
        expect.stringMatching(/\/dashboard\/signed-in$/),
        'http://localhost:8976/callback',
      ]);
    });

    test('shows the newer pages, which ask for the password again, in the style that each client needs', () => {
      const [[, domain] = []] = propertiesOfType('AWS::Cognito::UserPoolDomain');
      expect(domain?.ManagedLoginVersion).toBe(2);
      const styles = propertiesOfType('AWS::Cognito::ManagedLoginBranding').map(([, style]) => style);
      expect(styles.map(({ ClientId }) => written(ClientId))).toEqual(
        propertiesOfType('AWS::Cognito::UserPoolClient').map(([name]) => `{${name}}`),
      );
      for (const style of styles) expect(style.UseCognitoProvidedValues).toBe(true);
    });

    test('is made only where no other one is named', () => {
      const { Resources } = templateOf('prod');
      const own = Object.values(Resources).filter(({ Type }) => Type.startsWith('AWS::Cognito::'));
      expect(own.map(({ Type, Condition }) => [Type, Condition])).toEqual([
        ['AWS::Cognito::UserPool', 'HasUserPool'],
        ['AWS::Cognito::UserPoolClient', 'HasUserPool'],
        ['AWS::Cognito::UserPoolDomain', 'HasUserPool'],
        ['AWS::Cognito::ManagedLoginBranding', 'HasUserPool'],
      ]);
      expect(environmentOf(templateOf('prod'), 'Admin')).toMatchObject({
        OIDC_ISSUER:
          '{HasUserPool ? https://cognito-idp.{AWS::Region}.{AWS::URLSuffix}/{IdentityPool} : {OidcIssuer}}',
        OIDC_CLIENT_ID: '{HasUserPool ? {IdentityPoolClient} : {OidcClientId}}',
      });
    });
  });
}
