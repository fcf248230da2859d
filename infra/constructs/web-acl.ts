import { CfnWebACL, CfnWebACLAssociation } from 'aws-cdk-lib/aws-wafv2';
import { CfnCondition, CfnParameter, Fn, type Stack } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import { acknowledge } from './acknowledge.ts';
import type { Identity } from './identity.ts';
import type { ServiceContext } from './service-context.ts';

export interface WebAclProps {
  /** Of the REST API below a domain name of its own: `/base`, or nothing. */
  readonly basePath: string;
  readonly restApiStageArn: string;
  readonly identity: Identity;
}

/**
 * Rules of AWS that every request is held against, with those of them that only count. Bodies are free text of health
 * care and addresses of webhooks, up to 256 KB, which the functions check themselves; programs need not name
 * themselves.
 * Source: AWS WAF developer guide, "AWS Managed Rules rule groups list".
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
    'NoUserAgent_HEADER',
  ],
};

/**
 * The firewall before the REST API and the user pool, where a parameter asks for it. It keeps no samples: those would
 * hold addresses and headers, keys among them.
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
      description: 'Whether AWS WAF stands before the REST API and the user pool.',
      default: stage.webAcl ? 'on' : 'off',
      allowedValues: ['on', 'off'],
    });
    const limit = new CfnParameter(scope, 'WebAclRequestsPerFiveMinutes', {
      description:
        'How many requests of one address the firewall lets through in five minutes, not counting carrier callbacks.',
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
        'Its logs hold addresses and headers, keys among them; metrics count what each rule refuses.',
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

/** By source address. The carrier calls back from few addresses for all calls, and is limited by its signature. */
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
                // Behind a domain name of its own the stage is not in the path, but the base path is.
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
