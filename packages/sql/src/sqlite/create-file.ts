import { mkdir, open, readlink, stat } from 'node:fs/promises'
import { dirname, isAbsolute } from 'node:path'
import { SqliteError } from './errors.ts'

/** Linux and macOS open no file behind more symbolic links. */
const maxLinks = 40

/**
 * Creates the file (0600) and its folder (0700) where they are missing. SQLite gives its other files the mode of this file.
 *
 * @throws SqliteError `DATABASE_MISSING` for a write-ahead log without its database: SQLite would delete the log, which may
 *   contain the newest commits
 */
export async function createFile(path: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  const log = `${await followLinks(path)}-wal`
  // The log first: a process that creates the database writes the database before its log.
  if ((await readSize(log)) > 0 && (await readSize(path)) === 0) throw databaseMissing(path, log)
  const file = await open(path, 'a', 0o600)
  await file.close()
}

/** The last target of symbolic links, which need not exist: SQLite keeps the log next to it. */
async function followLinks(path: string): Promise<string> {
  let file = path
  for (let links = 0; links < maxLinks; links++) {
    const target = await readlink(file).catch(() => undefined)
    if (target === undefined) return file
    // Not resolved here: `..` after a link to a folder leads to the parent of its target.
    file = isAbsolute(target) ? target : `${dirname(file)}/${target}`
  }
  return file
}

async function readSize(path: string): Promise<number> {
  try {
    return (await stat(path)).size
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return 0
    throw error
  }
}

const databaseMissing = (path: string, log: string) =>
  new SqliteError({
    code: 'DATABASE_MISSING',
    message: `The database ${path} is missing or empty, but its write-ahead log ${log} may hold acknowledged deliveries. Move the database back, and start again. If the database is lost, move the log to another folder to start with an empty database`,
  })
