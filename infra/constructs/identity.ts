import {
  CfnManagedLoginBranding,
  ClientAttributes,
  ManagedLoginVersion,
  Mfa,
  OAuthScope,
  UserPool,
  type UserPoolClient,
  UserPoolClientIdentityProvider,
} from 'aws-cdk-lib/aws-cognito';
import {
  Aws,
  CfnCondition,
  CfnParameter,
  CfnResource,
  CfnRule,
  Duration,
  Fn,
  type Stack,
  Validations,
} from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import { signInRedirectUri } from '../sign-in-redirect.ts';
import { acknowledge } from './acknowledge.ts';
import type { ServiceContext } from './service-context.ts';
import { stackUuidStart } from './stage.ts';

export interface IdentityProps {
  /** Address of the service, below which the dashboard's sign-in redirects to. */
  readonly publicBaseUrl: string;
}

/** Sign-in: a user pool of this stack or, by deployment parameters, any OpenID Connect provider, without a pool. */
export class Identity extends Construct {
  readonly issuer: string;
  readonly clientId: string;
  /** The stack's own user pool, which exists only under the condition. */
  readonly userPoolArn: string;
  readonly hasUserPool: CfnCondition;

  constructor(scope: Stack, id: string, context: ServiceContext, { publicBaseUrl }: IdentityProps) {
    super(scope, id);
    const issuer = new CfnParameter(scope, 'OidcIssuer', {
      description: 'Issuer of the OpenID Connect provider for sign-in. Empty: a user pool of the stack.',
      default: '',
      allowedPattern: '^$|^https?://[^\\s?#]+$',
    });
    const clientId = new CfnParameter(scope, 'OidcClientId', {
      description: 'ID of the public client at that provider. Empty: that of the user pool.',
      default: '',
      allowedPattern: '^[\\x21-\\x7e]*$',
    });
    this.refuseHalfAProvider(scope, issuer, clientId);
    Validations.of(scope).acknowledge({
      id: 'CloudFormation-Validate::W1001',
      reason:
        'References to the user pool exist only where the pool does: the rule does not see Fn::If around a text.',
    });
    const hasOwnPool = new CfnCondition(scope, 'HasUserPool', {
      expression: Fn.conditionEquals(issuer.valueAsString, ''),
    });

    this.hasUserPool = hasOwnPool;
    const pool = this.addUserPool(context);
    this.userPoolArn = pool.userPoolArn;
    const client = this.addClient(pool, publicBaseUrl);
    pool.addDomain('Domain', {
      cognitoDomain: { domainPrefix: domainPrefix() },
      // The classic pages ignore that the dashboard asks for the password again.
      managedLoginVersion: ManagedLoginVersion.NEWER_MANAGED_LOGIN,
    });
    // A client without a style has no pages.
    new CfnManagedLoginBranding(this, 'LoginPages', {
      userPoolId: pool.userPoolId,
      clientId: client.userPoolClientId,
      useCognitoProvidedValues: true,
    });
    for (const resource of this.node.findAll()) {
      if (resource instanceof CfnResource) resource.cfnOptions.condition = hasOwnPool;
    }

    const choose = (own: string, given: CfnParameter): string =>
      Fn.conditionIf(hasOwnPool.logicalId, own, given.valueAsString).toString();
    // Derived from the pool's ID. Source: Amazon Cognito developer guide, "Verifying JSON web tokens".
    const poolIssuer = `https://cognito-idp.${Aws.REGION}.${Aws.URL_SUFFIX}/${pool.userPoolId}`;
    this.issuer = choose(poolIssuer, issuer);
    this.clientId = choose(client.userPoolClientId, clientId);
  }

  /** An issuer without a client, or a client without an issuer, would allow no sign-in. */
  private refuseHalfAProvider(scope: Stack, issuer: CfnParameter, clientId: CfnParameter): void {
    const isEmpty = ({ valueAsString }: CfnParameter) => Fn.conditionEquals(valueAsString, '');
    new CfnRule(scope, 'OidcProviderIsWhole', {
      assertions: [
        {
          assert: Fn.conditionOr(
            Fn.conditionAnd(isEmpty(issuer), isEmpty(clientId)),
            Fn.conditionAnd(Fn.conditionNot(isEmpty(issuer)), Fn.conditionNot(isEmpty(clientId))),
          ),
          assertDescription: 'OidcIssuer and OidcClientId must be given together.',
        },
      ],
    });
  }

  private addUserPool({ stage }: ServiceContext): UserPool {
    const pool = new UserPool(this, 'Pool', {
      // Only an operator adds people: an address opens every project that lists it.
      selfSignUpEnabled: false,
      signInAliases: { email: true },
      signInCaseSensitive: false,
      // A new address counts only once verified, so that changing it cannot take over someone else's projects.
      keepOriginal: { email: true },
      passwordPolicy: {
        minLength: 14,
        requireLowercase: true,
        requireUppercase: true,
        requireDigits: true,
        requireSymbols: true,
        tempPasswordValidity: Duration.days(3),
      },
      mfa: stage.requiresSecondFactor ? Mfa.REQUIRED : Mfa.OPTIONAL,
      mfaSecondFactor: { otp: true, sms: false },
      deletionProtection: stage.deletionProtection,
      removalPolicy: stage.dataRemoval,
    });
    acknowledge(pool, {
      'AwsSolutions-COG8':
        'The plus tier detects stolen passwords, which in prod are useless without the second factor.',
    });
    if (!stage.requiresSecondFactor) {
      acknowledge(pool, {
        'AwsSolutions-COG2': 'It protects trial data only; a second factor is optional.',
      });
    }
    return pool;
  }

  /** A public client: a browser or terminal can keep no secret, so it relies on PKCE. */
  private addClient(pool: UserPool, publicBaseUrl: string): UserPoolClient {
    return pool.addClient('Client', {
      generateSecret: false,
      authFlows: {},
      oAuth: {
        flows: { authorizationCodeGrant: true },
        scopes: [OAuthScope.OPENID, OAuthScope.EMAIL, OAuthScope.PROFILE],
        callbackUrls: [`${publicBaseUrl}/dashboard/signed-in`, signInRedirectUri],
        logoutUrls: [`${publicBaseUrl}/dashboard`],
      },
      supportedIdentityProviders: [UserPoolClientIdentityProvider.COGNITO],
      readAttributes: new ClientAttributes().withStandardAttributes({
        email: true,
        emailVerified: true,
        fullname: true,
      }),
      writeAttributes: new ClientAttributes().withStandardAttributes({ fullname: true }),
      preventUserExistenceErrors: true,
      enableTokenRevocation: true,
      idTokenValidity: Duration.hours(1),
      accessTokenValidity: Duration.hours(1),
      refreshTokenValidity: Duration.days(1),
    });
  }
}

/** Must be unique among all accounts of a region. */
function domainPrefix(): string {
  return Fn.join('-', ['voice-agent-tasks', stackUuidStart()]);
}
