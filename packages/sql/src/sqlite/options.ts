import { resolve } from 'node:path'
import type { DialectLimits } from './dialect.ts'
import type { ConnectionOptions } from './worker-messages.ts'

export interface SqliteDialectOptions {
  /** The database file, which must exist. */
  readonly path: string
  /**
   * How long a statement or the beginning of a transaction waits for the write lock of another process, in milliseconds;
   * other callers use the connection in between. @default 5,000
   */
  readonly busyTimeoutMs?: number
  /**
   * How long a caller waits for the connection while its user makes no progress, in milliseconds. The time restarts with
   * each statement that begins or ends, and with each change of the user. @default 5,000
   */
  readonly connectTimeoutMs?: number
  /** How many callers may wait for the connection; further callers fail with `OVERLOADED`. @default 1,000 */
  readonly maxWaiting?: number
  /**
   * How long a transaction may wait for its next statement, in milliseconds, before it is rolled back. Migrations have no
   * such limit. @default 10,000
   */
  readonly idleInTransactionTimeoutMs?: number
}

// A longer timer ends at once.
const maxTimer = 2 ** 31 - 1

/** @throws TypeError for a path that names no file, or a time-out out of range */
export function connectionOf({ path, busyTimeoutMs = 5000 }: SqliteDialectOptions): ConnectionOptions {
  if (typeof path !== 'string') throw new TypeError('path must be the path of a file')
  if (path.trim() === '' || path.startsWith(':memory:')) {
    throw new TypeError('A database needs a file: a database in memory cannot be shared by two threads')
  }
  if (/^file:/i.test(path)) throw new TypeError('path must be the path of a file, not its address')
  requireTimer('busyTimeoutMs', busyTimeoutMs, 0)
  return { path: resolve(path), busyTimeoutMs }
}

/** @throws TypeError for a limit out of range */
export function limitsOf({
  connectTimeoutMs = 5000,
  maxWaiting = 1000,
  idleInTransactionTimeoutMs = 10_000,
}: SqliteDialectOptions): DialectLimits {
  const limits = { connectTimeoutMs, maxWaiting, idleInTransactionTimeoutMs }
  for (const [name, value] of Object.entries(limits)) requireTimer(name, value, 1)
  return limits
}

function requireTimer(name: string, value: number, min: number): void {
  if (!(Number.isSafeInteger(value) && value >= min && value <= maxTimer))
    throw new TypeError(`${name} must be an integer from ${min} to ${maxTimer}`)
}
