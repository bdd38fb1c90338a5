import { Worker, type Transferable } from 'node:worker_threads'
import { SqliteError } from './errors.ts'
import type { ConnectionOptions, FromWorker, ToWorker } from './worker-messages.ts'

interface Waiting {
  readonly resolve: (response: unknown) => void
  readonly reject: (error: SqliteError) => void
}

// Limits restarts of a thread that cannot start.
const restartAfterMs = 1000

/**
 * A worker thread that answers requests in order. When the thread dies, its requests reject, and the next request starts
 * a new thread. The thread keeps the process alive only while requests are open.
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
   * @param name the file of the worker, without its extension, in this folder
   * @param onFailure called with every error response of the worker
   */
  constructor(name: string, options: ConnectionOptions, onFailure?: (error: SqliteError) => void) {
    // The source runs unbundled; the build puts every file into one folder.
    const extension = import.meta.url.endsWith('.ts') ? '.ts' : '.js'
    this.#file = new URL(`./${name}${extension}`, import.meta.url)
    this.#options = options
    this.#onFailure = onFailure
  }

  /** Grows whenever a worker dies: the state of its connection is lost. */
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

  /** Waits for the open requests and for the end of the thread. */
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

  /** Terminates the thread at once, like a crash. */
  async kill(): Promise<void> {
    await this.#worker?.terminate()
  }

  #start(): Worker {
    // Node's own options apply to the main file, and some (`--input-type`) break a worker. The workers therefore import no
    // package of this repository, because its source is resolved by such an option.
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
      if (this.#worker === worker) this.#onExit(cause, answered)
    })
    return worker
  }

  #answer(worker: Worker, message: FromWorker): void {
    const waiting = this.#waiting.get(message.id)
    this.#waiting.delete(message.id)
    // `close` waits for the end of the thread, which must then keep the process alive.
    if (this.#waiting.size === 0 && !this.#closed) worker.unref()
    if ('failure' in message) {
      const error = new SqliteError(message.failure)
      this.#onFailure?.(error)
      waiting?.reject(error)
    } else waiting?.resolve(message.response)
  }

  #onExit(cause: unknown, answered: boolean): void {
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
