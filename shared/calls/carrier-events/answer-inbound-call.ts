import { farewellDocument, forwardDocument, hangUpDocument } from '#shared/carrier/answer-document.ts';
import { type InboundCall, parseInboundCall } from '#shared/carrier/callbacks.ts';
import { allowedCountries, findGrantProblem } from '#shared/domain/live-bounds.ts';
import type { CarrierName, Project } from '#shared/domain/project.ts';
import { annotateLog } from '#shared/observability/log.ts';
import type { Table } from '#shared/table/client.ts';
import { findProjectsCallingFrom } from '#shared/table/project.ts';
import { spokenPhoneNumber } from '#shared/voice-agent/language/speech.ts';

/**
 * Answers a call to one of our numbers with TwiML: forwards it to the callback number of the project that calls from
 * it, or says that number when forwarding is not allowed or fails. The caller may be anyone, so the response reveals
 * no patient or project.
 */
export async function answerInboundCall(
  { table, publicBaseUrl }: { readonly table: Table; readonly publicBaseUrl: string },
  carrier: CarrierName,
  form: URLSearchParams,
): Promise<string> {
  const inbound = parseInboundCall(form);
  if (inbound === null || inbound.forwarding === 'over') return answered('hung-up', hangUpDocument());
  const projects = await findProjectsCallingFrom(table, carrier, inbound.to);
  const [project] = projects;
  const callbackNumber = commonCallbackNumber(projects);
  if (project === undefined || callbackNumber === null) {
    return answered('told-nothing', farewellDocument(inboundWords(null), project?.agent));
  }
  if (await mayForward(table, project, inbound, callbackNumber)) {
    return answered('forwarded', forwardDocument(publicBaseUrl, callbackNumber));
  }
  return answered('told-number', farewellDocument(inboundWords(callbackNumber), project.agent));
}

function answered(answer: string, document: string): string {
  annotateLog({ callback: 'inbound', answer });
  return document;
}

/** Null when the project has none, or when projects that share the caller number have different ones. */
function commonCallbackNumber(projects: readonly Project[]): string | null {
  const numbers = new Set(
    projects.map(({ agent, call_policy }) => agent.callback_number ?? call_policy.callback_number),
  );
  const [number = null] = numbers;
  return numbers.size === 1 ? number : null;
}

/**
 * A forwarded call costs as much as an outbound one, so it goes only where the project may call, and never to one of
 * our own numbers, which would forward it again.
 */
async function mayForward(
  table: Table,
  project: Project,
  { forwarding }: InboundCall,
  callbackNumber: string,
): Promise<boolean> {
  if (forwarding === 'unreached' || findGrantProblem(project) !== null) return false;
  const countries = allowedCountries(project);
  if (countries !== null) {
    const { findNumberProblem } = await import('#shared/domain/callable-number.ts');
    if (findNumberProblem(callbackNumber, countries) !== null) return false;
  }
  return (await findProjectsCallingFrom(table, project.carrier, callbackNumber)).length === 0;
}

/** @param callbackNumber E.164; null for none */
export function inboundWords(callbackNumber: string | null): string {
  const greeting = 'Hello. This number only makes calls and cannot take them.';
  if (callbackNumber === null) return `${greeting} Goodbye.`;
  const number = spokenPhoneNumber(callbackNumber);
  return `${greeting} Please call ${number} instead. I repeat: ${number}. Thank you. Goodbye.`;
}
