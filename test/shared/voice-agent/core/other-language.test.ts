import { describe, expect, test } from 'vitest';
import { otherLanguage } from '#shared/voice-agent/core/other-language.ts';
import { tokenize } from '#shared/voice-agent/entities/tokens.ts';

const languageOf = (words: string) => otherLanguage({ tokens: tokenize(words) });

describe('Spanish', () => {
  // None of them is among the examples that the words were taken from.
  test.each([
    'Buenos días, clínica Santa Rosa, ¿en qué le puedo ayudar?',
    '¿Bueno? ¿Quién habla?',
    'Buenas tardes, habla Lupita, ¿con quién tengo el gusto?',
    'Disculpe, no hablo inglés, ¿habla usted español?',
    'Gracias por llamar al consultorio del doctor Ramírez, le habla Marisol',
    'Mi mamá no está, llame más tarde por favor',
    'hola buenas quien habla',
    'yo no hablo ingles señorita',
    'Se equivocó, este es un restaurante.',
    'Pues no sé, mi hijo es el que habla inglés.',
    'Para español, marque dos.',
    'Ha llamado a la familia Gómez, deje su mensaje después del tono.',
    'Dígame.',
  ])('is recognized in %j', (words) => {
    expect(languageOf(words)).toBe('es');
  });

  test.each([
    '',
    'Good morning, how can I help you?',
    'Buenos dias, thank you for calling Clinica Sierra, how can I help you?',
    'Hola, this is Maria at Los Altos Dental.',
    'La Casa de la Salud, this is Rosa.',
    'San Juan de los Lagos clinic',
    'El Camino Real Orthopedics, please hold.',
    'Su Casa Medical Group, can you hold?',
    'Dr. de la Cruz is in on Tuesdays.',
    'For English, press one. Para español, oprima el dos.',
    'Okay, gracias, adios.',
    'Muy bien.',
    'No problema, take your time.',
    'Si, we take that plan.',
    'No, no, no.',
    '1 2 3',
  ])('is not recognized in %j', (words) => {
    expect(languageOf(words)).toBeNull();
  });
});
