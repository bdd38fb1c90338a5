import { describeWith } from '@sallyport/test-support/services'
import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'
import { afterAll, beforeAll, describe } from 'vitest'
import { openPostgres } from '../src/postgres/index.ts'
import { openSqlite } from '../src/sqlite/index.ts'
import { migrate } from '../src/sqlite/migrate.ts'
import { newPath, removeFiles } from './files.ts'

/** One database, seen by two who share nothing else, as two processes do. */
export type Sharers = readonly [Kysely<unknown>, Kysely<unknown>]

/** Defines a suite once over SQLite and once over PostgreSQL, with these migrations. */
export function describeDatabases(
  migrations: Readonly<Record<string, Migration>>,
  define: (databases: () => Sharers) => void,
): void {
  const table = 'test_migrations'

  describe('with SQLite', () => {
    const open = async (path: string) => {
      const database = await openSqlite({ path })
      return { kysely: database.kysely as unknown as Kysely<unknown>, close: () => database.close() }
    }
    defineOver(async () => {
      const path = await newPath()
      const opened = [await open(path), await open(path)] as const
      await migrate(opened[0].kysely, migrations, { table })
      return opened
    }, define)
    afterAll(removeFiles)
  })

  describeWith('postgres', (postgres) => {
    defineOver(async () => {
      const opened = [
        await openPostgres({ ...postgres(), migrate: true }),
        await openPostgres(postgres()),
      ] as const
      await opened[0].migrate(migrations, { table })
      return opened
    }, define)
  })
}

interface Open {
  readonly kysely: Kysely<unknown>
  readonly close: () => Promise<void>
}

function defineOver(
  open: () => Promise<readonly [Open, Open]>,
  define: (databases: () => Sharers) => void,
): void {
  let opened: readonly [Open, Open] | undefined
  beforeAll(async () => {
    opened = await open()
  })
  afterAll(() => Promise.all(opened?.map(({ close }) => close()) ?? []))
  define(() => {
    if (opened === undefined) throw new Error('Ask for the databases within a test')
    return [opened[0].kysely, opened[1].kysely]
  })
}
