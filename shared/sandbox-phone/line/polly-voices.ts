/** Twilio's voices of Amazon Polly, by language; those of Twilio's client library. A few speak two languages. */
const idsByLanguage: Readonly<Record<string, string>> = {
  'en-US':
    'Danielle-Generative Danielle-Neural Gregory-Neural Ivy Ivy-Neural Joanna Joanna-Generative ' +
    'Joanna-Neural Joey Joey-Neural Justin Justin-Neural Kendra Kendra-Neural Kevin Kevin-Neural Kimberly ' +
    'Kimberly-Neural Matthew Matthew-Generative Matthew-Neural Ruth-Generative Ruth-Neural Salli ' +
    'Salli-Neural Stephen-Generative Stephen-Neural',
  'en-GB': 'Amy Amy-Generative Amy-Neural Arthur-Neural Brian Brian-Neural Emma Emma-Neural',
  'en-AU': 'Nicole Olivia-Generative Olivia-Neural Russell',
  'en-IN': 'Aditi Kajal-Generative Kajal-Neural Raveena',
  'en-IE': 'Niamh-Neural',
  'en-NZ': 'Aria-Neural',
  'en-ZA': 'Ayanda-Generative Ayanda-Neural',
  'en-GB-WLS': 'Geraint',
  'es-US': 'Lupe Lupe-Generative Lupe-Neural Miguel Pedro-Generative Pedro-Neural Penelope',
  'es-ES': 'Conchita Enrique Lucia Lucia-Generative Lucia-Neural Sergio-Generative Sergio-Neural',
  'es-MX': 'Andres-Generative Andres-Neural Mia Mia-Neural',
  'fr-FR': 'Celine Lea Lea-Generative Lea-Neural Mathieu Remi-Neural',
  'fr-CA': 'Chantal Gabrielle-Neural Liam-Neural',
  'fr-BE': 'Isabelle-Neural',
  'de-DE': 'Daniel-Generative Daniel-Neural Hans Marlene Vicki Vicki-Generative Vicki-Neural',
  'de-AT': 'Hannah-Neural',
  'it-IT': 'Adriano-Neural Bianca Bianca-Generative Bianca-Neural Carla Giorgio',
  'pt-BR': 'Camila Camila-Neural Ricardo Thiago-Neural Vitoria Vitoria-Neural',
  'pt-PT': 'Cristiano Ines Ines-Neural',
  'ar-AE': 'Hala-Neural Zayd-Neural',
  arb: 'Zeina',
  'ca-ES': 'Arlet-Neural',
  'cmn-CN': 'Zhiyu Zhiyu-Neural',
  'yue-CN': 'Hiujin-Neural',
  'cy-GB': 'Gwyneth',
  'da-DK': 'Mads Naja Sofie-Neural',
  'fi-FI': 'Suvi-Neural',
  'hi-IN': 'Aditi Kajal-Generative Kajal-Neural',
  'is-IS': 'Dora Karl',
  'ja-JP': 'Kazuha-Neural Mizuki Takumi Takumi-Neural Tomoko-Neural',
  'ko-KR': 'Seoyeon Seoyeon-Neural',
  'nb-NO': 'Ida-Neural Liv',
  'nl-BE': 'Lisa-Neural',
  'nl-NL': 'Laura-Neural Lotte Ruben',
  'pl-PL': 'Ewa Jacek Jan Maja Ola-Neural',
  'ro-RO': 'Carmen',
  'ru-RU': 'Maxim Tatyana',
  'sv-SE': 'Astrid Elin-Neural',
  'tr-TR': 'Burcu-Neural Filiz',
};

export const pollyVoices: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries(idsByLanguage).map(([language, ids]) => [language, ids.split(' ')]),
);
