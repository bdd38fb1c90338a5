import { createRouteGroup, dataEnvelope, type RouteAccess, type RouteBinding } from '@sallyport/rest'
import type { DeliveryFilter, DeliveryPosition, Eraser, Erasure } from '@sallyport/webhooks'
import { z } from 'zod'
import type { RecordAction } from '../audit/record-action.ts'
import {
  anyCriterion,
  criteriaShape,
  describeCriteria,
  hasCriterion,
  requireCriterion,
  toFilter,
} from './criteria.ts'
import { decodePosition, encodePosition } from './position.ts'
import { whileBusy } from './while-busy.ts'

const route = createRouteGroup({ tags: ['deliveries'] })

const eraseBody = z
  .strictObject({
    ...criteriaShape,
    dry_run: z
      .boolean()
      .default(false)
      .meta({ description: 'Counts what the erasure would change, and erases nothing.' }),
    cursor: z.string().max(2048).default('').meta({ description: '`next` of the previous response.' }),
  })
  .refine(hasCriterion, requireCriterion)
  .meta({ id: 'EraseDeliveries', anyOf: anyCriterion })

const count = z.int().min(0)

const erasureResource = z
  .object({
    deliveries: count.meta({ description: 'How many deliveries are erased.', examples: [12] }),
    cancelled: count.meta({ description: 'How many of their events were pending.', examples: [0] }),
    unprocessed: count.meta({
      description: 'How many ignored and refused deliveries are erased.',
      examples: [1],
    }),
    busy: count.meta({
      description:
        'How many deliveries stay, because an attempt runs or an event is queued: send the request again later.',
      examples: [0],
    }),
    next: z
      .string()
      .nullable()
      .meta({ description: 'Send it as `cursor`, with the same filter, for the rest.', examples: [null] }),
  })
  .meta({ id: 'Erasure' })

const budgetMs = 5000

function eraseAll(
  eraser: Pick<Eraser, 'erase'>,
  filter: DeliveryFilter,
  options: { readonly after: DeliveryPosition | undefined; readonly dryRun: boolean },
): Promise<Erasure> {
  const total = { deliveries: 0, cancelled: 0, unprocessed: 0 }
  async function erase(): Promise<Erasure> {
    const batch = await eraser.erase(filter, { ...options, forMs: budgetMs })
    for (const name of ['deliveries', 'cancelled', 'unprocessed'] as const) total[name] += batch[name]
    return { ...batch, ...total }
  }
  return whileBusy(erase, ({ busy, next }) => busy > 0 && next === undefined && !options.dryRun)
}

/** Creates the route that erases the deliveries that match a filter. */
export function eraseDeliveriesRoute(
  eraser: Pick<Eraser, 'erase'>,
  access: RouteAccess,
  record: RecordAction,
): RouteBinding {
  return route.post(
    '/erasures',
    {
      operationId: 'eraseDeliveries',
      summary: 'Erase the deliveries that match a filter',
      description:
        'Cancels their pending events and notifications. Then erases the body, the headers, the query, and the data, the subjects and the errors of the events, oldest first. Ids and names stay, so that a redelivery is a duplicate. ' +
        'A filter of a value, a provider, an endpoint and times also erases ignored and refused deliveries. To erase a customer, delete its endpoint first. ' +
        'A `value` finds the data of a person, such as an e-mail address at a search path; `dry_run` counts the deliveries before. ' +
        'A request does as much as it can within seconds; `next` is for the rest. Copies outside of the inbox stay, as for one delivery.',
      access,
      body: eraseBody,
      bodyExample: { endpoint: '5Xo2aPq0VnTr8hZkWm3uYd' },
      responses: { 200: { description: 'The number of erased deliveries', data: erasureResource } },
    },
    async ({ body: { cursor, dry_run: dryRun, ...criteria } }, { cursors, ...context }) => {
      if (cursors === undefined)
        throw new TypeError('An erasure has cursors: set secrets or cursors of the API')
      const filter = toFilter(criteria)
      const binding = JSON.stringify(['erasures', dryRun, filter])
      const after = cursor === '' ? undefined : decodePosition(cursors, cursor, binding)
      const { next, ...counts } = await eraseAll(eraser, filter, { after, dryRun })
      const body = dataEnvelope({ ...counts, next: next ? encodePosition(cursors, next, binding) : null })
      if (dryRun) return { status: 200, body }
      await record(context, 'deliveries.erase', { detail: { ...describeCriteria(criteria), ...counts } })
      return { status: 200, body }
    },
  )
}
