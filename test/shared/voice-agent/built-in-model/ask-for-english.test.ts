import { describe, expect, test } from 'vitest';
import { handleLine } from '#shared/voice-agent/built-in-model/line.ts';
import { type Talk, talk } from './talking.ts';

const spoken = (...prompts: readonly string[]): Talk => talk(handleLine, prompts, { isVerified: false });
const actionOf = ({ last }: Talk, type: string) => last.actions.find((action) => action.type === type);

const greeting = 'Buenos días, consultorio del doctor Ramírez, ¿en qué le puedo ayudar?';
const noEnglish = 'Disculpe, no hablo inglés, ¿habla usted español?';

describe('a Spanish speaker', () => {
  test('is asked in Spanish for an English speaker', () => {
    const { last } = spoken(greeting);
    expect(last.words).toMatch(/^Hola, soy un asistente automático\..* ¿Hay alguien que hable inglés\?$/);
    expect(last.returned).toBe(true);
  });

  test('is asked once more in other words, then the call ends with a note', () => {
    const { turns } = spoken(greeting, noEnglish);
    expect(turns[1]?.words).toMatch(/comunicar con alguien que hable inglés/);
    expect(turns[1]?.words).not.toBe(turns[0]?.words);
    const over = spoken(greeting, noEnglish, 'Lo siento mucho, aquí no hay nadie que hable inglés.');
    expect(actionOf(over, 'end')).toMatchObject({ reason: 'gave-up', farewell: 'follow-up' });
    expect(actionOf(over, 'follow-up')).toMatchObject({
      text: 'Nobody there spoke English. They said in Spanish: "Lo siento mucho, aquí no hay nadie que hable inglés."',
    });
    expect(over.last.words).toBe('');
  });

  test.each(['No, no, está equivocado, aquí vive la familia Gómez.', 'Se equivocó de número, señora.'])(
    'at a wrong number is asked nothing more: "%s"',
    (words) => {
      expect(actionOf(spoken(words), 'end')).toMatchObject({
        reason: 'wrong-number',
        farewell: 'wrong-number',
      });
    },
  );

  test('who denies that the number is wrong is asked for an English speaker', () => {
    const { last } = spoken('No está equivocado, este es el consultorio del doctor Ramírez.');
    expect(last.words).toMatch(/¿Hay alguien que hable inglés\?$/);
  });

  test('who fetches another person is waited for', () => {
    const held = spoken(greeting, 'Un momento por favor, le paso con mi compañera.');
    expect(held.last.words).toBe('');
    expect(actionOf(held, 'wait')).toBeDefined();
    expect(held.memory.line).toBe('transfer');
  });

  test('is replaced by a normal call once a person speaks English', () => {
    const { last } = spoken(greeting, 'Hello, this is Ana, how can I help you?');
    expect([last.returned, last.actions.some(({ type }) => type === 'end')]).toEqual([false, false]);
  });
});

describe('a machine that speaks Spanish', () => {
  test('is listened to until it speaks English', () => {
    const menu = spoken('Para español, oprima el dos.');
    expect(menu.last.words).toBe('');
    expect(actionOf(menu, 'wait')).toBeDefined();
    expect(menu.memory.line).toBe('machine');
  });

  test('and takes messages is a mailbox like any other', () => {
    const mailbox = spoken('Ha llamado a la familia Gómez, deje su mensaje después del tono.');
    expect(actionOf(mailbox, 'end')).toMatchObject({ reason: 'voicemail', farewell: 'voicemail' });
  });
});
