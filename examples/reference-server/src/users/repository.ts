import type { Kysely } from 'kysely'
import { createRepository, type Repository, type RepositoryOptions } from '../database/repository.ts'
import type { Tables, UserRow } from '../database/tables.ts'

export type Users = Repository<UserRow>

/** Users, and what deleting one means for others: tasks that were assigned to it are nobody's. */
export function createUsers(
  db: Kysely<Tables>,
  { now = Date.now, reads = db }: Omit<RepositoryOptions, 'noun'> = {},
): Users {
  const options = { noun: 'user', now }
  return {
    ...createRepository(db, 'users', { ...options, reads }),
    remove: (key, decide) =>
      within(db, async (transaction) => {
        const users = createRepository(transaction, 'users', options)
        const { id } = await users.get(key)
        // The foreign key would do as much, without giving the tasks a new version.
        await transaction
          .updateTable('tasks')
          .set((row) => ({
            assignee_id: null,
            version: row('version', '+', 1),
            updated_at: new Date(now()).toISOString(),
          }))
          .where('assignee_id', '=', id)
          .execute()
        await users.remove({ id }, decide)
      }),
  }
}

/** Within the transaction that there is, or one of its own. */
function within<T>(db: Kysely<Tables>, act: (transaction: Kysely<Tables>) => Promise<T>): Promise<T> {
  return db.isTransaction ? act(db) : db.transaction().execute(act)
}
