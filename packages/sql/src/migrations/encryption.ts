import type { Kysely } from 'kysely'

/** The keys of the database itself, which the ring wraps. */
export async function createEncryptionKeys({ schema }: Kysely<unknown>): Promise<void> {
  await schema
    .createTable('encryption_keys')
    .addColumn('name', 'text', (column) => column.primaryKey())
    .addColumn('key', 'text', (column) => column.notNull())
    .execute()
}
