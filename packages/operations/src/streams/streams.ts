import { isDeepStrictEqual } from 'node:util'
import { SallyportError } from '@sallyport/errors'
import type { ApiContext, CursorCodec } from '@sallyport/rest'
import { answerEventStream, type EventStreamResult, type ServerSentEvent } from '@sallyport/rest/event-stream'
import type { WebhookOperations } from '@sallyport/webhooks/node'
import { integerOption } from '@sallyport/internal/options'
import { findLimit, type GetOperator } from '../access.ts'

export interface StreamsOptions {
  /** The number of open streams; further streams are answered 503 `OVERLOADED`. @default 50 */
  readonly limit?: number
  /** The number of open streams of one operator, also by API keys, so that others find a place. @default 20 */
  readonly limitPerOperator?: number
  /** A comment is sent after this time without an item, in milliseconds. @default 15,000 */
  readonly heartbeatMs?: number
  /** The access of an operator is checked again after this time, in milliseconds. @default 1000 */
  readonly checkMs?: number
}

/** The streams of an API, of which a limited number is open. */
export interface Streams extends Pick<WebhookOperations, 'onWork'> {
  /**
   * Opens a stream.
   *
   * @throws SallyportError 503 `OVERLOADED` if too many streams are open, of all operators or of this one
   */
  readonly open: <Data>(
    context: ApiContext,
    events: (signal: AbortSignal) => AsyncIterable<ServerSentEvent<Data>>,
  ) => Promise<EventStreamResult<Data>>
}

/** Browsers wait for about three seconds by default. */
const retryMs = 2000

export function createStreams(
  getOperator: GetOperator,
  { onWork, stopping: signal }: Pick<WebhookOperations, 'onWork' | 'stopping'>,
  options: StreamsOptions = {},
): Streams {
  const { limit = 50, limitPerOperator = 20, checkMs = 1000, ...times } = options
  integerOption('limit', limit, 1)
  integerOption('limitPerOperator', limitPerOperator, 1)
  /** The operators of the open streams. */
  const open: string[] = []
  return {
    onWork,
    async open(context, events) {
      const operator = await getOperator(context.caller)
      const { id } = operator
      const isFull = open.length >= limit || open.filter((one) => one === id).length >= limitPerOperator
      // After the timeout of the API, the client has a response.
      if (isFull || signal?.aborted === true || context.signal.aborted) {
        throw new SallyportError('OVERLOADED', 'Too many streams are open; try again', {
          headers: { 'Retry-After': '5' },
        })
      }
      open.push(id)
      const isStillAllowed = async () => {
        if (!(await context.isStillAllowed())) return false
        const current = await getOperator(await context.identify())
        return isDeepStrictEqual(findLimit(current), findLimit(operator))
      }
      const { signal: disconnected } = context
      return answerEventStream(
        { signal: disconnected, isStillAllowed },
        {
          ...times,
          checkMs,
          ...(signal && { signal }),
          async *events(ended) {
            yield { retry: retryMs }
            yield* events(ended)
          },
          onEnd() {
            open.splice(open.indexOf(id), 1)
          },
        },
      )
    },
  }
}

/** Positions in a stream as ids of its events. */
export interface StreamPositions {
  readonly encode: (...position: readonly number[]) => string
  /**
   * Returns the position after which the client continues; undefined for a client that starts.
   *
   * @throws SallyportError 400 `VALIDATION_ERROR` for an id of another stream
   */
  readonly decode: (
    context: Pick<ApiContext, 'header'>,
    after: string | undefined,
  ) => readonly number[] | undefined
}

export function createPositions(cursors: CursorCodec | undefined, stream: string): StreamPositions {
  if (cursors === undefined) throw new TypeError('A stream has cursors: set secrets or cursors of the API')
  return {
    encode: (...position) => cursors.encode({ at: 'after', position }, stream),
    decode({ header }, after) {
      // A browser repeats the query of its first request, and adds the header.
      const last = header('last-event-id')
      const [cursor, name, place] =
        last === undefined || last === ''
          ? ([after, 'after', 'query'] as const)
          : ([last, 'Last-Event-ID', 'header'] as const)
      if (cursor === undefined) return undefined
      const anchor = cursors.decode(cursor, stream)
      if (anchor !== undefined && 'position' in anchor) return anchor.position.map(Number)
      throw new SallyportError('VALIDATION_ERROR', 'The request is not valid', {
        details: [
          {
            code: 'INVALID_CURSOR',
            field: name,
            in: place,
            message: 'Is not the id of an event of this stream',
          },
        ],
      })
    },
  }
}
