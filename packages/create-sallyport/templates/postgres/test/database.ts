import { randomUUID } from 'node:crypto'
import type { Migration } from 'kysely/migration'
import { afterAll } from 'vitest'
import { openDatabase } from '../src/database.ts'

const { DATABASE_URL: url = 'postgres://postgres:postgres@127.0.0.1:5432/postgres' } = process.env

/** Opens an empty schema that is dropped after the tests of the file. */
export async function openTestDatabase(migrations: Readonly<Record<string, Migration>>) {
  const schema = `test_${randomUUID()}`
  const database = await openDatabase(url, migrations, schema)
  afterAll(async () => {
    await database.kysely.schema.dropSchema(schema).cascade().execute()
    await database.close()
  })
  return database
}
