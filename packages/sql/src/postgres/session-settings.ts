import type pg from 'pg'
import { isConnectionLoss } from './errors.ts'

/** TCP keepalive of this side, which detects a server that vanished. */
export const ownKeepAlive = { keepAlive: true, keepAliveInitialDelayMillis: 10_000 } as const

/**
 * Configures each connection of this package's own pool, in one statement:
 *
 * - TCP keepalive of the server: the server ends the session of a lost client within 30 s instead of two hours. Until
 *   then the session keeps its locks.
 * - `synchronous_commit = on` where the server, the database or the role says `off`: an acknowledged write is on the disk.
 *
 * A stricter value stays. A statement is used because poolers reject startup parameters that they do not know. A server
 * that rejects the statement is used without these settings.
 *
 * @returns an `onConnect` hook of a pool; the pool awaits it, although its types do not say so
 */
export function sessionSettings(timeoutMs: number): (client: pg.ClientBase) => unknown {
  return async (client: pg.ClientBase) => {
    try {
      const statement = { text: settings, query_timeout: timeoutMs }
      await client.query(statement)
    } catch (error) {
      if (isConnectionLoss(error)) throw error
    }
  }
}

const settings = `
  select set_config(name, wanted, false)
  from (values ('tcp_keepalives_idle', '10'), ('tcp_keepalives_interval', '5'), ('tcp_keepalives_count', '3'),
    ('tcp_user_timeout', '25000'), ('synchronous_commit', 'on')) as asked (name, wanted)
  where case when name = 'synchronous_commit' then current_setting(name) = 'off'
    when current_setting(name, true) ~ '^[0-9]+$'
    then current_setting(name, true)::bigint not between 1 and wanted::bigint else false end`
