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
  /** As in acknowledgements: pack, rule and, where a resource can break it often, what breaks it. */
  readonly rule: string;
  readonly resource: IConstruct;
}

export interface Acknowledgement {
  /** `<path of the construct>: <rule>` */
  readonly name: string;
  readonly reason: string;
}

export interface Audit {
  /** `<path of the resource>: <rule>` for each finding that is neither fixed nor acknowledged. */
  readonly open: readonly string[];
  readonly acknowledged: readonly Acknowledgement[];
  /** Acknowledgements without effect. */
  readonly idle: readonly string[];
}

/** Checks the constructs below a scope with cdk-nag's rule packs AwsSolutions and HIPAA.Security. */
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

/** The packs themselves report only open findings, not acknowledged ones. */
function findingsOf(packName: string, params: IApplyRule): Finding[] {
  const { ruleSuffixOverride, rule, node } = params;
  const id = `${packName}-${ruleSuffixOverride ?? rule.name}`;
  const result = resultOf(params);
  if (!Array.isArray(result))
    return result === NagRuleCompliance.NON_COMPLIANT ? [{ rule: id, resource: node }] : [];
  return result.map((finding) => ({ rule: `${id}[${finding}]`, resource: node }));
}

/** A rule that cannot read a value, because only the deployment knows it, counts as broken. */
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
