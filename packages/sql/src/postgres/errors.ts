import { isSallyportError, SallyportError } from '@sallyport/errors'

/** A failed or lost connection; the message names the server without the password. */
export class PostgresConnectionError extends Error {
  override readonly name = 'PostgresConnectionError'
  /**
   * The code of PostgreSQL (SQLSTATE, such as `28P01`) or of the system (such as `ECONNREFUSED`); `TIMEOUT` when the server
   * did not answer in time, `POOL_EXHAUSTED` when no connection was free in time, `NO_NOTIFICATIONS` when wake-ups do not
   * arrive, `CONNECTION_LOST` otherwise.
   */
  readonly code: string

  constructor(code: string, message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }
}

// Messages of pg and pg-pool, whose errors have no codes.
const noConnectionFree = 'timeout exceeded when trying to connect'
const noAnswer = /connection timeout|timeout expired|^Query read timeout$/
const lost = /^Connection terminated|^Client (?:has encountered|was closed)|^Query read timeout$/

const reasons: Readonly<Record<string, string>> = {
  TIMEOUT: 'the server does not answer in time',
  POOL_EXHAUSTED: 'all connections are in use; statements are too slow, or maxConnections is too low',
  ECONNREFUSED: 'nothing listens there; is it running, and are host and port right?',
  ENOTFOUND: 'there is no such host',
  '28P01': 'it refuses the user or the password',
  '28000': 'it refuses the user',
  '3D000': 'there is no such database',
  '53300': 'it takes no more connections; lower maxConnections, or raise its max_connections',
  '57P03': 'it is starting up or shutting down',
}

/** Creates the error of a failed connection attempt. */
export function cannotConnect(error: unknown, target: string): PostgresConnectionError {
  const { message } = error as Error
  const code = errorCode(error)
  return new PostgresConnectionError(
    code,
    `Cannot connect to PostgreSQL at ${target}: ${reasons[code] ?? message} (${code})`,
    { cause: error },
  )
}

/** Creates the error of a lost connection, without the original error, which refers to the whole client. */
export function connectionLost(error: unknown, target: string): PostgresConnectionError {
  const code = errorCode(error)
  const { message } = error as Error
  return new PostgresConnectionError(
    code,
    `The connection to PostgreSQL at ${target} was lost: ${message} (${code})`,
  )
}

/** Whether an error means that the connection is lost, so that the outcome of the statement is unknown. */
export function isConnectionLoss(error: unknown): boolean {
  const { code, message } = error as { code?: unknown; message?: unknown }
  // Class 08: connection exceptions; 57P01 to 57P03: the server was shut down, has crashed, or is starting up.
  if (typeof code === 'string') return /^08|^57P0[123]$|^E[A-Z]+$/.test(code)
  return typeof message === 'string' && lost.test(message)
}

/** Converts a connection error for the caller of a statement, who can retry. */
export function unavailable(cause: PostgresConnectionError): SallyportError {
  const headers = { 'Retry-After': '1' }
  return cause.code === 'POOL_EXHAUSTED'
    ? new SallyportError('OVERLOADED', 'The database is busy; try again', { headers, cause })
    : new SallyportError('SERVICE_UNAVAILABLE', 'The database cannot be reached; try again', {
        headers,
        cause,
      })
}

/** Returns the connection error that caused a statement to fail. */
export function findConnectionError(error: unknown): PostgresConnectionError | undefined {
  return isSallyportError(error) && error.cause instanceof PostgresConnectionError ? error.cause : undefined
}

function errorCode(error: unknown): string {
  const { code, message } = error as { code?: unknown; message: string }
  if (typeof code === 'string') return code
  if (message === noConnectionFree) return 'POOL_EXHAUSTED'
  return noAnswer.test(message) ? 'TIMEOUT' : 'CONNECTION_LOST'
}
