import {
  createRouteGroup,
  dataEnvelope,
  requireFound,
  type RouteAccess,
  type RouteBinding,
} from '@sallyport/rest'
import { time } from '@sallyport/internal/resource-fields'
import type { DestinationOperations, DestinationSummary } from '@sallyport/webhooks/destinations'
import { z } from 'zod'
import type { RecordAction } from '../audit/record-action.ts'

const route = createRouteGroup({ tags: ['destinations'] })

interface DestinationRoutesOptions {
  readonly destinations: DestinationOperations
  readonly record: RecordAction
  readonly read: RouteAccess
  readonly write: RouteAccess
}

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

const destinationsResource = z
  .object({ destinations: z.array(destinationResource) })
  .meta({ id: 'Destinations' })

const changedResource = z
  .object({ changed: z.boolean().meta({ description: 'Whether the destination had another state.' }) })
  .meta({ id: 'ChangedDestination' })

const params = z.object({
  name: z
    .string()
    .max(64)
    .meta({ examples: ['billing'] }),
})

/** Creates the routes that list, pause and resume destinations. */
export function destinationRoutes({
  destinations,
  record,
  read,
  write,
}: DestinationRoutesOptions): readonly RouteBinding[] {
  const changed = { 200: { description: 'The result', data: changedResource } }
  const change = { access: write, params, responses: changed, errors: ['NOT_FOUND'] as const }

  async function requireDestination(name: string): Promise<void> {
    const found = (await destinations.list()).find((one) => one.name === name)
    requireFound(found, 'There is no such destination')
  }

  return [
    route.get(
      '/destinations',
      {
        operationId: 'listDestinations',
        tool: {},
        summary: 'List destinations',
        access: read,
        responses: { 200: { description: 'The destinations by name', data: destinationsResource } },
      },
      async () => ({
        status: 200,
        body: dataEnvelope({ destinations: (await destinations.list()).map(toResource) }),
      }),
    ),
    route.post(
      '/destinations/{name}/pause',
      {
        ...change,
        operationId: 'pauseDestination',
        tool: {},
        summary: 'Pause a destination',
        description: 'Its events wait until it is resumed. Running attempts end.',
      },
      async ({ params: { name: target } }, context) => {
        await requireDestination(target)
        const isChanged = await destinations.pause(target)
        if (isChanged) await record(context, 'destination.pause', { target })
        return { status: 200, body: dataEnvelope({ changed: isChanged }) }
      },
    ),
    route.post(
      '/destinations/{name}/resume',
      { ...change, operationId: 'resumeDestination', tool: {}, summary: 'Resume a paused destination' },
      async ({ params: { name: target } }, context) => {
        await requireDestination(target)
        const isChanged = await destinations.resume(target)
        if (isChanged) await record(context, 'destination.resume', { target })
        return { status: 200, body: dataEnvelope({ changed: isChanged }) }
      },
    ),
  ]
}

function toResource(one: DestinationSummary): z.infer<typeof destinationResource> {
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
