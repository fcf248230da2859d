import { Validations } from 'aws-cdk-lib/core';
import {
  AwsSolutionsChecks,
  HIPAASecurityChecks,
  type IApplyRule,
  NagRuleCompliance,
  type NagRuleResult,
} from 'cdk-nag';
import type { IConstruct } from 'constructs';
import * as z from 'zod/mini';

interface Finding {
  /** As acknowledgements name it: pack, rule and, where a resource can break it often, what breaks it. */
  readonly rule: string;
  readonly resource: IConstruct;
}

export interface Acknowledgement {
  /** `<path of the construct>: <rule>` */
  readonly name: string;
  readonly reason: string;
}

export interface Audit {
  /** `<path of the resource>: <rule>` of what is neither fixed nor acknowledged. */
  readonly open: readonly string[];
  readonly acknowledged: readonly Acknowledgement[];
  /** The names of those that set nothing aside. */
  readonly idle: readonly string[];
}

/** Holds the constructs below a scope against the rule packs AwsSolutions and HIPAA.Security of cdk-nag. */
export function audit(scope: IConstruct): Audit {
  const packs = [new AwsSolutions(), new HipaaSecurity()];
  for (const pack of packs) pack.validateScope(scope);
  const findings = packs.flatMap(({ found }) => found);
  const acknowledged = scope.node.findAll().flatMap(acknowledgementsOf);
  const used = new Set<string>();
  const open = findings.filter(({ rule, resource }) => {
    const by = resource.node.scopes.flatMap(acknowledgementsOf).filter((each) => each.rule === rule);
    for (const { name } of by) used.add(name);
    return by.length === 0;
  });
  return {
    open: open.map(({ rule, resource }) => `${resource.node.path}: ${rule}`),
    acknowledged,
    idle: acknowledged.map(({ name }) => name).filter((name) => !used.has(name)),
  };
}

const Rules = z.record(z.string(), z.string());

function acknowledgementsOf(construct: IConstruct): (Acknowledgement & { readonly rule: string })[] {
  return construct.node.metadata
    .filter(({ type }) => type === Validations.ACKNOWLEDGED_RULES_METADATA_KEY)
    .flatMap(({ data }) => Object.entries(Rules.parse(data)))
    .map(([id, reason]) => ({ rule: id.replace(/^annotation::/i, ''), reason }))
    .filter(({ rule }) => /^(AwsSolutions|HIPAA\.Security)-/.test(rule))
    .map(({ rule, reason }) => ({ name: `${construct.node.path}: ${rule}`, rule, reason }));
}

/** The packs themselves say only what is open, not what an acknowledgement sets aside. */
function findingsOf(packName: string, params: IApplyRule): Finding[] {
  const { ruleSuffixOverride, rule, node } = params;
  const id = `${packName}-${ruleSuffixOverride ?? rule.name}`;
  const result = resultOf(params);
  if (!Array.isArray(result))
    return result === NagRuleCompliance.NON_COMPLIANT ? [{ rule: id, resource: node }] : [];
  return result.map((finding) => ({ rule: `${id}[${finding}]`, resource: node }));
}

/** A rule that cannot read a value, which only deployment knows, has not been kept as far as anyone knows. */
function resultOf({ rule, node }: IApplyRule): NagRuleResult {
  try {
    return rule(node);
  } catch {
    return NagRuleCompliance.NON_COMPLIANT;
  }
}

class AwsSolutions extends AwsSolutionsChecks {
  readonly found: Finding[] = [];
  protected override applyRule(params: IApplyRule): void {
    this.found.push(...findingsOf(this.packName, params));
  }
}

class HipaaSecurity extends HIPAASecurityChecks {
  readonly found: Finding[] = [];
  protected override applyRule(params: IApplyRule): void {
    this.found.push(...findingsOf(this.packName, params));
  }
}
