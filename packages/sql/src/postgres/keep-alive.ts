import type pg from 'pg'
import { isConnectionLoss } from './errors.ts'

/** So that this side hears of a server that is gone. */
export const ownKeepAlive = { keepAlive: true, keepAliveInitialDelayMillis: 10_000 } as const

/**
 * Has the server end a session within half a minute when this side is gone without a word, where it would wait for two
 * hours by its defaults: a session that was cut off in the middle of a statement keeps its locks, as that of the bus.
 *
 * Asked for by a statement, as poolers refuse to begin sessions with settings that they do not know. What is stricter
 * stays as it is, and a server that knows none of it does without.
 *
 * @returns a hook of a pool, which waits for it, although its types say nothing of that
 */
export function askForKeepAlive(timeoutMs: number): (client: pg.ClientBase) => unknown {
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
    ('tcp_user_timeout', '25000')) as asked (name, wanted)
  where case when current_setting(name, true) ~ '^[0-9]+$'
    then current_setting(name, true)::bigint not between 1 and wanted::bigint else false end`
