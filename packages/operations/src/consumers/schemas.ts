import { requireFound } from '@sallyport/rest'
import type {
  ConsumerDeadLetter,
  ConsumerRetry,
  ConsumerState,
  ConsumerStore,
} from '@sallyport/webhooks/consumer'
import { z } from 'zod'
import { time } from '@sallyport/internal/resource-fields'
import { endpointNameShape, nameEndpoint, type EndpointNames } from '../endpoints/names.ts'

const count = z
  .int()
  .nonnegative()
  .meta({ examples: [0] })

/** The parameters of `/consumers/{name}/…`. */
export const consumerParams = z.object({
  name: z
    .string()
    .regex(/^[\w-]{1,100}$/)
    .meta({ examples: ['builds'] }),
})

/** The parameters of `/consumers/{name}/dead-letters/{sequence}`. */
export const deadLetterParams = consumerParams.extend({
  sequence: z.string().meta({ description: 'The position of the event on the bus.', examples: ['12'] }),
})

/** Reads the sequence of a path. Another text is the sequence of no dead letter. */
export const toSequence = (text: string): number => (/^[1-9]\d{0,14}$/.test(text) ? Number(text) : 0)

/**
 * Fails if there is no consumer with a name. The counts of the list are expensive: call it only when nothing was found.
 *
 * @throws SallyportError `NOT_FOUND`
 */
export async function requireConsumer(consumers: Pick<ConsumerStore, 'list'>, name: string): Promise<void> {
  const states = await consumers.list()
  requireFound(
    states.find((one) => one.name === name),
    'There is no consumer with this name',
  )
}

export const consumerResource = z
  .object({
    name: z.string().meta({ examples: ['builds'] }),
    process: z
      .string()
      .nullable()
      .meta({ description: 'The host and the process that run the consumer.', examples: ['worker-1:4711'] }),
    position: count.meta({ description: 'The events up to this sequence are settled or wait.' }),
    pending: count.meta({ description: 'The events that are neither handled nor dead letters.' }),
    waiting: count.meta({
      description: 'The pending events that wait for a retry, or for such an event of their subject.',
    }),
    failing: count.meta({ description: 'The events whose last attempt failed: at most one per subject.' }),
    dead_letters: count,
    last_error: z
      .string()
      .nullable()
      .meta({ description: 'The last error of the oldest failing event.', examples: ['TimeoutError'] }),
    oldest_pending_at: time
      .nullable()
      .meta({ description: 'When the oldest pending event was published.', examples: [null] }),
  })
  .meta({ id: 'Consumer' })

export type ConsumerResource = z.infer<typeof consumerResource>

const item = {
  sequence: z.int().meta({ description: 'The position of the event on the bus.', examples: [12] }),
  event_id: z.string().meta({ examples: ['codehost:workflow_run.completed:289782451:1'] }),
  name: z
    .string()
    .nullable()
    .meta({ description: 'Null for a message that is not an event.', examples: ['codehost/push'] }),
  subject: z
    .string()
    .nullable()
    .meta({ examples: ['octo-org/octo-repo'] }),
  provider: z
    .string()
    .nullable()
    .meta({ examples: ['codehost'] }),
  endpoint: z
    .string()
    .nullable()
    .meta({ examples: [null] }),
  ...endpointNameShape,
  delivery_id: z
    .string()
    .nullable()
    .meta({ examples: ['01890a5d-ac96-774b-bcce-b302099a8057'] }),
  error: z.string().meta({ examples: ['TimeoutError'] }),
}

export const deadLetterResource = z
  .object({
    ...item,
    retried: z.boolean().meta({ description: 'Whether the consumer handles the event again.' }),
    dead_at: time,
  })
  .meta({ id: 'ConsumerDeadLetter' })

export type DeadLetterResource = z.infer<typeof deadLetterResource>

export const retryResource = z
  .object({
    ...item,
    attempts: z.int().meta({ description: 'The failed attempts.', examples: [3] }),
    due_at: time.meta({ description: 'When the next attempt is due.' }),
  })
  .meta({ id: 'ConsumerRetry' })

export type RetryResource = z.infer<typeof retryResource>

export const retriedResource = z
  .object({ events: count, more: z.boolean().meta({ description: 'Whether to send the request again.' }) })
  .meta({ id: 'RetriedDeadLetters' })

export const toConsumer = (state: ConsumerState): ConsumerResource => ({
  name: state.name,
  process: state.process ?? null,
  position: state.position,
  pending: state.pending,
  waiting: state.waiting,
  failing: state.failing,
  dead_letters: state.deadLetters,
  last_error: state.lastError ?? null,
  oldest_pending_at: state.oldestPendingAt === undefined ? null : formatTime(state.oldestPendingAt),
})

export const toDeadLetter = (letter: ConsumerDeadLetter, names: EndpointNames): DeadLetterResource => ({
  ...toItem(letter, names),
  retried: letter.isRetried,
  dead_at: formatTime(letter.deadAt),
})

export const toRetry = (retry: ConsumerRetry, names: EndpointNames): RetryResource => ({
  ...toItem(retry, names),
  attempts: retry.failures,
  due_at: formatTime(retry.dueAt),
})

const toItem = (
  { sequence, eventId, event, error }: ConsumerDeadLetter | ConsumerRetry,
  names: EndpointNames,
) => ({
  sequence,
  event_id: eventId,
  name: event?.name ?? null,
  subject: event?.subject ?? null,
  provider: event?.source.provider ?? null,
  endpoint: event?.source.endpoint ?? null,
  ...nameEndpoint(names, event?.source.endpoint),
  delivery_id: event?.source.deliveryId || null,
  error,
})

const formatTime = (milliseconds: number) => new Date(milliseconds).toISOString()
