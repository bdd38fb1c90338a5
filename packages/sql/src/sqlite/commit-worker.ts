import type Database from 'better-sqlite3'
import { prepareSteps, type Batch } from './commands.ts'
import type { SqliteFailure } from './errors.ts'
import { toFailure, serve } from './worker-server.ts'

/** The outcome of one command. */
export type Outcome = { readonly value: unknown } | { readonly failure: SqliteFailure }

// Errors of the whole database: separate retries would fail too, or wait for the lock once per command.
const unavailable = /^SQLITE_(BUSY|LOCKED|READONLY|IOERR|CANTOPEN|CORRUPT|NOTADB)/

serve((connection, file) => {
  const toSteps = prepareSteps(connection)
  return (batch: Batch) => file.run(() => commitBatch(connection, toSteps(batch)))
})

/** Runs steps in one transaction; when a step throws, runs each step in a separate transaction. */
function commitBatch(connection: Database.Database, steps: readonly (() => unknown)[]): Outcome[] {
  const together = connection.transaction(() => steps.map((step): Outcome => ({ value: step() })))
  try {
    return together.immediate()
  } catch (error) {
    const failure = toFailure(error)
    if (steps.length === 1 || unavailable.test(failure.code)) return steps.map(() => ({ failure }))
    return eachAlone(connection, steps)
  }
}

function eachAlone(connection: Database.Database, steps: readonly (() => unknown)[]): Outcome[] {
  let broken: SqliteFailure | undefined
  return steps.map((step) => {
    if (broken) return { failure: broken }
    try {
      return { value: connection.transaction(step).immediate() }
    } catch (error) {
      const failure = toFailure(error)
      if (unavailable.test(failure.code)) broken = failure
      return { failure }
    }
  })
}
