import { realpathSync, statSync } from 'node:fs'
import { SqliteError } from './errors.ts'

/** The device and inode of a file; undefined when the path leads to no file. */
export function readFileIdentity(path: string): string | undefined {
  const stats = statSync(path, { bigint: true, throwIfNoEntry: false })
  return stats && `${stats.dev}:${stats.ino}`
}

/**
 * Checks that the path of an open database still leads to the open file, and that its write-ahead log and the index of the
 * log are still there.
 *
 * SQLite continues in a file that was deleted or renamed: commits to such a file are lost at the next start. Where the
 * index (`-shm`) was deleted, another process creates a new index, and both processes corrupt the database.
 */
export class OpenFile {
  readonly #path: string
  readonly #file: string | undefined
  /** The paths of the log and of its index: SQLite makes them in the folder to which a symbolic link leads. */
  readonly #logs: readonly string[]
  #log: string | undefined
  #isLost = false

  /**
   * @param file the expected identity of the file, by default the present one
   * @throws SqliteError `FILE_LOST` when the path leads to another file or to none
   */
  constructor(path: string, file?: string) {
    this.#path = path
    this.#file = readFileIdentity(path)
    if (file !== undefined && this.#file !== file) throw fileLost(path)
    const target = this.#file === undefined ? path : realpathSync(path)
    this.#logs = [`${target}-wal`, `${target}-shm`]
  }

  /**
   * Runs work on the database and then checks the file, so that every acknowledged write is in the file at the path.
   * Rejects work while the file is lost; a file that is moved back is used again.
   *
   * @throws SqliteError `FILE_LOST`
   */
  run<Result>(work: () => Result): Result {
    if (this.#isLost) this.#check()
    const result = work()
    this.#check()
    return result
  }

  #check(): void {
    const log = this.#logs.map(readFileIdentity).join()
    this.#log ??= log
    this.#isLost = readFileIdentity(this.#path) !== this.#file || log !== this.#log
    if (this.#isLost) throw fileLost(this.#path)
  }
}

const fileLostCode = 'FILE_LOST'

export const isFileLost = (error: unknown): boolean => (error as { code?: unknown }).code === fileLostCode

const fileLost = (path: string) =>
  new SqliteError({
    code: fileLostCode,
    message: `The database ${path} or its write-ahead log was deleted, moved or replaced while it was open, and nothing is accepted. Move the file back, or copy the data out of the running process before you stop it`,
  })
