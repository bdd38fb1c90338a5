import { time } from '@sallyport/internal/resource-fields'
import type { DestinationSummary } from '@sallyport/webhooks/destinations'
import { z } from 'zod'

const destinationResource = z
  .object({
    name: z.string().meta({ examples: ['billing'] }),
    state: z.enum(['running', 'paused', 'unavailable']).meta({
      description: '`unavailable`: the circuit breaker of a process is open.',
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
    paused_at: time.nullable().meta({ examples: [null] }),
    pause_reason: z
      .string()
      .nullable()
      .meta({ description: 'Why the destination paused itself.', examples: [null] }),
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
  })
  .meta({ id: 'Destination' })

export const destinationsResource = z
  .object({ destinations: z.array(destinationResource) })
  .meta({ id: 'Destinations' })

export const changedResource = z
  .object({ changed: z.boolean().meta({ description: 'Whether the destination had another state.' }) })
  .meta({ id: 'ChangedDestination' })

/** The parameters of `/destinations/{name}`. */
export const destinationParams = z.object({
  name: z
    .string()
    .max(64)
    .meta({ examples: ['billing'] }),
})

/** A destination in a list. */
export function toDestination(one: DestinationSummary): z.infer<typeof destinationResource> {
  const { name, state, destination, pauseReason, events } = one
  return {
    ...{ name, state, mode: destination?.mode ?? null },
    order: destination ? (destination.order ?? 'none') : null,
    concurrency: destination ? (destination.concurrency ?? defaultConcurrency) : null,
    rate_per_second: destination?.ratePerSecond ?? null,
    paused_at: formatTime(one.pausedAt),
    pause_reason: pauseReason ?? null,
    opened_at: formatTime(one.openedAt),
    probe_at: formatTime(one.probeAt),
    pending: events,
    oldest_at: formatTime(one.oldestAt),
  }
}

const defaultConcurrency = 10

const formatTime = (at: number | undefined) => (at === undefined ? null : new Date(at).toISOString())
