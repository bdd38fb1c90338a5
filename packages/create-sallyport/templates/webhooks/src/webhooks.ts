import { github } from '@sallyport/providers/github'
import { createWebhooks } from '@sallyport/webhooks/node'
import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'
import type { Database } from './database.ts'

export const pushMigrations: Readonly<Record<string, Migration>> = {
  '0001-pushes': {
    async up(db: Kysely<unknown>) {
      await db.schema
        .createTable('pushes')
        .addColumn('event', 'text', (column) => column.primaryKey())
        .addColumn('repository', 'text')
        .execute()
    },
  },
}

/** Creates the gateway of GitHub's deliveries, and the functions that process their events. */
export function createMyWebhooks(database: Database, secret: string) {
  const db = database.kysely.$extendTables<{ pushes: { event: string; repository: string | undefined } }>()
  return createWebhooks({
    database,
    providers: [github],
    secrets: { github: secret },
    on: {
      // An event arrives at least once, always with the same id.
      async 'github/push'({ id, subject }) {
        const push = db.insertInto('pushes').values({ event: id, repository: subject })
        await push.onConflict((conflict) => conflict.doNothing()).execute()
      },
    },
  })
}
