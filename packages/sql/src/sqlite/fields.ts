import type { Lane, Route, Settlement } from '@sallyport/webhooks'
import { readAwaitedTargets, toAwaitedTargets } from '../inbox/awaited-targets.ts'
import { readResponseJson, toResponseJson } from '../inbox/attempt-response.ts'
import type { StoredEvent } from '../inbox/stored.ts'
import type { RecordCommand } from './record.ts'
import { createSecretKey } from 'node:crypto'

type Field = string | number | bigint | boolean | null

/** Records as one flat list of values: cloning many small objects takes several times as long. */
export type RecordFields = readonly Field[]

/** Appends a record with the length of its body. */
export function pushRecord(fields: Field[], command: Omit<RecordCommand, 'body'>, bodyBytes: number): void {
  const { at, id, provider, endpoint, receivedAt, headers, query, values, quarantine, lease, events, key } =
    command
  const { objectBytes } = command
  fields.push(at, id, provider, endpoint, receivedAt, headers, query, bodyBytes, objectBytes)
  fields.push(quarantine?.key ?? null, quarantine?.reason ?? null)
  fields.push(lease?.token ?? null, lease?.endsAt ?? null)
  fields.push(key ? toText(key.head) : null, key ? toText(key.key.export()) : null)
  fields.push(values.length, ...values)
  fields.push(events.length)
  for (const { id, name, subject, ts, data, dataIsBody, manual, trace, route, notify, lane } of events) {
    fields.push(id, name, subject, ts, data, dataIsBody, manual, trace, route, notify)
    fields.push(lane?.name ?? null, lane?.isOrdered ?? null)
  }
}

/** Creates a function that reads the records in order; their bodies come from the concatenated bodies. */
export function recordReader(fields: RecordFields, bodies: ArrayBuffer): () => RecordCommand {
  let index = 0
  let offset = 0
  const text = () => fields[index++] as string
  const textOrNull = () => fields[index++] as string | null
  const number = () => fields[index++] as number
  const numberOrNull = () => fields[index++] as number | null
  const flag = () => fields[index++] as boolean

  function nextBody(): Uint8Array {
    const body = new Uint8Array(bodies, offset, number())
    offset += body.byteLength
    return body
  }

  function nextLane(): Lane | null {
    const [name, isOrdered] = [textOrNull(), flag()]
    return name === null ? null : { name, isOrdered }
  }

  function nextEvent(): StoredEvent {
    return {
      id: text(),
      name: text(),
      subject: text(),
      ts: number(),
      data: textOrNull(),
      dataIsBody: flag(),
      manual: flag(),
      trace: textOrNull(),
      route: text() as Route,
      notify: flag(),
      lane: nextLane(),
    }
  }

  return () => {
    const described = {
      at: number(),
      id: text(),
      provider: text(),
      endpoint: textOrNull(),
      receivedAt: number(),
      headers: text(),
      query: textOrNull(),
    }
    const [body, objectBytes] = [nextBody(), numberOrNull()]
    const [key, reason] = [textOrNull(), textOrNull()]
    const [token, endsAt] = [textOrNull(), numberOrNull()]
    const [head, dataKey] = [textOrNull(), textOrNull()]
    const values = Array.from({ length: number() }, () => fields[index++] as bigint)
    const count = number()
    const events: StoredEvent[] = []
    while (events.length < count) events.push(nextEvent())
    return {
      ...described,
      body,
      objectBytes,
      values,
      quarantine: key === null || reason === null ? undefined : { key, reason },
      key:
        head === null || dataKey === null
          ? undefined
          : { head: toBytes(head), key: createSecretKey(dataKey, 'base64') },
      lease: token === null || endsAt === null ? undefined : { token, endsAt },
      events,
    }
  }
}

const toText = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64')
const toBytes = (text: string) => Buffer.from(text, 'base64')

type Outcome = Settlement['outcome']

/** Settlements as one flat list, seven values each: cloning many small objects takes several times as long. */
export type SettlementFields = readonly (string | number)[]

export function toSettlementFields(settlements: readonly Settlement[]): SettlementFields {
  const fields: (string | number)[] = []
  for (const { id, lease, outcome } of settlements) {
    fields.push(id, lease, outcome.status, outcomeNumber(outcome), 'error' in outcome ? outcome.error : '')
    fields.push((outcome.status === 'retry' && toAwaitedTargets(outcome.targets)) || '')
    fields.push(toResponseJson(outcome) ?? '')
  }
  return fields
}

export function readSettlements(fields: SettlementFields): Settlement[] {
  const settlements: Settlement[] = []
  for (let index = 0; index < fields.length; index += 7) {
    const [id, lease, status, number, error, targets, json] = fields.slice(index, index + 7) as Fields
    const outcome = readOutcome(status, number, error, targets)
    const { response } = readResponseJson(json || null)
    settlements.push({
      id,
      lease,
      outcome: response && 'error' in outcome ? { ...outcome, response } : outcome,
    })
  }
  return settlements
}

type Fields = [
  id: string,
  lease: string,
  status: Outcome['status'],
  number: number,
  error: string,
  targets: string,
  response: string,
]

/** The number of an outcome: its delay, or 1 for a duplicate. */
function outcomeNumber(outcome: Outcome): number {
  if (outcome.status === 'done') return outcome.duplicate === true ? 1 : 0
  if (outcome.status === 'retry') return outcome.afterMs
  if (outcome.status === 'released') return outcome.afterMs ?? 0
  return outcome.status === 'queued' ? outcome.redeliverAfterMs : 0
}

function readOutcome(status: Outcome['status'], number: number, error: string, targets: string): Outcome {
  switch (status) {
    case 'retry':
      return { status, afterMs: number, error, ...(targets && { targets: readAwaitedTargets(targets) }) }
    case 'queued':
      return { status, redeliverAfterMs: number }
    case 'dead':
      return { status, error }
    case 'done':
      return { status, duplicate: number === 1 }
    case 'released':
      return { status, afterMs: number }
  }
}
