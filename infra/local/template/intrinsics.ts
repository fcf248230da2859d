import { LocalStackError } from '../local-stack-error.ts';
import type { Template } from './template.ts';

/** What `Ref` and `Fn::GetAtt` of a resource give; `undefined` when the resource or the attribute is not known. */
interface ResourceValues {
  ref(logicalId: string): unknown;
  attribute(logicalId: string, attribute: string): unknown;
}

export interface ResolverContext {
  readonly template: Template;
  readonly parameters: Readonly<Record<string, string>>;
  /** `AWS::Region` and its like. */
  readonly pseudoParameters: Readonly<Record<string, string>>;
  readonly resources: ResourceValues;
}

export interface Resolver {
  /** The value with every intrinsic function in it replaced; `where` says in errors which value it was. */
  resolve(value: unknown, where: string): unknown;
  /** Whether the condition of that name holds. */
  holds(condition: string): boolean;
}

/** What `AWS::NoValue` stands for while resolving: the member that has it is left out. */
const noValue = Symbol('AWS::NoValue');

/**
 * Resolves intrinsic functions like CloudFormation. Anything unknown is an error rather than an empty value, because a
 * function with half an environment would fail far from the cause.
 */
export function createResolver(context: ResolverContext): Resolver {
  const { template, parameters, pseudoParameters, resources } = context;
  const conditions = new Map<string, boolean | 'being evaluated'>();

  function resolve(value: unknown, where: string): unknown {
    if (Array.isArray(value)) {
      return value
        .map((element, index) => resolve(element, `${where}[${index}]`))
        .filter((element) => element !== noValue);
    }
    if (!isObject(value)) return value;
    const intrinsic = intrinsicOf(value);
    if (intrinsic !== null) return evaluate(intrinsic.name, intrinsic.argument, where);
    const resolved: Record<string, unknown> = {};
    for (const [key, member] of Object.entries(value)) {
      const result = resolve(member, `${where}.${key}`);
      if (result !== noValue) resolved[key] = result;
    }
    return resolved;
  }

  function evaluate(name: string, argument: unknown, where: string): unknown {
    switch (name) {
      case 'Ref':
        return reference(text(argument, where, name), where);
      case 'Fn::GetAtt': {
        const [logicalId, attribute] = getAttArguments(argument, where);
        return attributeOf(logicalId, attribute, where);
      }
      case 'Fn::Join': {
        const [separator, parts] = pair(argument, where, name);
        return list(resolve(parts, where), where, name)
          .map((part) => text(part, where, name))
          .join(text(separator, where, name));
      }
      case 'Fn::Sub':
        return substitute(argument, where);
      case 'Fn::If': {
        const [condition, whenTrue, whenFalse] = list(argument, where, name);
        return resolve(holds(text(condition, where, name), where) ? whenTrue : whenFalse, where);
      }
      case 'Fn::Select': {
        const [index, choices] = pair(argument, where, name);
        const chosen = list(resolve(choices, where), where, name)[Number(resolve(index, where))];
        if (chosen === undefined) throw unresolvable(where, `${name} has no element ${String(index)}`);
        return chosen;
      }
      case 'Fn::Split': {
        const [separator, whole] = pair(argument, where, name);
        return text(resolve(whole, where), where, name).split(text(separator, where, name));
      }
      case 'Fn::FindInMap': {
        const [map, first, second] = list(resolve(argument, where), where, name).map(String);
        const found = template.Mappings?.[map ?? '']?.[first ?? '']?.[second ?? ''];
        if (found === undefined) throw unresolvable(where, `no mapping ${map}.${first}.${second}`);
        return found;
      }
      case 'Fn::Base64':
        return Buffer.from(text(resolve(argument, where), where, name)).toString('base64');
      case 'Condition':
        return holds(text(argument, where, name), where);
      case 'Fn::Equals': {
        const [left, right] = pair(argument, where, name);
        return JSON.stringify(resolve(left, where)) === JSON.stringify(resolve(right, where));
      }
      case 'Fn::Not':
        return !truth(list(argument, where, name)[0], where);
      case 'Fn::And':
        return list(argument, where, name).every((operand) => truth(operand, where));
      case 'Fn::Or':
        return list(argument, where, name).some((operand) => truth(operand, where));
      default:
        throw unresolvable(where, `${name} is not supported; add it to infra/local/template/intrinsics.ts`);
    }
  }

  function truth(operand: unknown, where: string): boolean {
    const value = resolve(operand, where);
    if (typeof value !== 'boolean') throw unresolvable(where, `${JSON.stringify(operand)} is no condition`);
    return value;
  }

  function holds(name: string, where = `Conditions.${name}`): boolean {
    const known = conditions.get(name);
    if (known === 'being evaluated') throw unresolvable(where, `condition ${name} depends on itself`);
    if (known !== undefined) return known;
    const expression = template.Conditions?.[name];
    if (expression === undefined) throw unresolvable(where, `there is no condition ${name}`);
    conditions.set(name, 'being evaluated');
    const value = truth(expression, `Conditions.${name}`);
    conditions.set(name, value);
    return value;
  }

  function reference(name: string, where: string): unknown {
    if (name === 'AWS::NoValue') return noValue;
    if (Object.hasOwn(parameters, name)) return parameters[name];
    if (Object.hasOwn(pseudoParameters, name)) return pseudoParameters[name];
    if (name.startsWith('AWS::')) throw unresolvable(where, `the pseudo parameter ${name} is not known`);
    if (!Object.hasOwn(template.Resources, name)) throw unresolvable(where, `there is no resource ${name}`);
    const value = resources.ref(name);
    if (value === undefined) {
      throw unresolvable(where, `Ref of ${name} (${template.Resources[name]?.Type}) is not known`);
    }
    return value;
  }

  function attributeOf(logicalId: string, attribute: string, where: string): unknown {
    const type = template.Resources[logicalId]?.Type;
    if (type === undefined) throw unresolvable(where, `there is no resource ${logicalId}`);
    const value = resources.attribute(logicalId, attribute);
    if (value === undefined) {
      throw unresolvable(
        where,
        `attribute ${attribute} of ${logicalId} (${type}) is not known; ` +
          'add it to infra/local/template/resource-types.ts',
      );
    }
    return value;
  }

  function substitute(argument: unknown, where: string): string {
    const [pattern, own] = Array.isArray(argument) ? argument : [argument, {}];
    if (!isObject(own)) throw unresolvable(where, 'Fn::Sub needs a map of variables');
    return text(pattern, where, 'Fn::Sub').replace(
      /\$\{(!?)([^}]+)\}/g,
      (_, literal: string, name: string) => {
        if (literal === '!') return `\${${name}}`;
        if (Object.hasOwn(own, name)) return text(resolve(own[name], where), where, 'Fn::Sub');
        const dot = name.indexOf('.');
        const value =
          dot === -1 ? reference(name, where) : attributeOf(name.slice(0, dot), name.slice(dot + 1), where);
        return text(value, where, 'Fn::Sub');
      },
    );
  }

  return {
    resolve: (value, where) => {
      const resolved = resolve(value, where);
      return resolved === noValue ? undefined : resolved;
    },
    holds,
  };
}

