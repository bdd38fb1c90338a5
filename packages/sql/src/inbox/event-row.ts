import type { WebhookEvent, TraceContext } from '@sallyport/webhooks'
import { unescapeText } from '../internal/text.ts'
import { readJsonText } from './body.ts'

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

/** The size of the data of `events e` as JSON, in SQL. It is read without the data. */
export const dataBytes = `case when e.data_body is null then octet_length(e.data)
  else (select d.body_bytes from deliveries d where d.sequence = e.delivery) end`

/** Reads the data of an event as JSON. @throws Error for unreadable bytes */
export const readData = ({ data, data_body: body }: Pick<EventRow, 'data' | 'data_body'>): string | null =>
  body === null ? data : readJsonText(body)

/** @throws Error for unreadable data; the message may quote the data and must not be logged */
export function toEvent(row: EventRow, data = readData(row)): WebhookEvent {
  const trace = readTrace(row.trace)
  return {
    id: unescapeText(row.id),
    name: unescapeText(row.name),
    subject: unescapeText(row.subject),
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
export function toShownEvent(row: EventRow): WebhookEvent {
  try {
    return toEvent(row)
  } catch {
    return toEvent(row, null)
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
