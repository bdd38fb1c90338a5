import { sql, type Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'
import type { ColumnTypes } from './column-types.ts'

/**
 * Columns and indexes of the filters of deliveries.
 *
 * All indexes are partial. Recording a delivery adds an entry to none of them: entries of published events are added by the
 * publication, and all others by a failure or a quarantine.
 */
export function deliverySearchMigration(types: ColumnTypes): Migration {
  return {
    async up(db: Kysely<unknown>) {
      await db.schema.alterTable('deliveries').addColumn('quarantine_code', 'text').execute()
      await db.schema.alterTable('events').addColumn('last_error', 'text').execute()
      await sql`update deliveries set quarantine_code = ${sql.raw(types.firstPart('quarantine_reason'))}
        where eventless = 'quarantined'`.execute(db)
      await sql`update events set last_error = (select f.error from failures f
          where f.event = events.sequence and f.work = 'publish' order by f.number desc limit 1)
        where status <> 'published'`.execute(db)
      await db.schema
        .createIndex('deliveries_by_reason')
        .on('deliveries')
        .columns(['quarantine_code', 'received_at', 'sequence'])
        .where(sql<boolean>`eventless = 'quarantined'`)
        .execute()
      await db.schema
        .createIndex('events_by_kind')
        .on('events')
        .columns(['provider', 'name', 'received_at', 'delivery'])
        .where(sql<boolean>`published_sequence is not null`)
        .execute()
      await db.schema
        .createIndex('events_dead_by_kind')
        .on('events')
        .columns(['provider', 'status', 'name', 'received_at', 'delivery'])
        .where(sql<boolean>`status = 'dead'`)
        .execute()
      // Index entries have a maximum size.
      await db.schema
        .createIndex('events_by_subject')
        .on('events')
        .column(sql`substr(subject, 1, 200)`)
        .column('received_at')
        .column('delivery')
        .where(sql<boolean>`published_sequence is not null or status = 'dead'`)
        .execute()
      await db.schema
        .createIndex('events_by_attempts')
        .on('events')
        .columns(['status', 'attempts', 'received_at', 'delivery'])
        .where(sql<boolean>`attempts > 0`)
        .execute()
      await db.schema
        .createIndex('events_by_error')
        .on('events')
        .column('status')
        .column(sql`substr(last_error, 1, 200)`)
        .column('received_at')
        .column('delivery')
        .where(sql<boolean>`last_error is not null and status <> 'published'`)
        .execute()
    },
  }
}