function intrinsicOf(value: Record<string, unknown>): { name: string; argument: unknown } | null {
  const entries = Object.entries(value);
  const [only] = entries;
  if (entries.length !== 1 || only === undefined) return null;
  const [name, argument] = only;
  // `Condition` is a function only with a condition's name; policies have a member of that name with an object.
  if (name === 'Condition') return typeof argument === 'string' ? { name, argument } : null;
  return name === 'Ref' || name.startsWith('Fn::') ? { name, argument } : null;
}

function getAttArguments(argument: unknown, where: string): [string, string] {
  if (typeof argument === 'string') {
    const dot = argument.indexOf('.');
    return [argument.slice(0, dot), argument.slice(dot + 1)];
  }
  const [logicalId, attribute] = pair(argument, where, 'Fn::GetAtt');
  return [text(logicalId, where, 'Fn::GetAtt'), text(attribute, where, 'Fn::GetAtt')];
}

function pair(argument: unknown, where: string, name: string): [unknown, unknown] {
  const [first, second, ...rest] = list(argument, where, name);
  if (second === undefined || rest.length > 0) throw unresolvable(where, `${name} takes two arguments`);
  return [first, second];
}

function list(argument: unknown, where: string, name: string): unknown[] {
  if (!Array.isArray(argument)) throw unresolvable(where, `${name} takes a list`);
  return argument;
}

function text(argument: unknown, where: string, name: string): string {
  if (typeof argument === 'string') return argument;
  if (typeof argument === 'number' || typeof argument === 'boolean') return String(argument);
  throw unresolvable(where, `${name} needs text, not ${JSON.stringify(argument)}`);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function unresolvable(where: string, why: string): LocalStackError {
  return new LocalStackError(`Cannot resolve ${where}: ${why}`);
}
