import { commitLimits, maxBatchBytes, type CommitLimits } from '../internal/commit-limits.ts'
import { inboxUnavailable, overloaded } from '../internal/errors.ts'
import type { Batch, Command, CommandInput, CommandName, CommandResult } from './commands.ts'
import type { Outcome } from './commit-worker.ts'
import { SqliteError } from './errors.ts'
import { pushRecord } from './fields.ts'
import { WorkerClient } from './worker-client.ts'
import type { ConnectionOptions } from './worker-messages.ts'

interface Entry {
  readonly command: Command
  readonly body: Uint8Array
  readonly bytes: number
  readonly resolve: (value: unknown) => void
  readonly reject: (error: Error) => void
}

/** The maximum number of commands per transaction; each command extends the lock on the file. */
const maxBatchItems = 1000

const nothing = new Uint8Array()

interface RunOptions {
  /** The approximate memory of the input. */
  readonly bytes?: number
  /** The body of a record. */
  readonly body?: Uint8Array
  /** For commands that add no work: they finish claimed work, which leases bound, or are requested one at a time. */
  readonly isUnlimited?: boolean
}

/**
 * Group commit: commands that arrive during a transaction of the worker form the next transaction. This thread never
 * waits for the disk.
 */
export class CommitQueue {
  readonly #worker: WorkerClient<Batch, Outcome[]>
  readonly #limits: Required<CommitLimits>
  #waiting: Entry[] = []
  #waitingBytes = 0
  #busy = false
  #running: Promise<unknown> = Promise.resolve()
  #beginning: Promise<unknown> = Promise.resolve()
  #closed = false
  #drained: (() => void) | undefined

  /** @throws TypeError for an invalid limit */
  constructor(connection: ConnectionOptions, limits: CommitLimits, onFailure?: (error: SqliteError) => void) {
    this.#limits = commitLimits(limits)
    this.#worker = new WorkerClient('commit-worker', connection, onFailure)
  }

  /**
   * Resolves when the command is committed and on the disk.
   *
   * Rejects with `OVERLOADED` when too many commands wait, and with `INBOX_UNAVAILABLE` when the commit fails.
   */
  run<Name extends CommandName>(
    name: Name,
    input: CommandInput<Name>,
    { bytes = 0, body = nothing, isUnlimited = false }: RunOptions = {},
  ): Promise<CommandResult<Name>> {
    return new Promise((resolve, reject) => {
      if (this.#closed)
        throw inboxUnavailable(new SqliteError({ code: 'CLOSED', message: 'The database is closed' }))
      const size = bytes + body.byteLength
      if (!isUnlimited && this.#isFull(size)) throw overloaded()
      const command = { name, input } as unknown as Command
      const settle = resolve as (value: unknown) => void
      this.#waiting.push({ command, body, bytes: size, resolve: settle, reject })
      this.#waitingBytes += size
      if (!this.#busy) this.#wake()
    })
  }

  /**
   * Runs the beginning of a transaction of this process after the current batch and before the next batch. Without this
   * order, consecutive batches would leave gaps that are too short for a connection that polls for the lock, and
   * consecutive transactions would do the same to the batches.
   */
  betweenBatches<T>(begin: () => Promise<T>): Promise<T> {
    const beginning = this.#running.then(begin)
    this.#beginning = beginning.catch(() => undefined)
    return beginning
  }

  /** Commits the waiting commands, then ends the worker. */
  async close(): Promise<void> {
    this.#closed = true
    if (this.#busy) await new Promise<void>((resolve) => (this.#drained = resolve))
    await this.#worker.close()
  }

  /** Simulates a crash of the thread in tests. */
  kill(): Promise<void> {
    return this.#worker.kill()
  }

  #isFull(size: number): boolean {
    if (this.#waiting.length === 0) return false
    const { waiting, waitingBytes } = this.#limits
    return this.#waiting.length >= waiting || this.#waitingBytes + size > waitingBytes
  }

  #wake(): void {
    this.#busy = true
    // Commands of the same turn of the event loop share a transaction.
    setImmediate(() => void this.#commit())
  }

  async #commit(): Promise<void> {
    while (this.#waiting.length > 0) {
      await this.#beginning
      const entries = this.#takeBatch()
      try {
        const batch = toBatch(entries)
        const committing = this.#worker.request(batch, [batch.bodies])
        this.#running = committing.catch(() => undefined)
        deliver(entries, await committing)
      } catch (error) {
        for (const { reject } of entries) reject(inboxUnavailable(error))
      }
    }
    this.#busy = false
    this.#drained?.()
  }

  #takeBatch(): Entry[] {
    let count = 0
    let bytes = 0
    for (const entry of this.#waiting) {
      if (count === maxBatchItems || (count > 0 && bytes + entry.bytes > maxBatchBytes)) break
      count++
      bytes += entry.bytes
    }
    this.#waitingBytes -= bytes
    if (count < this.#waiting.length) return this.#waiting.splice(0, count)
    const all = this.#waiting
    this.#waiting = []
    return all
  }
}

function toBatch(entries: readonly Entry[]): Batch {
  let length = 0
  for (const { body } of entries) length += body.byteLength
  // A separate buffer, not one of the pool, can be transferred instead of copied.
  const bodies = new Uint8Array(Buffer.allocUnsafeSlow(length).buffer)
  let offset = 0
  const records: Parameters<typeof pushRecord>[0] = []
  const commands = entries.map(({ command, body }): Batch['commands'][number] => {
    if (command.name !== 'record') return command
    pushRecord(records, command.input, body.byteLength)
    bodies.set(body, offset)
    offset += body.byteLength
    return 'record'
  })
  return { commands, records, bodies: bodies.buffer }
}

function deliver(entries: readonly Entry[], outcomes: readonly Outcome[]): void {
  for (const [index, { resolve, reject }] of entries.entries()) {
    const outcome = outcomes[index]
    if (outcome !== undefined && 'value' in outcome) resolve(outcome.value)
    else reject(inboxUnavailable(outcome && new SqliteError(outcome.failure)))
  }
}
