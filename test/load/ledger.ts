import type { Subject } from '../faults/support/fault-world.ts';

/** A file that a call of the run made, or may have made. */
export interface WrittenFile {
  /** Unique over all runs: it finds the file again whatever became of the answer. */
  readonly name: string;
  readonly subject: Subject;
  /** MD5 of the content in hex, as Drive states it; undefined for a file without content. */
  readonly md5: string | undefined;
  /** Known once the provider's answer came back whole. */
  id: string | undefined;
  /** Values the description may have: more than one after an update whose answer was lost. */
  descriptions: (string | undefined)[];
  deleted: 'no' | 'perhaps' | 'yes';
}

/** The simulator holds 256 MiB of uploads. */
const ROOM_BYTES = 200 * 1024 * 1024;

/** The responses that callers received, to compare with what the provider holds. */
export class Ledger {
  readonly #files: WrittenFile[] = [];
  readonly #free: WrittenFile[] = [];
  #uploadedBytes = 0;

  /** Whether the provider has room for one more upload; counts it. */
  takesRoom(bytes: number): boolean {
    if (this.#uploadedBytes + bytes > ROOM_BYTES) return false;
    this.#uploadedBytes += bytes;
    return true;
  }

  /** Notes a file before its call is sent. */
  begin(subject: Subject, name: string, md5?: string): WrittenFile {
    const file: WrittenFile = { name, subject, md5, id: undefined, descriptions: [undefined], deleted: 'no' };
    this.#files.push(file);
    return file;
  }

  /** The provider's answer came back: from now on the file must be there, exactly once. */
  acknowledge(file: WrittenFile, id: string): void {
    file.id = id;
    this.#free.push(file);
  }

  /** Takes an acknowledged file for a call of its own, so that no two changes of one file overlap. */
  take(
    random: () => number,
    fits: (file: WrittenFile) => boolean = () => true,
  ): (WrittenFile & { readonly id: string }) | undefined {
    const fitting = this.#free.filter(fits);
    const file = fitting[Math.floor(random() * fitting.length)];
    if (file?.id === undefined) return undefined;
    this.#free.splice(this.#free.indexOf(file), 1);
    return Object.assign(file, { id: file.id });
  }

  /** Gives a file back for later changes. */
  giveBack(file: WrittenFile): void {
    this.#free.push(file);
  }

  get files(): readonly WrittenFile[] {
    return this.#files;
  }
}
