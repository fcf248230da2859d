import { CfnWebACL, CfnWebACLAssociation } from 'aws-cdk-lib/aws-wafv2';
import { CfnCondition, CfnParameter, Fn, type Stack } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import { acknowledge } from './acknowledge.ts';
import type { Identity } from './identity.ts';
import type { ServiceContext } from './service-context.ts';

export interface WebAclProps {
  /** Base path of the REST API's custom domain: `/base`, or nothing. */
  readonly basePath: string;
  readonly restApiStageArn: string;
  readonly identity: Identity;
}

/**
 * AWS's managed rules for every request, and which of them only count. Bodies are free text of health care and webhook
 * addresses, up to 256 KB, which functions validate; programs need not identify themselves; `npm run sign-in` asks the
 * user pool to redirect to localhost. Source: AWS WAF developer guide, "AWS Managed Rules rule groups list".
 */
const managedRules: Readonly<Record<string, readonly string[]>> = {
  AWSManagedRulesAmazonIpReputationList: [],
  AWSManagedRulesKnownBadInputsRuleSet: [],
  AWSManagedRulesCommonRuleSet: [
    'SizeRestrictions_BODY',
    'GenericLFI_BODY',
    'GenericRFI_BODY',
    'GenericRFI_QUERYARGUMENTS',
    'CrossSiteScripting_BODY',
    'EC2MetaDataSSRF_BODY',
    'EC2MetaDataSSRF_QUERYARGUMENTS',
    'NoUserAgent_HEADER',
  ],
};

/**
 * The firewall of the REST API and the user pool, if a parameter asks for it. It stores no samples: they would contain
 * addresses, headers and keys.
 */
export class WebAcl extends Construct {
  constructor(
    scope: Stack,
    id: string,
    { stage }: ServiceContext,
    { basePath, restApiStageArn, identity }: WebAclProps,
  ) {
    super(scope, id);
    const wanted = new CfnParameter(scope, 'WebAcl', {
      description: 'Whether AWS WAF protects the REST API and the user pool.',
      default: stage.webAcl ? 'on' : 'off',
      allowedValues: ['on', 'off'],
    });
    const limit = new CfnParameter(scope, 'WebAclRequestsPerFiveMinutes', {
      description:
        'Requests per source address that the firewall allows in five minutes, except carrier callbacks.',
      type: 'Number',
      default: 20_000,
      minValue: 100,
      maxValue: 2_000_000_000,
    });
    const isWanted = new CfnCondition(scope, 'HasWebAcl', {
      expression: Fn.conditionEquals(wanted.valueAsString, 'on'),
    });
    const guardsPool = new CfnCondition(scope, 'HasWebAclOfUserPool', {
      expression: Fn.conditionAnd(isWanted, identity.hasUserPool),
    });

    const acl = new CfnWebACL(this, 'Acl', {
      scope: 'REGIONAL',
      defaultAction: { allow: {} },
      visibilityConfig: visibility('WebAcl'),
      rules: [
        rateRule(limit.valueAsNumber, `(/${stage.name}|${basePath})`),
        ...Object.keys(managedRules).map(managedRule),
      ],
    });
    acl.cfnOptions.condition = isWanted;
    acknowledge(acl, {
      'HIPAA.Security-WAFv2LoggingEnabled':
        'Its logs hold addresses, headers and keys; metrics count what each rule refuses.',
    });
    const webAclArn = acl.attrArn;
    new CfnWebACLAssociation(this, 'RestApi', {
      webAclArn,
      resourceArn: restApiStageArn,
    }).cfnOptions.condition = isWanted;
    new CfnWebACLAssociation(this, 'UserPool', {
      webAclArn,
      resourceArn: identity.userPoolArn,
    }).cfnOptions.condition = guardsPool;
  }
}

/** By source address. The carrier's callbacks come from few addresses for all calls, and are limited by signature. */
function rateRule(limit: number, prefix: string): CfnWebACL.RuleProperty {
  return {
    name: 'RequestRate',
    priority: 0,
    action: { block: {} },
    visibilityConfig: visibility('RequestRate'),
    statement: {
      rateBasedStatement: {
        limit,
        aggregateKeyType: 'IP',
        evaluationWindowSec: 300,
        scopeDownStatement: {
          notStatement: {
            statement: {
              regexMatchStatement: {
                // A custom domain has the base path in place of the stage.
                regexString: `^${prefix}?/carrier/`,
                fieldToMatch: { uriPath: {} },
                textTransformations: [{ priority: 0, type: 'NONE' }],
              },
            },
          },
        },
      },
    },
  };
}

function managedRule(name: string, index: number): CfnWebACL.RuleProperty {
  const onlyCounted = managedRules[name] ?? [];
  return {
    name,
    priority: index + 1,
    overrideAction: { none: {} },
    visibilityConfig: visibility(name),
    statement: {
      managedRuleGroupStatement: {
        vendorName: 'AWS',
        name,
        ruleActionOverrides: onlyCounted.map((rule) => ({ name: rule, actionToUse: { count: {} } })),
      },
    },
  };
}

function visibility(metricName: string): CfnWebACL.VisibilityConfigProperty {
  return { metricName, cloudWatchMetricsEnabled: true, sampledRequestsEnabled: false };
}
