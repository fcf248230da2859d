import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { FileS3Persistence } from '../../../node_modules/fauxqs/dist/s3/fileS3Persistence.js';

type Files = FileS3Persistence;

/**
 * Objects as plain files, each either complete or absent. The package writes in place: a process killed meanwhile
 * leaves half a recording, or a description that is not JSON, which keeps it from starting again. Here, complete files
 * are moved into place.
 */
export class WholeObjectFiles extends FileS3Persistence {
  readonly #directory: string;
  readonly #unfinishedDirectory: string;

  constructor(directory: string) {
    removeUnreadable(directory);
    super(directory);
    this.#directory = directory;
    this.#unfinishedDirectory = join(directory, '_unfinished');
    rmSync(this.#unfinishedDirectory, { recursive: true, force: true });
  }

  override insertBucket(...bucket: Parameters<Files['insertBucket']>): void {
    this.#writeWhole((files) => files.insertBucket(...bucket));
  }

  override upsertObject(...object: Parameters<Files['upsertObject']>): void {
    this.#writeWhole((files) => files.upsertObject(...object));
  }

  override insertMultipartUpload(...upload: Parameters<Files['insertMultipartUpload']>): void {
    this.#writeWhole((files) => files.insertMultipartUpload(...upload));
  }

  override upsertMultipartPart(...part: Parameters<Files['upsertMultipartPart']>): void {
    this.#writeWhole((files) => files.upsertMultipartPart(...part));
  }

  override deleteMultipartUpload(uploadId: string): void {
    super.deleteMultipartUpload(uploadId);
    rmSync(join(this.#unfinishedDirectory, '_multipart', uploadId), { recursive: true, force: true });
  }

  #writeWhole(write: (files: FileS3Persistence) => void): void {
    write(new FileS3Persistence(this.#unfinishedDirectory));
    const files = filesIn(this.#unfinishedDirectory);
    // The description comes last: without it, the object does not exist.
    for (const file of [...files.filter((name) => !isDescription(name)), ...files.filter(isDescription)]) {
      const target = join(this.#directory, file);
      mkdirSync(dirname(target), { recursive: true });
      renameSync(join(this.#unfinishedDirectory, file), target);
    }
    // Its folders stay for the next objects: removing them after each took longer than to write a recording.
  }
}

/** Incomplete files of earlier versions, which were never acknowledged. */
function removeUnreadable(directory: string): void {
  if (!existsSync(directory)) return;
  for (const file of filesIn(directory).filter(isDescription)) {
    const path = join(directory, file);
    try {
      JSON.parse(readFileSync(path, 'utf8'));
    } catch {
      rmSync(path);
    }
  }
}

function filesIn(directory: string): string[] {
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(directory.length + 1));
}

function isDescription(file: string): boolean {
  return file.endsWith('.json');
}
