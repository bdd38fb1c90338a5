import type { Kysely } from 'kysely'
import { untilUncontended, type ContentionOptions } from '../database/contention.ts'
import { createRepository, type Repository, type RepositoryOptions } from '../database/repository.ts'
import type { Tables, UserRow } from '../database/tables.ts'
import { holdForDeletion } from './hold.ts'

export type Users = Repository<UserRow>

/** Users, and what deleting one means for others: tasks that were assigned to it are nobody's. */
export function createUsers(db: Kysely<Tables>, options: Omit<RepositoryOptions, 'noun'> = {}): Users {
  const { now = Date.now } = options
  return {
    ...createRepository(db, 'users', { ...options, noun: 'user' }),
    remove: (key, decide) =>
      within(db, options, async (transaction) => {
        const users = createRepository(transaction, 'users', { noun: 'user', now })
        const { id } = await users.get(key)
        await holdForDeletion(transaction, id)
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

/** Within the transaction that there is, or one of its own, which is run again when others were in its way. */
function within<T>(
  db: Kysely<Tables>,
  options: ContentionOptions,
  act: (transaction: Kysely<Tables>) => Promise<T>,
): Promise<T> {
  return db.isTransaction ? act(db) : untilUncontended(() => db.transaction().execute(act), options)
}
