import { SallyportError } from '@sallyport/errors'
import type { LaneSummary } from '@sallyport/webhooks'
import { z } from 'zod'
import { endpointNameShape, nameEndpoint, type EndpointNames } from '../endpoints/names.ts'
import { time } from '@sallyport/internal/resource-fields'

export const laneStates = ['stuck', 'paused', 'running', 'waiting'] as const

/** The parameters of `/lanes/{id}`. */
export const laneParams = z.object({
  id: z
    .string()
    .max(2048)
    .meta({
      description: 'The name of the lane in UTF-8 and base64url, without padding.',
      examples: ['YWNtZQ'],
    }),
})

/** The name of a lane can hold `/` and `..`, which paths cannot. */
const toLaneId = (name: string): string => Buffer.from(name).toString('base64url')

/** @throws SallyportError `NOT_FOUND` for an id that encodes no name */
export function toLaneName(id: string): string {
  const name = Buffer.from(id, 'base64url').toString()
  if (name === '' || name.includes('\0') || toLaneId(name) !== id) throw noLane()
  return name
}

/** The error of a lane without an open event that is not paused. */
export const noLane = () => new SallyportError('NOT_FOUND', 'There is no such lane')

const firstEvent = z.object({
  event_id: z.string().meta({ examples: ['codehost:workflow_run.completed:289782451:1'] }),
  name: z.string().meta({ examples: ['codehost/workflow_run.completed'] }),
  delivery_id: z.string().meta({ examples: ['01890a5d-ac96-774b-bcce-b302099a8057'] }),
  attempts: z
    .int()
    .nonnegative()
    .meta({ description: 'The failed attempts.', examples: [3] }),
  since: time.meta({ description: 'When the event was first due.' }),
  due_at: time.meta({ description: 'When the next attempt is due.' }),
  error: z
    .string()
    .nullable()
    .meta({ description: 'The error of the last attempt.', examples: ['TimeoutError'] }),
})

export const laneResource = z
  .object({
    id: z.string().meta({ description: 'Encodes the name.', examples: ['YWNtZQ'] }),
    name: z.string().meta({ examples: ['acme'] }),
    state: z.enum(laneStates).meta({
      description:
        '`paused`; otherwise `stuck` if the last attempt at the first event failed; otherwise `running` or `waiting`.',
    }),
    ordered: z.boolean().meta({ description: 'Whether a failed event delays the later ones.' }),
    events: z
      .int()
      .nonnegative()
      .meta({ description: 'The number of pending events; the count stops at 1,000.', examples: [12] }),
    paused_at: time.nullable().meta({ examples: [null] }),
    lease_ends_at: time
      .nullable()
      .meta({ description: 'Set while a process handles the lane.', examples: [null] }),
    endpoint: z
      .string()
      .nullable()
      .meta({ description: 'The id of the endpoint of the first event.', examples: [null] }),
    ...endpointNameShape,
    first: firstEvent.nullable().meta({ description: 'The first pending event.' }),
  })
  .meta({ id: 'Lane' })

export function toLane(lane: LaneSummary, names: EndpointNames): z.infer<typeof laneResource> {
  const { name, state, isOrdered, events, pausedAt, leaseEndsAt, first } = lane
  return {
    ...{ id: toLaneId(name), name, state, ordered: isOrdered, events },
    paused_at: formatTime(pausedAt),
    lease_ends_at: formatTime(leaseEndsAt),
    endpoint: first?.endpoint ?? null,
    ...nameEndpoint(names, first?.endpoint),
    first: first
      ? {
          ...{ event_id: first.id, name: first.name, delivery_id: first.deliveryId },
          attempts: first.attempts,
          since: new Date(first.since).toISOString(),
          due_at: new Date(first.dueAt).toISOString(),
          error: first.lastError ?? null,
        }
      : null,
  }
}

const formatTime = (time: number | undefined) => (time === undefined ? null : new Date(time).toISOString())
