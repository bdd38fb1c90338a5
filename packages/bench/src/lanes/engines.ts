import { openPostgres, type InboxTables } from '@sallyport/sql/postgres'
import { openSqlite } from '@sallyport/sql/sqlite'
import type { CompleteInbox } from '@sallyport/webhooks'
import { sql } from 'kysely'
import { openStage } from '../webhooks/stage.ts'
import { join } from 'node:path'
import { seedLanes, type Seed } from './seed-lanes.ts'

export interface Opened {
  readonly inbox: CompleteInbox
  readonly seed: (...seeds: readonly Seed[]) => Promise<void>
  readonly close: () => Promise<void>
}

export interface Engine {
  /** The last part of the names of benchmarks. */
  readonly id: string
  readonly name: string
  /** Opens an empty inbox. */
  readonly open: () => Promise<Opened>
}

/** The timeout of a statement that inserts many rows. */
const seedTimeoutMs = 600_000

const postgres: Engine = {
  id: 'postgres',
  name: 'PostgreSQL',
  async open() {
    const stage = await openStage()
    const url = await stage.databaseUrl()
    const database = await openPostgres({ url, migrate: true, statementTimeoutMs: seedTimeoutMs })
    const kysely = database.kysely.$extendTables<InboxTables>()
    return {
      inbox: database.inbox(),
      async seed(...seeds) {
        let first = 1
        for (const seed of seeds) {
          await seedLanes(kysely, seed, first)
          first += seed.events
        }
        for (const sequence of ['deliveries_sequence_seq', 'events_sequence_seq'])
          await sql`select setval(${sequence}, ${first})`.execute(kysely)
        await sql`vacuum analyze`.execute(kysely)
      },
      async close() {
        await database.close()
        await stage.close()
      },
    }
  },
}

const sqlite: Engine = {
  id: 'sqlite',
  name: 'SQLite',
  async open() {
    const stage = await openStage()
    const database = await openSqlite({ path: join(stage.directory, 'inbox.db') })
    return {
      inbox: database.inbox(),
      async seed(...seeds) {
        let first = 1
        for (const seed of seeds) {
          await seedLanes(database.kysely, seed, first)
          first += seed.events
        }
      },
      async close() {
        await database.close()
        await stage.close()
      },
    }
  },
}

export const engines: readonly Engine[] = [postgres, sqlite]
