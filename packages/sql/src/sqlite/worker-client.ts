import { Worker, type Transferable } from 'node:worker_threads'
import { SqliteError } from './errors.ts'
import type { ConnectionOptions, FromWorker, ToWorker } from './worker-messages.ts'

interface Waiting {
  readonly resolve: (response: unknown) => void
  readonly reject: (error: SqliteError) => void
}

// A thread that cannot even start is not started for every request.
const restartAfterMs = 1000

/**
 * A worker thread that answers requests in their order. When it dies, what it was asked rejects, and the next request
 * starts another. It keeps the process alive only while it owes an answer.
 */
export class WorkerClient<Request, Response> {
  readonly #file: URL
  readonly #options: ConnectionOptions
  readonly #onFailure: ((error: SqliteError) => void) | undefined
  readonly #waiting = new Map<number, Waiting>()
  #worker: Worker | undefined
  #requests = 0
  #broken: { readonly error: SqliteError; readonly until: number } | undefined
  #closed = false
  #generation = 0

  /**
   * @param name the worker's file, without its extension, in the folder of this one
   * @param onFailure called with every error that the worker answers
   */
  constructor(name: string, options: ConnectionOptions, onFailure?: (error: SqliteError) => void) {
    // The source runs as it is; the build puts every file into one folder.
    const extension = import.meta.url.endsWith('.ts') ? '.ts' : '.js'
    this.#file = new URL(`./${name}${extension}`, import.meta.url)
    this.#options = options
    this.#onFailure = onFailure
  }

  /** Grows whenever a worker dies: what a connection held before is gone. */
  get generation(): number {
    return this.#generation
  }

  /** Rejects with {@link SqliteError}. */
  request(request: Request, transfer: readonly Transferable[] = []): Promise<Response> {
    return new Promise((resolve, reject) => {
      if (this.#closed) throw new SqliteError({ code: 'CLOSED', message: 'The database is closed' })
      if (this.#broken && performance.now() < this.#broken.until) throw this.#broken.error
      const worker = (this.#worker ??= this.#start())
      const id = ++this.#requests
      const message: ToWorker = { id, request }
      worker.postMessage(message, transfer)
      if (this.#waiting.size === 0) worker.ref()
      this.#waiting.set(id, { resolve: resolve as (response: unknown) => void, reject })
    })
  }

  /** Waits for the answers that are owed, and for the thread to end. */
  async close(): Promise<void> {
    this.#closed = true
    const worker = this.#worker
    if (worker === undefined) return
    worker.ref()
    const exited = new Promise((resolve) => worker.once('exit', resolve))
    const message: ToWorker = 'close'
    worker.postMessage(message)
    await exited
  }

  /** Ends the thread wherever it is, as a crash does. */
  async kill(): Promise<void> {
    await this.#worker?.terminate()
  }

  #start(): Worker {
    // Node's own options are for the main file: some (`--input-type`) end a worker. So the workers' files import no
    // package of this repository, whose source is found by such an option.
    const worker = new Worker(this.#file, {
      name: 'sallyport-sqlite',
      workerData: this.#options,
      execArgv: [],
    })
    let cause: unknown
    let answered = false
    worker.unref()
    worker.on('message', (message: FromWorker) => {
      answered = true
      this.#answer(worker, message)
    })
    worker.on('error', (error) => {
      cause = error
    })
    worker.on('exit', () => {
      if (this.#worker === worker) this.#bury(cause, answered)
    })
    return worker
  }

  #answer(worker: Worker, message: FromWorker): void {
    const waiting = this.#waiting.get(message.id)
    this.#waiting.delete(message.id)
    // Whoever closes it waits for the thread to end.
    if (this.#waiting.size === 0 && !this.#closed) worker.unref()
    if ('failure' in message) {
      const error = new SqliteError(message.failure)
      this.#onFailure?.(error)
      waiting?.reject(error)
    } else waiting?.resolve(message.response)
  }

  #bury(cause: unknown, answered: boolean): void {
    this.#worker = undefined
    this.#generation++
    const lost = [...this.#waiting.values()]
    this.#waiting.clear()
    const error = new SqliteError(
      { code: 'WORKER_DIED', message: 'The thread of the database has ended' },
      { cause },
    )
    if (!answered) this.#broken = { error, until: performance.now() + restartAfterMs }
    for (const { reject } of lost) reject(error)
  }
}
