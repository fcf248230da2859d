import { chance } from '#shared/sandbox-phone/person/seeded.ts';
import { demoTasks } from '../../infra/local/demo/scenario.ts';

/** A task as a client creates it. However often the request is repeated, its key makes it one task. */
export interface Order {
  readonly label: string;
  readonly idempotencyKey: string;
  readonly body: Readonly<Record<string, unknown>>;
}

/** Everyone at the sandbox phone with a character of their own, interleaved with cooperative people. */
const characters = [
  '+12025550100',
  '+12025550101',
  '+12025550102',
  '+12025550103',
  '+12025550110',
  '+12025550111',
  '+12025550112',
  '+12025550113',
  '+12025550114',
  '+12025550115',
  '+12025550116',
  '+12025550117',
  '+12025550118',
  '+12025550119',
  '+12025550120',
  '+12025550121',
];
const firstOtherNumber = 122;
const otherNumbers = 76;

/** The orders of a seed: every other one to a person with a character, so that calls end in every way. */
export function takeOrders(seed: string, count: number): Order[] {
  const shuffled = characters
    .map((number) => ({ number, place: chance(seed, number) }))
    .sort((a, b) => a.place - b.place);
  return Array.from({ length: count }, (_, index) => {
    const character = shuffled[(index >> 1) % shuffled.length];
    const phoneNumber = index % 2 === 0 && character !== undefined ? character.number : otherNumberOf(index);
    const label = `order ${index + 1}`;
    return {
      label,
      idempotencyKey: `${seed} ${label}`,
      body: { ...bodyFor(phoneNumber, index), phone_number: phoneNumber },
    };
  });
}

/** Orders of all types to helpful people, each number in turn, so that no task waits long for another's call. */
export function takeHelpfulOrders(seed: string, count: number): Order[] {
  return Array.from({ length: count }, (_, index) => {
    const label = `order ${index + 1}`;
    const phone_number = otherNumberOf(index);
    return {
      label,
      idempotencyKey: `${seed} ${label}`,
      body: { ...bodyFor(phone_number, index), phone_number },
    };
  });
}

function otherNumberOf(index: number): string {
  return `+12025550${firstOtherNumber + (index % otherNumbers)}`;
}

/** A task that suits whoever answers there. */
function bodyFor(phoneNumber: string, index: number): Readonly<Record<string, unknown>> {
  const own = demoTasks.find(({ body }) => body.phone_number === phoneNumber);
  const any = demoTasks[index % demoTasks.length];
  return (own ?? any)?.body ?? {};
}
