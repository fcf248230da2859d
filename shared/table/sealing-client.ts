import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { type FindProjectKey, isKeyGone, KeyGone } from '#shared/encryption/project-key.ts';
import { isSealed, open, projectOfSealed, seal, sealSearchable } from '#shared/encryption/seal.ts';
import { detailsAttribute, partlySealed, ToSeal } from './to-seal.ts';

type Attributes = Record<string, unknown>;

export const documents = { marshallOptions: { removeUndefinedValues: true } };

/** A document client that seals marked attributes, and opens everything sealed that it reads. */
export class SealingClient extends DynamoDBDocumentClient {
  constructor(client: DynamoDBClient, findKey: FindProjectKey) {
    super(client, documents);
    // Several tables may share the client and its stack.
    this.middlewareStack = this.middlewareStack.clone();
    this.middlewareStack.add(
      (next) => async (args) => {
        const input = await sealInput(args.input, findKey);
        const result = await next({ ...args, input });
        return { ...result, output: await openOutput(result.output, findKey) };
      },
      { step: 'initialize', name: 'sealing' },
    );
  }
}

function isObject(value: unknown): value is Attributes {
  return typeof value === 'object' && value !== null;
}

// The relevant members of requests; see DynamoDB's API reference.

async function sealInput<Input extends object>(input: Input, findKey: FindProjectKey): Promise<Input> {
  const request: Attributes = Object.fromEntries(Object.entries(input));
  if (Array.isArray(request.TransactItems)) {
    request.TransactItems = await Promise.all(request.TransactItems.map((item) => sealPart(item, findKey)));
  }
  if (isObject(request.RequestItems)) {
    request.RequestItems = Object.fromEntries(
      Object.entries(request.RequestItems).map(([table, wanted]) => [
        table,
        isObject(wanted) ? withKeys(wanted) : wanted,
      ]),
    );
  }
  return { ...input, ...withKeys(await sealWrite(request, findKey)) };
}

/** @param part of a transaction: `{ Put: … }` */
async function sealPart(part: unknown, findKey: FindProjectKey): Promise<unknown> {
  if (!isObject(part)) return part;
  const sealed = await Promise.all(
    Object.entries(part).map(async ([kind, write]) => [
      kind,
      isObject(write) ? await sealWrite(write, findKey) : write,
    ]),
  );
  return Object.fromEntries(sealed);
}

async function sealWrite(write: Attributes, findKey: FindProjectKey): Promise<Attributes> {
  const { Item, Key, ExpressionAttributeValues: values } = write;
  const key = isObject(Item) ? Item : isObject(Key) ? Key : {};
  return {
    ...write,
    ...(isObject(Item) ? { Item: await sealValues(Item, key, findKey) } : {}),
    ...(isObject(values) ? { ExpressionAttributeValues: await sealValues(values, key, findKey) } : {}),
  };
}

async function sealValues(
  values: Attributes,
  { pk, sk }: Attributes,
  findKey: FindProjectKey,
): Promise<Attributes> {
  const sealed: Attributes = { ...values };
  for (const [name, value] of Object.entries(values)) {
    if (isObject(value) && Object.values(value).some((member) => member instanceof ToSeal)) {
      sealed[name] = await sealValues(value, { pk, sk }, findKey);
    }
    if (!(value instanceof ToSeal)) continue;
    const { projectId, attribute, isSearchable } = value;
    const key = await findKey(projectId);
    if (key === null) sealed[name] = value.plain;
    else if (isSearchable) sealed[name] = sealSearchable(key, attribute, value.value);
    else sealed[name] = seal(key, { pk: String(pk), sk: String(sk), attribute }, value.value);
  }
  return sealed;
}

const keyNames = { '#sealed_pk': 'pk', '#sealed_sk': 'sk' } as const;

/** Adds the key's attributes to a projection, because sealed values open only with them. */
function withKeys(request: Attributes): Attributes {
  const { ProjectionExpression: projection, ExpressionAttributeNames: names } = request;
  if (typeof projection !== 'string') return request;
  const known = isObject(names) ? names : {};
  const read = new Set(projection.split(',').map((path) => known[path.trim()] ?? path.trim()));
  const added = Object.entries(keyNames).filter(([, name]) => !read.has(name));
  if (added.length === 0) return request;
  return {
    ...request,
    ProjectionExpression: [projection, ...added.map(([placeholder]) => placeholder)].join(', '),
    ExpressionAttributeNames: { ...known, ...Object.fromEntries(added) },
  };
}

async function openOutput<Output extends object>(output: Output, findKey: FindProjectKey): Promise<Output> {
  const answer: Attributes = Object.fromEntries(Object.entries(output));
  const { Item, Attributes: attributes, Items, Responses } = answer;
  const openEach = (items: unknown[]): Promise<unknown[]> =>
    Promise.all(items.map((item) => (isObject(item) ? openItem(item, findKey) : item)));
  if (isObject(Item)) answer.Item = await openItem(Item, findKey);
  if (isObject(attributes)) answer.Attributes = await openItem(attributes, findKey);
  if (Array.isArray(Items)) answer.Items = await openEach(Items);
  if (isObject(Responses) && !Array.isArray(Responses)) {
    const opened = Object.entries(Responses).map(async ([table, items]) => [
      table,
      Array.isArray(items) ? await openEach(items) : items,
    ]);
    answer.Responses = Object.fromEntries(await Promise.all(opened));
  }
  return { ...output, ...answer };
}

/**
 * Opens everything sealed in an item.
 *
 * @param path of the part being opened, such as `listed.`; empty for the item itself
 */
export async function openItem(
  item: Attributes,
  findKey: FindProjectKey,
  { pk, sk }: Attributes = item,
  path = '',
): Promise<Attributes> {
  const opened: Attributes = { ...item };
  for (const [name, value] of Object.entries(item)) {
    if (isSealed(value)) {
      const key = await findKey(projectOfSealed(value));
      if (key === null) throw new KeyGone();
      opened[name] = open(key, { pk: String(pk), sk: String(sk), attribute: `${path}${name}` }, value);
    } else if (path === '' && partlySealed.includes(name) && isObject(value)) {
      opened[name] = await openItem(value, findKey, { pk, sk }, `${name}.`);
    }
  }
  const { [detailsAttribute]: details, ...rest } = opened;
  // A client's metadata may have a member of the same name.
  return isObject(details) ? { ...rest, ...details } : opened;
}

/** Opens an image of the stream; null without one, or when the key that sealed it is gone. */
export async function openImage(
  image: Attributes | null,
  findKey: FindProjectKey,
): Promise<Attributes | null> {
  if (image === null) return null;
  try {
    return await openItem(image, findKey);
  } catch (error) {
    if (isKeyGone(error)) return null;
    throw error;
  }
}
