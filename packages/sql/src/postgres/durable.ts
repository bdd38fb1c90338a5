import { sql } from 'kysely'

/**
 * A column that makes the commit of its transaction wait for the disk when `synchronous_commit` is `off`. The other values
 * stay as they are: `local` waits for the disk too, and `remote_apply` waits longer.
 *
 * The setting is part of the statement because a session setting does not reach a connection of a pooler or of a pool
 * that the caller owns, and because a statement for it alone would cost a round trip.
 */
export const durably = sql`case when current_setting('synchronous_commit') = 'off'
  then set_config('synchronous_commit', 'on', true) end`

/** What a warning is derived from, as `current_setting` returns it. */
export interface DurabilitySettings {
  readonly fsync: string
  readonly full_page_writes: string
}

export const durabilitySettings = sql<DurabilitySettings>`
  select current_setting('fsync') as fsync, current_setting('full_page_writes') as full_page_writes`

/** Settings of the server under which a crash of its machine can lose or corrupt acknowledged data. */
export function warnAbout({
  fsync,
  full_page_writes: fullPageWrites,
}: DurabilitySettings): readonly string[] {
  const warnings: string[] = []
  if (fsync === 'off')
    warnings.push(
      'PostgreSQL runs with fsync = off: a crash of its machine loses acknowledged deliveries or corrupts the database. Set fsync = on',
    )
  if (fullPageWrites === 'off')
    warnings.push(
      'PostgreSQL runs with full_page_writes = off: a crash of its machine can corrupt the database. Set full_page_writes = on, unless the file system writes whole pages atomically',
    )
  return warnings
}
