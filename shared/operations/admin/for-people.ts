import type { Operation, Tag } from '../operation.ts';

type Declared = Omit<Operation, 'authentication' | 'tag'> & { readonly tag?: Tag };

/** Operations for signed-in people. @param tag of operations without their own */
export function forPeople<const Declarations extends Readonly<Record<string, Declared>>>(
  tag: Tag,
  declarations: Declarations,
) {
  type Declaration<Name extends keyof Declarations> = Declarations[Name] & {
    readonly authentication: 'oidc';
    readonly tag: Tag;
  };
  const operations = Object.entries(declarations).map(([name, declared]) => [
    name,
    { authentication: 'oidc', tag, ...declared },
  ]);
  // The names are those of the declarations.
  return Object.fromEntries(operations) as { readonly [Name in keyof Declarations]: Declaration<Name> };
}
