import { sql, type Kysely } from 'kysely'

/** One change of who holds an event, as the database saw it happen. */
export interface LeaseChange {
  readonly event: number
  readonly before: string | null
  readonly after: string | null
  /** When the new lease ends, in milliseconds since the epoch by the database's clock. */
  readonly ends_at: number | null
}

const columns = sql`event bigint not null, before text, after text, ends_at bigint`
const values = sql`(event, before, after, ends_at) values (new.sequence, old.lease, new.lease, new.lease_ends_at);`

/** Has SQLite write down every change of a lease, in the transaction that makes it. */
export async function logSqliteLeases<Tables>(db: Kysely<Tables>): Promise<void> {
  await sql`create table lease_log (position integer primary key, ${columns})`.execute(db)
  await sql`create trigger lease_log after update of lease on events when old.lease is not new.lease
    begin insert into lease_log ${values} end`.execute(db)
}

/** Logs leases of PostgreSQL. A transaction holds the lock of a changed row until its end, so the log is in order. */
export async function logPostgresLeases<Tables>(db: Kysely<Tables>): Promise<void> {
  await sql`create table lease_log (position bigserial primary key, ${columns})`.execute(db)
  await sql`create function log_lease() returns trigger language plpgsql as $$
    begin insert into lease_log ${values} return null; end $$`.execute(db)
  await sql`create trigger lease_log after update on events for each row
    when (old.lease is distinct from new.lease) execute function log_lease()`.execute(db)
}

export async function readLeaseLog<Tables>(db: Kysely<Tables>): Promise<readonly LeaseChange[]> {
  const { rows } = await sql<LeaseChange>`select * from lease_log order by position`.execute(db)
  return rows
}
