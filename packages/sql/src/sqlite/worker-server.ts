import type Database from 'better-sqlite3'
import { parentPort, workerData } from 'node:worker_threads'
import { openConnection } from './connection.ts'
import { OpenFile } from './open-file.ts'
import type { ConnectionOptions, FromWorker, ToWorker } from './worker-messages.ts'

/**
 * Answers the requests of the parent thread over one connection.
 *
 * The first request opens the connection; after a failure, a later request opens it again, so that a recovered disk
 * needs no restart.
 */
export function serve(
  prepare: (connection: Database.Database, file: OpenFile) => (request: never) => unknown,
): void {
  const port = parentPort
  if (port === null) throw new TypeError('This file runs in a worker thread')
  let connection: Database.Database | undefined
  let handle: ((request: never) => unknown) | undefined

  function answer(request: unknown): unknown {
    if (handle === undefined) {
      const options = workerData as ConnectionOptions
      const file = new OpenFile(options.path, options.file)
      connection ??= openConnection(options)
      handle = prepare(connection, file)
    }
    return handle(request as never)
  }

  port.on('message', (message: ToWorker) => {
    if (message === 'close') {
      connection?.close()
      port.close()
      return
    }
    const { id, request } = message
    let reply: FromWorker
    try {
      reply = { id, response: answer(request) }
    } catch (error) {
      reply = { id, failure: toFailure(error) }
    }
    port.postMessage(reply)
  })
}

export function toFailure(error: unknown): { code: string; message: string } {
  const { code, message } = error as { code?: unknown; message?: unknown }
  return { code: typeof code === 'string' ? code : 'UNKNOWN', message: String(message) }
}
