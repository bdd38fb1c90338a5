import { SallyportError } from '@sallyport/errors'
import { createRouteGroup, dataEnvelope, type RouteAccess, type RouteBinding } from '@sallyport/rest'
import type { LaneChange, OperatorInbox } from '@sallyport/webhooks'
import { z } from 'zod'
import type { RecordAction } from '../audit/record-action.ts'
import { whileBusy } from '../deliveries/while-busy.ts'
import { textField } from '@sallyport/internal/resource-fields'
import { laneParams, toLaneName } from './schemas.ts'

const route = createRouteGroup({ tags: ['lanes'] })

type ChangeInbox = Required<
  Pick<OperatorInbox, 'pauseLane' | 'resumeLane' | 'skipLaneHead' | 'retryLaneHead' | 'cancelLane'>
>

export interface LaneChangesOptions {
  readonly inbox: ChangeInbox
  readonly record: RecordAction
  readonly access: RouteAccess
}

const changedResource = z
  .object({ changed: z.boolean().meta({ description: 'Whether the lane had another state.' }) })
  .meta({ id: 'ChangedLane' })

const eventsResource = z
  .object({
    events: z
      .int()
      .nonnegative()
      .meta({ description: 'The number of changed events.', examples: [1] }),
    more: z
      .boolean()
      .meta({ description: 'Whether pending events are left: send the request again.', examples: [false] }),
  })
  .meta({ id: 'ChangedLaneEvents' })

const skipBody = z
  .strictObject({
    event_id: textField({
      min: 1,
      max: 1000,
      example: 'codehost:workflow_run.completed:289782451:1',
    }).meta({
      description: 'The first event of the lane. If another one is the first by now, nothing is skipped.',
    }),
  })
  .meta({ id: 'SkipLaneHead' })

const busyHint =
  'An attempt runs: send the request again in a second. Once the attempt ends, the lane waits for it'
const noEvent = 'The lane has no pending event, or another first one'

/** The limits of one cancellation. */
const budget = { portion: 1000, ms: 5000 }

/** Creates the routes that pause, resume and repair a lane. */
export function laneChanges({ inbox, record, access }: LaneChangesOptions): readonly RouteBinding[] {
  const change = { access, params: laneParams }
  const changed = { 200: { description: 'The result', data: changedResource } }
  const repair = { ...change, errors: ['NOT_FOUND', 'CONFLICT'] as const }
  const repaired = { 200: { description: 'The number of changed events', data: eventsResource } }
  return [
    route.post(
      '/lanes/{id}/pause',
      {
        ...change,
        operationId: 'pauseLane',
        tool: {},
        summary: 'Pause a lane',
        description:
          'Its events wait until it is resumed. A running attempt ends. A lane without events can be paused.',
        responses: changed,
        errors: ['NOT_FOUND'],
      },
      async ({ params }, context) => {
        const target = toLaneName(params.id)
        const isChanged = await inbox.pauseLane(target)
        if (isChanged) await record(context, 'lane.pause', { target })
        return { status: 200, body: dataEnvelope({ changed: isChanged }) }
      },
    ),
    route.post(
      '/lanes/{id}/resume',
      {
        ...change,
        operationId: 'resumeLane',
        tool: {},
        summary: 'Resume a paused lane',
        responses: changed,
        errors: ['NOT_FOUND'],
      },
      async ({ params }, context) => {
        const target = toLaneName(params.id)
        const isChanged = await inbox.resumeLane(target)
        if (isChanged) await record(context, 'lane.resume', { target })
        return { status: 200, body: dataEnvelope({ changed: isChanged }) }
      },
    ),
    route.post(
      '/lanes/{id}/skip',
      {
        ...repair,
        operationId: 'skipLaneHead',
        summary: 'Skip the first event of a lane',
        description:
          'The event becomes a dead letter with the error `Skipped by an operator`, and can be replayed.',
        body: skipBody,
        responses: repaired,
      },
      async ({ params, body: { event_id: event } }, context) => {
        const target = toLaneName(params.id)
        const events = requireChange(await inbox.skipLaneHead(target, event))
        await record(context, 'lane.skip', { target, detail: { event } })
        return { status: 200, body: dataEnvelope({ events, more: false }) }
      },
    ),
    route.post(
      '/lanes/{id}/retry',
      {
        ...repair,
        operationId: 'retryLaneHead',
        tool: {},
        summary: 'Make the first event of a lane due',
        description: 'The next attempt at the event starts now, unless the lane is paused.',
        responses: repaired,
      },
      async ({ params }, context) => {
        const target = toLaneName(params.id)
        const events = requireChange(await inbox.retryLaneHead(target))
        await record(context, 'lane.retry', { target })
        return { status: 200, body: dataEnvelope({ events, more: false }) }
      },
    ),
    route.post(
      '/lanes/{id}/cancel',
      {
        ...repair,
        operationId: 'cancelLane',
        summary: 'Cancel the pending events of a lane',
        description:
          'They become dead letters with the error `Cancelled by an operator`, and can be replayed. A paused lane stays paused.',
        responses: repaired,
      },
      async ({ params }, context) => {
        const target = toLaneName(params.id)
        const result = await cancelAll(inbox, target)
        await record(context, 'lane.cancel', { target, detail: { events: result.events } })
        return { status: 200, body: dataEnvelope(result) }
      },
    ),
  ]
}

/** @throws SallyportError `CONFLICT` for a busy lane, `NOT_FOUND` if nothing was changed */
function requireChange({ events, isBusy }: LaneChange): number {
  if (isBusy) throw new SallyportError('CONFLICT', busyHint)
  if (events === 0) throw new SallyportError('NOT_FOUND', noEvent)
  return events
}

async function cancelAll(inbox: Pick<ChangeInbox, 'cancelLane'>, name: string) {
  const startedAt = performance.now()
  const cancel = () => inbox.cancelLane(name, { limit: budget.portion })
  let events = requireChange(await whileBusy(cancel, ({ isBusy }) => isBusy))
  for (let last = events; last === budget.portion;) {
    if (performance.now() - startedAt > budget.ms) return { events, more: true }
    const { events: next, isBusy } = await cancel()
    if (isBusy) return { events, more: true }
    events += last = next
  }
  return { events, more: false }
}
