import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const made: string[] = []

/** The path of a database that does not exist yet, in a new folder. */
export async function newPath(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'sallyport-sql-'))
  made.push(folder)
  return join(folder, 'data', 'sallyport.db')
}

export async function removeFiles(): Promise<void> {
  for (const folder of made.splice(0)) await rm(folder, { recursive: true, force: true })
}
