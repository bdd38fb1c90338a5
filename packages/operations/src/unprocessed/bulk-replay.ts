import { createRouteGroup, dataEnvelope, type RouteAccess, type RouteBinding } from '@sallyport/rest'
import type { ReplayJobs } from '@sallyport/webhooks/replay-jobs'
import type { UnprocessedFilter, UnprocessedStore } from '@sallyport/webhooks/unprocessed'
import { z } from 'zod'
import type { GetOperator } from '../access.ts'
import type { RecordAction } from '../audit/record-action.ts'
import { textField } from '@sallyport/internal/resource-fields'
import { withoutContent } from '@sallyport/internal/without-content'
import { replayJobResource, toReplayJob } from '../replay-jobs/schemas.ts'
import { unprocessedOutcomes } from './schemas.ts'

const route = createRouteGroup({ tags: ['deliveries'] })

const instant = z.iso.datetime({ offset: true })

const criteriaShape = {
  outcome: z.enum(unprocessedOutcomes).optional(),
  provider: textField({ min: 1, max: 200, example: 'codehost' }).optional(),
  endpoint: textField({ min: 1, max: 64, example: '5Xo2aPq0VnTr8hZkWm3uYd' }).optional(),
  kind: textField({ min: 1, max: 1000, example: 'star.created' }).optional(),
  reason: textField({ min: 1, max: 200, example: 'mismatch' }).optional(),
  value: textField({ min: 1, max: 200, example: '72d3162e-cc78-11e3-81ab-4c9367dc0958' }).optional(),
  received_after: instant.optional().meta({ description: 'Exclusive.' }),
  received_before: instant.optional().meta({ description: 'Exclusive.' }),
  all: z.literal(true).optional().meta({ description: 'Selects every kept delivery.' }),
}

const names = Object.keys(criteriaShape) as (keyof typeof criteriaShape)[]

const body = z
  .strictObject(criteriaShape)
  .refine((given) => names.some((name) => given[name] !== undefined), {
    path: ['all'],
    message: 'Name a criterion, such as an outcome or a provider, or set all to true',
  })
  .meta({ id: 'ReplayUnprocessedDeliveries', anyOf: names.map((name) => ({ required: [name] })) })

interface BulkReplayParts {
  readonly store: Pick<UnprocessedStore, 'count'>
  readonly jobs: Pick<ReplayJobs, 'create'>
  readonly getOperator: GetOperator
  readonly record: RecordAction
}

/** Creates the route that processes many ignored and refused deliveries again, as a replay job. */
export function replayAllUnprocessedRoute(
  { store, jobs, getOperator, record }: BulkReplayParts,
  access: RouteAccess,
): RouteBinding {
  return route.post(
    '/unprocessed-deliveries/replays',
    {
      operationId: 'replayUnprocessedDeliveries',
      summary: 'Process the ignored and refused deliveries that match a filter again, as a job',
      description:
        'Verifies refused deliveries with the current secrets, and normalizes ignored ones again, oldest first. Those that are recorded now leave the list. `GET /replay-jobs/{id}` has the progress.',
      access,
      body,
      bodyExample: { outcome: 'refused', provider: 'codehost' },
      responses: { 202: { description: 'The running job', data: replayJobResource } },
      idempotencyKey: true,
    },
    async ({ body: criteria }, context) => {
      const { received_after, received_before, ...members } = criteria
      const given = Object.entries(members).filter(([name, value]) => name !== 'all' && value !== undefined)
      const unprocessed: UnprocessedFilter = {
        ...Object.fromEntries(given),
        ...(received_after !== undefined && { receivedAfter: Date.parse(received_after) }),
        ...(received_before !== undefined && { receivedBefore: Date.parse(received_before) }),
      }
      const { id, name: createdBy = id } = await getOperator(context.caller)
      const total = await store.count(unprocessed)
      const modes = { asNew: false, reprocess: false }
      const job = await jobs.create({ filter: {}, unprocessed, ...modes, total, createdBy })
      await record(context, 'unprocessed.replay_all', {
        target: job.id,
        detail: {
          ...withoutContent(criteria),
          ...{ criteria: names.filter((name) => criteria[name] !== undefined), total },
        },
      })
      return { status: 202, body: dataEnvelope(toReplayJob(job)) }
    },
  )
}
