import { textField, time } from '@sallyport/internal/resource-fields'
import type { DestinationSummary } from '@sallyport/webhooks/destinations'
import { z } from 'zod'

const destinationResource = z
  .object({
    name: z.string().meta({ examples: ['billing'] }),
    state: z.enum(['running', 'paused', 'unavailable', 'removed']).meta({
      description:
        '`unavailable`: the circuit breaker of a process is open, or the stored destination cannot be opened. `removed`: events wait for a destination that is no longer declared; cancel them.',
    }),
    managed: z.boolean().meta({
      description: 'Whether the API changes the destination. Others are declared in a file or in code.',
      examples: [true],
    }),
    mode: z
      .enum(['original', 'event'])
      .nullable()
      .meta({
        description: 'Null for a destination that this process does not have.',
        examples: ['event'],
      }),
    order: z
      .enum(['subject', 'endpoint', 'none'])
      .nullable()
      .meta({ description: 'Events of one lane are sent in order.', examples: ['none'] }),
    concurrency: z
      .int()
      .nullable()
      .meta({ description: 'The requests at the same time.', examples: [10] }),
    rate_per_second: z
      .number()
      .nullable()
      .meta({ description: 'The requests a second of all processes; null without a limit.', examples: [50] }),
    redact: z.array(z.string()).meta({
      description: 'Paths of values that the destination does not receive.',
      examples: [['**.email']],
    }),
    paused_at: time.nullable().meta({ examples: [null] }),
    pause_reason: z
      .string()
      .nullable()
      .meta({
        description: 'Why an operator paused the destination, or why it paused itself.',
        examples: [null],
      }),
    opened_at: time.nullable().meta({ description: 'When the circuit breaker opened.', examples: [null] }),
    probe_at: time.nullable().meta({ description: 'When the next probe is sent.', examples: [null] }),
    pending: z
      .int()
      .nonnegative()
      .meta({
        description: 'The number of pending events; the count stops at 1,000 for each lane.',
        examples: [12],
      }),
    oldest_at: time.nullable().meta({ description: 'When the oldest pending event was first due.' }),
    attempts: z
      .int()
      .nonnegative()
      .meta({ description: 'The requests of the last hour, of all processes.', examples: [120] }),
    error_share: z
      .number()
      .nullable()
      .meta({ description: 'The part of them that failed, from 0 to 1.', examples: [0.025] }),
    filtered: z
      .int()
      .nonnegative()
      .meta({ description: 'The events of the last hour that the filter rejected.', examples: [4] }),
    last_success_at: time.nullable(),
    last_success_status: z
      .int()
      .nullable()
      .meta({ examples: [204] }),
  })
  .meta({ id: 'Destination' })

export const destinationsResource = z
  .object({ destinations: z.array(destinationResource) })
  .meta({ id: 'Destinations' })

export const changedResource = z
  .object({ changed: z.boolean().meta({ description: 'Whether the destination had another state.' }) })
  .meta({ id: 'ChangedDestination' })

export const pauseBody = z
  .strictObject({ reason: textField({ min: 1, max: 200, example: 'Maintenance until 14:00' }).optional() })
  .meta({ id: 'PauseDestination' })

/** The parameters of `/destinations/{name}`. */
export const destinationParams = z.object({
  name: z
    .string()
    .max(64)
    .meta({ examples: ['billing'] }),
})

/** A destination in a list. */
export function toDestination(one: DestinationSummary): z.infer<typeof destinationResource> {
  const { name, state, destination, pauseReason, events, attempts = 0, failed = 0 } = one
  return {
    ...{ name, state, managed: one.isManaged, mode: destination?.mode ?? null },
    order: destination ? (destination.order ?? 'none') : null,
    concurrency: destination ? (destination.concurrency ?? defaultConcurrency) : null,
    rate_per_second: destination?.ratePerSecond ?? null,
    redact: [...(destination?.redact ?? [])],
    paused_at: formatTime(one.pausedAt),
    pause_reason: pauseReason ?? null,
    opened_at: formatTime(one.openedAt),
    probe_at: formatTime(one.probeAt),
    pending: events,
    oldest_at: formatTime(one.oldestAt),
    attempts,
    error_share: attempts === 0 ? null : failed / attempts,
    filtered: one.filtered ?? 0,
    last_success_at: formatTime(one.success?.at),
    last_success_status: one.success?.status ?? null,
  }
}

const defaultConcurrency = 10

const formatTime = (at: number | undefined) => (at === undefined ? null : new Date(at).toISOString())
