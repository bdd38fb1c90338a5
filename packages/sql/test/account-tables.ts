import type { AccountTables } from '@sallyport/sql/accounts'
import { restMigrations } from '@sallyport/sql/rest'
import { addRowColumns, type StoredRow } from '@sallyport/sql/resources'
import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'
import { describeDatabases } from './databases.ts'

interface TaskRow extends StoredRow {
  readonly owner_id: string
  readonly assignee_id: string | null
}

/** The tables of an application with accounts. */
export type Tables = AccountTables & { tasks: TaskRow }

const tasks: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('tasks')
      .$call(addRowColumns)
      .addColumn('owner_id', 'text', (column) => column.notNull().references('users.id').onDelete('cascade'))
      .addColumn('assignee_id', 'text', (column) => column.references('users.id').onDelete('set null'))
      .execute()
  },
}

export const accountMigrations = {
  '0001-accounts': restMigrations.accounts,
  '0002-tasks': tasks,
  '0003-sessions': restMigrations.sessions,
  '0004-keys': restMigrations.apiKeys,
}

/** Unassigns the tasks of a deleted user, with a new version: the `onRemoved` of the application. */
export async function unassignTasks(transaction: Kysely<Tables>, id: string): Promise<void> {
  await transaction
    .updateTable('tasks')
    .set((row) => ({ assignee_id: null, version: row('version', '+', 1) }))
    .where('assignee_id', '=', id)
    .execute()
}

/** Defines a suite over the tables, once per database. */
export function describeAccounts(define: (database: () => Kysely<Tables>) => void): void {
  describeDatabases(accountMigrations, (databases) => {
    define(() => databases()[0])
  })
}
