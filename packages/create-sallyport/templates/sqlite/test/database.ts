import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Migration } from 'kysely/migration'
import { afterAll } from 'vitest'
import { openDatabase } from '../src/database.ts'

/** Opens an empty database that is deleted after the tests of the file. */
export async function openTestDatabase(migrations: Readonly<Record<string, Migration>>) {
  const folder = await mkdtemp(join(tmpdir(), 'my-app-'))
  const database = await openDatabase(join(folder, 'test.db'), migrations)
  afterAll(async () => {
    await database.close()
    await rm(folder, { recursive: true })
  })
  return database
}
