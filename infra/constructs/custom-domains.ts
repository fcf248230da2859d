import { CfnBasePathMapping, CfnDomainName } from 'aws-cdk-lib/aws-apigateway';
import { CfnApiMapping, CfnDomainName as CfnRelayDomainName } from 'aws-cdk-lib/aws-apigatewayv2';
import { Aws, CfnCondition, CfnOutput, CfnParameter, CfnRule, Fn, type Stack } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import type { ServiceRestApi } from './rest-api.ts';
import type { RelayWebSocketApi } from './websocket-api.ts';

export interface CustomDomainsProps {
  readonly restApi: ServiceRestApi;
  readonly relay: RelayWebSocketApi;
}

/**
 * Optional custom domain names: one for the REST API with the carrier's callbacks and one for the WebSocket API,
 * because API Gateway cannot map both kinds of API to one name.
 */
export class CustomDomains extends Construct {
  /** Base path of the REST API: `/base`, or nothing. */
  readonly basePath: string;
  /** Address of the REST API, under its custom domain or else API Gateway's. */
  readonly baseUrl: string;
  /** The same for the WebSocket API. */
  readonly relayUrl: string;

  constructor(scope: Stack, id: string, { restApi, relay }: CustomDomainsProps) {
    super(scope, id);
    const name = domainParameter(scope, 'ApiDomainName', 'the REST API, with the carrier’s callbacks');
    const relayName = domainParameter(
      scope,
      'RelayDomainName',
      'the WebSocket API that the carrier connects to',
    );
    const basePath = new CfnParameter(scope, 'ApiBasePath', {
      description: 'Base path below ApiDomainName: one segment without slashes. Empty: none.',
      default: '',
      // Part of an expression of the firewall.
      allowedPattern: '^[A-Za-z0-9_-]*$',
    });
    const certificate = new CfnParameter(scope, 'DomainCertificateArn', {
      description: 'ARN of the certificate, in the region of the stack, that holds the given domain names.',
      default: '',
      allowedPattern: '^$|^arn:aws[a-z-]*:acm:[a-z0-9-]+:[0-9]{12}:certificate/[A-Za-z0-9-]+$',
    });
    const hasName = isGiven(name);
    const hasRelayName = isGiven(relayName);
    const hasBasePath = isGiven(basePath);
    refuseHalfADomain(scope, { name, relayName, basePath, certificate });

    const domain = new CfnDomainName(this, 'Api', {
      domainName: name.valueAsString,
      regionalCertificateArn: certificate.valueAsString,
      endpointConfiguration: { types: ['REGIONAL'] },
      securityPolicy: 'TLS_1_2',
    });
    const mapping = new CfnBasePathMapping(this, 'ApiMapping', {
      domainName: domain.ref,
      restApiId: restApi.api.restApiId,
      stage: restApi.api.deploymentStage.stageName,
      basePath: Fn.conditionIf(hasBasePath.logicalId, basePath.valueAsString, Aws.NO_VALUE).toString(),
    });
    const relayDomain = new CfnRelayDomainName(this, 'Relay', {
      domainName: relayName.valueAsString,
      domainNameConfigurations: [
        {
          certificateArn: certificate.valueAsString,
          endpointType: 'REGIONAL',
          securityPolicy: 'TLS_1_2',
        },
      ],
    });
    const relayMapping = new CfnApiMapping(this, 'RelayMapping', {
      domainName: relayDomain.ref,
      apiId: relay.api.apiId,
      stage: relay.stage.stageName,
    });
    // It names the stage by text, which the template does not treat as a reference.
    relayMapping.node.addDependency(relay.stage);
    for (const resource of [domain, mapping]) resource.cfnOptions.condition = hasName;
    for (const resource of [relayDomain, relayMapping]) resource.cfnOptions.condition = hasRelayName;

    const choose = (condition: CfnCondition, given: string, own: string): string =>
      Fn.conditionIf(condition.logicalId, given, own).toString();
    this.basePath = choose(hasBasePath, `/${basePath.valueAsString}`, '');
    // Built from the parameters alone: functions have the URLs in their environment, so referring to the API resources
    // would make a circular dependency.
    this.baseUrl = choose(hasName, `https://${name.valueAsString}${this.basePath}`, restApi.url);
    this.relayUrl = choose(hasRelayName, `wss://${relayName.valueAsString}`, relay.url);
    // Targets for the DNS records.
    new CfnOutput(scope, 'ApiDomainTarget', { value: domain.attrRegionalDomainName, condition: hasName });
    new CfnOutput(scope, 'RelayDomainTarget', {
      value: relayDomain.attrRegionalDomainName,
      condition: hasRelayName,
    });
  }
}

function domainParameter(stack: Stack, id: string, what: string): CfnParameter {
  return new CfnParameter(stack, id, {
    description: `Domain name of ${what}. Empty: that of API Gateway.`,
    default: '',
    allowedPattern: '^$|^([a-z0-9]([a-z0-9-]*[a-z0-9])?\\.)+[a-z]{2,}$',
  });
}

function isGiven(parameter: CfnParameter): CfnCondition {
  return new CfnCondition(parameter.stack, `${parameter.node.id}IsGiven`, {
    expression: Fn.conditionNot(Fn.conditionEquals(parameter.valueAsString, '')),
  });
}

/** Rejects early a name without a certificate, and a base path without a name. */
function refuseHalfADomain(
  stack: Stack,
  parameters: Record<'name' | 'relayName' | 'basePath' | 'certificate', CfnParameter>,
): void {
  const { name, relayName, basePath, certificate } = parameters;
  const isEmpty = ({ valueAsString }: CfnParameter) => Fn.conditionEquals(valueAsString, '');
  const isSet = (parameter: CfnParameter) => Fn.conditionNot(isEmpty(parameter));
  new CfnRule(stack, 'DomainNamesAreWhole', {
    assertions: [
      {
        assert: Fn.conditionOr(isSet(certificate), Fn.conditionAnd(isEmpty(name), isEmpty(relayName))),
        assertDescription: 'ApiDomainName and RelayDomainName need DomainCertificateArn.',
      },
      {
        assert: Fn.conditionOr(isSet(name), isEmpty(basePath)),
        assertDescription: 'ApiBasePath needs ApiDomainName.',
      },
      {
        assert: Fn.conditionOr(
          isEmpty(name),
          Fn.conditionNot(Fn.conditionEquals(name.valueAsString, relayName.valueAsString)),
        ),
        assertDescription:
          'ApiDomainName and RelayDomainName must differ: API Gateway cannot share a name between both APIs.',
      },
    ],
  });
}
