import { commitLimits, maxBatchBytes, type CommitLimits } from '../internal/commit-limits.ts'
import { inboxUnavailable, overloaded } from '../internal/errors.ts'
import type { Batch, Command, CommandResults, RecordCommand } from './commands.ts'
import type { Outcome } from './commit-batch.ts'
import { SqliteError } from './errors.ts'
import { pushRecord } from './fields.ts'
import { WorkerClient } from './worker-client.ts'
import type { ConnectionOptions } from './worker-messages.ts'

/** A command without its body, which is copied into the batch later. */
export type QueuedCommand = Exclude<Command, RecordCommand> | Omit<RecordCommand, 'body'>

interface Entry {
  readonly command: QueuedCommand
  readonly body: Uint8Array
  readonly bytes: number
  readonly resolve: (value: unknown) => void
  readonly reject: (error: Error) => void
}

/** The maximum number of commands per transaction; each command extends the lock on the file. */
const maxBatchItems = 1000

const nothing = new Uint8Array()
const unbounded: ReadonlySet<Command['kind']> = new Set([
  'settle',
  'forward',
  'fail-queued',
  'end-queued',
  'erase',
  'prune',
  'ping',
])

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
  run<Kind extends Command['kind']>(
    command: Extract<QueuedCommand, { kind: Kind }>,
    { bytes = 0, body = nothing }: { readonly bytes?: number; readonly body?: Uint8Array } = {},
  ): Promise<CommandResults[Kind]> {
    return new Promise((resolve, reject) => {
      if (this.#closed)
        throw inboxUnavailable(new SqliteError({ code: 'CLOSED', message: 'The database is closed' }))
      const size = bytes + body.byteLength
      if (this.#isFull(command, size)) throw overloaded()
      const settle = resolve as (value: unknown) => void
      this.#waiting.push({ command, body, bytes: size, resolve: settle, reject })
      this.#waitingBytes += size
      if (!this.#busy) this.#wake()
    })
  }

  /** Resolves when the current batch of the worker is committed or has failed. */
  get running(): Promise<unknown> {
    return this.#running
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

  #isFull({ kind }: QueuedCommand, size: number): boolean {
    // These commands add no work: they finish claimed work, which leases bound, or are requested one at a time.
    if (unbounded.has(kind) || this.#waiting.length === 0) return false
    return (
      this.#waiting.length >= this.#limits.waiting || this.#waitingBytes + size > this.#limits.waitingBytes
    )
  }

  #wake(): void {
    this.#busy = true
    // Commands of the same turn of the event loop share a transaction.
    setImmediate(() => void this.#commit())
  }

  async #commit(): Promise<void> {
    while (this.#waiting.length > 0) {
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
    if (command.kind !== 'record') return command
    pushRecord(records, command, body.byteLength)
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
