import type Database from 'better-sqlite3'
import { prepareClaim } from './run-claim.ts'
import type { Batch, Command, RecordCommand } from './commands.ts'
import { recordReader } from './fields.ts'
import { prepareBus } from './run-publish.ts'
import { prepareRecord } from './run-record.ts'
import { prepareErase } from './run-erase.ts'
import { prepareFailQueued } from './run-fail-queued.ts'
import { prepareForward } from './publication.ts'
import { prepareMakeDue } from './run-make-due.ts'
import { preparePrune } from './run-prune.ts'
import { prepareEndQueued, prepareEnqueue, prepareReceive } from './run-queue.ts'
import { prepareReplay } from './run-replay.ts'
import { prepareResolve } from './run-resolve.ts'
import { prepareSettle } from './run-settle.ts'
import { compressSync } from '../inbox/body.ts'

/** Prepares the statements of every command once. */
export function prepareCommands(connection: Database.Database): {
  /** Does the work that needs no lock, and returns the step for the transaction, which may run twice. */
  readonly stage: (batch: Batch) => (command: Batch['commands'][number]) => () => unknown
} {
  const record = prepareRecord(connection)
  const claim = prepareClaim(connection)
  const settle = prepareSettle(connection)
  const publish = prepareBus(connection)
  const enqueue = prepareEnqueue(connection)
  const receive = prepareReceive(connection)
  const endQueued = prepareEndQueued(connection)
  const forward = prepareForward(connection)
  const failQueued = prepareFailQueued(connection)
  const resolve = prepareResolve(connection)
  const replay = prepareReplay(connection)
  const makeDue = prepareMakeDue(connection)
  const erase = prepareErase(connection)
  const prune = preparePrune(connection)
  // Only a write detects a full disk, and SQLite skips writes that change nothing.
  const proof = connection.prepare(
    `insert into sequences (name, value) values ('pings', 1) on conflict (name) do update set value = value + 1`,
  )

  function prove(): null {
    proof.run()
    return null
  }

  function stageRecord(command: RecordCommand): () => unknown {
    const body = compressSync(command.body)
    return () => record(command, body)
  }

  function stageOther(command: Exclude<Command, RecordCommand>): () => unknown {
    switch (command.kind) {
      case 'claim':
        return () => claim(command)
      case 'settle':
        return () => settle(command)
      case 'publish':
        return () => publish(command)
      case 'enqueue':
        return () => enqueue(command)
      case 'receive':
        return () => receive(command)
      case 'end-queued':
        return () => endQueued(command)
      case 'forward':
        return () => forward(command)
      case 'fail-queued':
        return () => failQueued(command)
      case 'resolve':
        return () => resolve(command)
      case 'replay':
        return () => replay(command)
      case 'make-due':
        return () => makeDue(command)
      case 'erase':
        return () => erase(command)
      case 'prune':
        return () => prune(command)
      case 'ping':
        return prove
    }
  }

  return {
    stage({ records, bodies }) {
      const nextRecord = recordReader(records, bodies)
      return (command) => (command === 'record' ? stageRecord(nextRecord()) : stageOther(command))
    },
  }
}
