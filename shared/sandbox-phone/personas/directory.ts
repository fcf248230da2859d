import { Defaults, PersonaFile } from '../person/person-file.ts';
import anybody from './anybody.json' with { type: 'json' };
import asksAgain from './asks-again.json' with { type: 'json' };
import busy from './busy.json' with { type: 'json' };
import busyTwice from './busy-twice.json' with { type: 'json' };
import clinicFrontDesk from './clinic-front-desk.json' with { type: 'json' };
import clinicMenu from './clinic-menu.json' with { type: 'json' };
import mannersFile from './defaults.json' with { type: 'json' };
import fax from './fax.json' with { type: 'json' };
import hangsUp from './hangs-up.json' with { type: 'json' };
import insurerClaimsLine from './insurer-claims-line.json' with { type: 'json' };
import insurerHold from './insurer-hold.json' with { type: 'json' };
import insurerProviderLine from './insurer-provider-line.json' with { type: 'json' };
import interrupter from './interrupter.json' with { type: 'json' };
import noAnswer from './no-answer.json' with { type: 'json' };
import notInService from './not-in-service.json' with { type: 'json' };
import officeManager from './office-manager.json' with { type: 'json' };
import refusesMachines from './refuses-machines.json' with { type: 'json' };
import voicemail from './voicemail.json' with { type: 'json' };
import wrongNumber from './wrong-number.json' with { type: 'json' };

/** Everybody who can be called, and how people behave in general. */
export interface Directory {
  readonly personas: readonly PersonaFile[];
  readonly defaults: Defaults;
}

let bundled: Directory | undefined;

/** The people that come with the sandbox phone. */
export function bundledDirectory(): Directory {
  bundled ??= {
    defaults: Defaults.parse(mannersFile),
    personas: [
      clinicFrontDesk,
      insurerProviderLine,
      insurerClaimsLine,
      officeManager,
      busy,
      noAnswer,
      voicemail,
      notInService,
      clinicMenu,
      insurerHold,
      hangsUp,
      wrongNumber,
      interrupter,
      asksAgain,
      refusesMachines,
      busyTwice,
      fax,
      anybody,
    ].map((file) => PersonaFile.parse(file)),
  };
  return bundled;
}

/** Who answers this number. */
export function personaAt({ personas }: Directory, phoneNumber: string): PersonaFile {
  const person =
    personas.find(({ numbers }) => numbers.includes(phoneNumber)) ??
    personas.find(({ numbers }) => numbers.includes('*'));
  if (person === undefined) throw new Error('the directory has nobody for other numbers');
  return person;
}
