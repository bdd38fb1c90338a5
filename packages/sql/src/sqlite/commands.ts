import type Database from 'better-sqlite3'
import type { Appended } from '../bus/bus.ts'
import type { EventJson } from '../internal/event-json.ts'
import { sealBody } from '../encryption/seal.ts'
import { compressSync, type StoredBody } from '../inbox/body.ts'
import { prepareClaim } from './claim.ts'
import { prepareClaimLanes } from './claim-lanes.ts'
import { recordReader, type RecordFields } from './fields.ts'
import { prepareForward } from './publication.ts'
import { prepareRecord, type RecordCommand } from './record.ts'
import { prepareRenew } from './renew.ts'
import { prepareSettle } from './settle.ts'
import { prepareSettleLanes } from './settle-lanes.ts'

/** Prepares the commands of a group commit. Their inputs and results are plain data that is cheap to clone. */
function prepareCommands(connection: Database.Database) {
  return {
    /** Returns the results of the keys of the events, or of the key of the quarantined delivery. */
    record: prepareRecord(connection),
    claim: prepareClaim(connection),
    settle: prepareSettle(connection),
    claimLanes: prepareClaimLanes(connection),
    settleLanes: prepareSettleLanes(connection),
    renew: prepareRenew(connection),
    forward: prepareForward(connection),
    publish: preparePublish(connection),
    enqueue: prepareEnqueue(connection),
    ping: preparePing(connection),
  }
}

type Commands = ReturnType<typeof prepareCommands>
export type CommandName = keyof Commands
export type CommandResult<Name extends CommandName> = ReturnType<Commands[Name]>
/** The input of a command; the body of a delivery is copied into the batch separately. */
export type CommandInput<Name extends CommandName> = Name extends 'record'
  ? Omit<Parameters<Commands['record']>[0], 'body'>
  : Parameters<Commands[Name]>[0]

export type Command = {
  readonly [Name in CommandName]: { readonly name: Name; readonly input: CommandInput<Name> }
}[CommandName]

export interface Batch {
  /** In order; a record is only marked here, its fields are in `records`. */
  readonly commands: readonly (Exclude<Command, { name: 'record' }> | 'record')[]
  readonly records: RecordFields
  /** The concatenated bodies of the records. */
  readonly bodies: ArrayBuffer
}

/**
 * Prepares the statements of all commands once.
 *
 * @returns a function that does the work that needs no lock, and returns the steps of the transaction, which may run twice
 */
export function prepareSteps(connection: Database.Database): (batch: Batch) => (() => unknown)[] {
  const run = prepareCommands(connection)
  return ({ commands, records, bodies }) => {
    const nextRecord = recordReader(records, bodies)
    return commands.map((command) => {
      if (command !== 'record') return () => run[command.name](command.input as never)
      const record = nextRecord()
      const body = toStored(record)
      return () => run.record(record, body)
    })
  }
}

const toStored = (record: RecordCommand): StoredBody =>
  record.objectBytes === null
    ? sealBody(compressSync(record.body), record)
    : { encoding: 'object', bytes: record.body, originalBytes: record.objectBytes }

interface EnqueueCommand {
  readonly events: readonly EventJson[]
}

interface AppendCommand extends EnqueueCommand {
  readonly at: number
}

/** Adds events to the shared queue; an id that is already in the queue is a duplicate. */
function prepareEnqueue(connection: Database.Database): (command: EnqueueCommand) => boolean[] {
  const insert = connection.prepare(
    'insert into queued_events (id, event) values (?, ?) on conflict (id) do nothing',
  )
  return ({ events }) => events.map(({ id, event }) => insert.run(id, event).changes === 1)
}

/** Appends events to the embedded bus, each id once. */
function preparePublish(connection: Database.Database): (command: AppendCommand) => Appended[] {
  const insert = connection.prepare(
    'insert into bus_events (id, event, published_at) values (?, ?, ?) on conflict (id) do nothing',
  )
  // The plus prevents SQLite from planning the join again for each parameter value.
  const insertWithBody = connection.prepare(
    `insert into bus_events (id, event, published_at, data_body)
     select ?, ?, ?, e.data_body from idempotency_keys k join events e on e.sequence = k.event
     where k.scope = 'event' and k.key = +? and e.data_body is not null
     on conflict (id) do nothing`,
  )
  const isKnown = connection.prepare('select 1 from bus_events where id = ?')
  return ({ at, events }) =>
    events.map(({ id, event, hasBody }) => {
      const { changes, lastInsertRowid } = hasBody
        ? insertWithBody.run(id, event, at, id)
        : insert.run(id, event, at)
      if (changes === 1) return Number(lastInsertRowid)
      return hasBody && isKnown.get(id) === undefined ? 'missing' : null
    })
}

/** Checks that the disk can be written: SQLite skips writes that change nothing, and only a write detects a full disk. */
function preparePing(connection: Database.Database): (input: null) => null {
  const write = connection.prepare(
    `insert into sequences (name, value) values ('pings', 1) on conflict (name) do update set value = value + 1`,
  )
  return () => {
    write.run()
    return null
  }
}
