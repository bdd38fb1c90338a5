import type { ManagedDestinationStore, SealedDestination } from '@sallyport/webhooks/destinations'
import type { Kysely } from 'kysely'
import { inTransaction } from '../internal/in-transaction.ts'
import type { DestinationTables } from './tables.ts'

/** Stores the destinations that operators create. */
export function kyselyManagedStore(db: Kysely<DestinationTables>): ManagedDestinationStore {
  return {
    async list() {
      const rows = await db
        .selectFrom('managed_destinations')
        .select(['name', 'sealed', 'version', 'created_at', 'updated_at'])
        .execute()
      const destinations = rows.map(({ name, sealed, version, created_at, updated_at }) => ({
        ...{ name, sealed, version: Number(version) },
        ...{ createdAt: Number(created_at), updatedAt: Number(updated_at) },
      }))
      // The order of texts depends on the database.
      return destinations.sort((one, other) => (one.name < other.name ? -1 : 1))
    },

    async stamp() {
      const rows = await db
        .selectFrom('managed_destinations')
        .select(['name', 'version', 'created_at'])
        .orderBy('name')
        .execute()
      return rows.map((row) => `${row.name} ${row.version} ${row.created_at}`).join('\n')
    },

    insert: (destination, save) =>
      inTransaction(db, async (one) => {
        const { numInsertedOrUpdatedRows } = await one
          .insertInto('managed_destinations')
          .values(toRow(destination))
          .onConflict((conflict) => conflict.column('name').doNothing())
          .executeTakeFirst()
        if (numInsertedOrUpdatedRows !== 1n) return false
        await save?.(one)
        return true
      }),

    replace: (destination, version, save) =>
      inTransaction(db, async (one) => {
        const { numUpdatedRows } = await one
          .updateTable('managed_destinations')
          .set(toRow(destination))
          .where('name', '=', destination.name)
          .where('version', '=', version)
          .executeTakeFirst()
        if (numUpdatedRows !== 1n) return false
        await save?.(one)
        return true
      }),

    async delete(name, version) {
      const { numDeletedRows } = await db
        .deleteFrom('managed_destinations')
        .where('name', '=', name)
        .where('version', '=', version)
        .executeTakeFirst()
      return numDeletedRows === 1n
    },
  }
}

const toRow = ({ name, sealed, version, createdAt, updatedAt }: SealedDestination) => ({
  ...{ name, sealed, version, created_at: createdAt, updated_at: updatedAt },
})
