import { z } from 'zod'
import { envelopeSchema, request } from '../api.ts'
import type { Connection } from '../connection.ts'
import { deliverySummary, type StreamedDelivery } from '../delivery-stream.ts'
import { TemporaryError, type Io } from '../io.ts'

const page = z.object({
  data: z.array(deliverySummary),
  meta: z.object({ hasMore: z.boolean(), nextCursor: z.string().nullish() }),
})
type Page = z.infer<typeof page>
const detail = envelopeSchema(
  deliverySummary.extend({
    headers: z.record(z.string(), z.string()),
    // Absent from the answers of earlier servers.
    query: z.string().nullish(),
    body_state: z.string(),
    body: z.object({ encoding: z.enum(['utf-8', 'base64']), data: z.string() }).nullable(),
  }),
)

/** A delivery with its headers, its query and its body. */
export interface FetchedDelivery extends StreamedDelivery {
  readonly headers: Readonly<Record<string, string>>
  readonly query?: string | null | undefined
  /** Undefined after pruning or erasure. */
  readonly bytes: Buffer | undefined
}

/** Reads the recorded deliveries that match, oldest first. */
export async function* listDeliveries(
  connection: Connection,
  query: Readonly<Record<string, string>>,
  io: Io,
): AsyncGenerator<StreamedDelivery> {
  let cursor: string | null | undefined = ''
  while (cursor !== undefined && cursor !== null) {
    const parameters: URLSearchParams = new URLSearchParams({
      ...query,
      sort: 'created_at',
      limit: '100',
      cursor,
    })
    const path: string = `/deliveries?${parameters.toString()}`
    const found: Page = await request(connection, { method: 'GET', path }, page, io)
    yield* found.data
    cursor = found.meta.hasMore ? found.meta.nextCursor : undefined
  }
}

/** Reads one delivery with its content. */
export async function fetchDelivery(connection: Connection, id: string, io: Io): Promise<FetchedDelivery> {
  const path = `/deliveries/${encodeURIComponent(id)}`
  const { data } = await request(connection, { method: 'GET', path }, detail, io)
  const { body, ...delivery } = data
  const encoding = body?.encoding === 'base64' ? 'base64' : 'utf8'
  return { ...delivery, bytes: body === null ? undefined : Buffer.from(body.data, encoding) }
}

/** Reads one delivery; waits while the server is not available. */
export async function fetchWhenAvailable(
  connection: Connection,
  id: string,
  signal: AbortSignal,
  io: Io,
): Promise<FetchedDelivery> {
  for (let delay = 500; ; delay = Math.min(delay * 2, 15_000)) {
    try {
      return await fetchDelivery(connection, id, io)
    } catch (error) {
      if (!(error instanceof TemporaryError) || signal.aborted) throw error
      await io.sleep(delay, signal)
    }
  }
}
