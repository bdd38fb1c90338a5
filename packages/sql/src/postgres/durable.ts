import { sql } from 'kysely'

/**
 * A column that makes the commit of its transaction wait for the disk when `synchronous_commit` is `off`. The other values
 * stay unchanged: `local` waits for the disk too, and `remote_apply` waits longer.
 *
 * The setting is part of the statement because a session setting does not reach a connection of a pooler or of the
 * caller's pool, and a separate statement would cost a round trip.
 */
export const waitForDisk = sql`case when current_setting('synchronous_commit') = 'off'
  then set_config('synchronous_commit', 'on', true) end`

/** The settings that decide about warnings, as `current_setting` returns them. */
export interface DurabilitySettings {
  readonly fsync: string
  readonly full_page_writes: string
}

export const durabilitySettings = sql<DurabilitySettings>`
  select current_setting('fsync') as fsync, current_setting('full_page_writes') as full_page_writes`

/** Returns warnings about server settings with which a crash can lose or corrupt acknowledged data. */
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
