import { resolve } from 'node:path'
import type { DialectLimits } from './dialect.ts'
import type { ConnectionOptions } from './worker-messages.ts'

export interface SqliteDialectOptions {
  /** The database's file. It has to be there. */
  readonly path: string
  /**
   * How long a statement, or the beginning of a transaction, waits for another process to finish writing, in milliseconds;
   * others have the connection meanwhile. @default 5,000
   */
  readonly busyTimeoutMs?: number
  /**
   * How long a caller waits for the connection while whoever has it makes no progress, in milliseconds: each statement that
   * begins or ends, and each change of hands, begins it anew. @default 5,000
   */
  readonly connectTimeoutMs?: number
  /** How many callers may wait for the connection; more are refused at once with `OVERLOADED`. @default 1,000 */
  readonly maxWaiting?: number
  /**
   * How long a transaction may wait for its next statement, in milliseconds: it is rolled back then, and others have the
   * connection. Migrations wait as long as they like. @default 10,000
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
