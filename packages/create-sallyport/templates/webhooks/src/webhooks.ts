import { github } from '@sallyport/providers/github'
import type { WebhookEvent } from '@sallyport/webhooks'
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

type Tables = { pushes: { event: string; repository: string } }

/** Creates the gateway of GitHub's deliveries, and the functions that process their events. */
export function createMyWebhooks(database: Database, secret: string) {
  return createWebhooks({
    database,
    providers: [github],
    secrets: { github: secret },
    on: {
      // The row and the end of the event are one transaction: a crash leaves both or neither. A replay has the same id.
      'github/push': database.transactional(
        ({ id, subject }: WebhookEvent) =>
          (transaction) =>
            transaction
              .$extendTables<Tables>()
              .insertInto('pushes')
              .values({ event: id, repository: subject })
              .onConflict((conflict) => conflict.doNothing())
              .execute(),
      ),
    },
  })
}
