import type { WebhookEvent, TraceContext } from '@sallyport/webhooks'
import { unescapeText } from '../internal/text.ts'
import { readJson } from '../encryption/read-json.ts'
import type { Vault } from '../encryption/vault.ts'
import { dataContext } from './stored.ts'

/** The columns of an event, for both engines. */
export interface EventRow {
  readonly id: string
  readonly name: string
  readonly subject: string
  readonly ts: number
  readonly data: string | null
  readonly data_body: Uint8Array | null
  readonly manual: number
  readonly trace: string | null
  readonly replay_of: string | null
  readonly delivery: string
  readonly provider: string
  readonly endpoint: string | null
  readonly received_at: number
}

/** Reads the data of an event as JSON. @throws Error for unreadable bytes, and the errors of a vault */
export function readData(
  { id, replay_of, delivery, data, data_body: body }: EventRow,
  vault: Vault,
): string | null {
  if (body !== null) return readJson(body, delivery, vault)
  return data === null ? null : vault.open(data, dataContext(replay_of ?? id))
}

/**
 * @param data the JSON
 * @throws Error for unreadable data, whose message may quote it and must not be logged; and the errors of a vault
 */
export function toEvent(
  row: EventRow,
  data: string | null,
  { subjects }: Pick<Vault, 'subjects'>,
): WebhookEvent {
  const trace = readTrace(row.trace)
  return {
    id: unescapeText(row.id),
    name: unescapeText(row.name),
    subject: unescapeText(subjects.open(row.subject)),
    ts: row.ts,
    data: data === null ? undefined : (JSON.parse(data) as unknown),
    source: {
      provider: unescapeText(row.provider),
      ...(row.endpoint !== null && { endpoint: unescapeText(row.endpoint) }),
      deliveryId: unescapeText(row.delivery),
      receivedAt: row.received_at,
      ...(row.manual === 1 && { manual: true }),
      ...(row.replay_of !== null && { replayOf: unescapeText(row.replay_of) }),
    },
    ...(trace && { trace }),
  }
}

/** Converts a row for display; unreadable data is left out. */
export function toShownEvent(row: EventRow, vault: Vault): WebhookEvent {
  const subject = showSubject(row.subject, vault)
  try {
    return { ...toEvent({ ...row, subject: '' }, readData(row, vault), vault), subject }
  } catch {
    return { ...toEvent({ ...row, subject: '' }, null, vault), subject }
  }
}

/** Returns a subject for display; an unreadable one is empty. */
export function showSubject(stored: string, { subjects }: Pick<Vault, 'subjects'>): string {
  try {
    return unescapeText(subjects.open(stored))
  } catch {
    return ''
  }
}

/** Parses the trace context; an unreadable trace is left out. */
function readTrace(json: string | null): TraceContext | undefined {
  if (json === null) return undefined
  try {
    const trace = JSON.parse(json) as Partial<TraceContext> | null
    return typeof trace?.traceparent === 'string' ? (trace as TraceContext) : undefined
  } catch {
    return undefined
  }
}
