import {
  answerList,
  createRouteGroup,
  dataEnvelope,
  defineListQuery,
  requireFound,
  type RouteAccess,
  type RouteBinding,
} from '@sallyport/rest'
import type { OperatorInbox } from '@sallyport/webhooks'
import type { ReplayJob, ReplayJobs } from '@sallyport/webhooks/replay-jobs'
import type { GetOperator } from '../access.ts'
import type { RecordAction } from '../audit/record-action.ts'
import { describeCriteria, toFilter } from '../deliveries/criteria.ts'
import { idParams } from '@sallyport/internal/resource-fields'
import { getTimePosition } from '../time-position.ts'
import { replayJobBody, replayJobResource, toReplayJob, type ReplayJobResource } from './schemas.ts'

/** The replay jobs that the routes need. */
type ManagedReplayJobs = Pick<ReplayJobs, 'create' | 'get' | 'list' | 'count' | 'cancel'>

interface ReplayJobRoutesOptions {
  readonly jobs: ManagedReplayJobs
  readonly inbox: Pick<OperatorInbox, 'countDeliveries'>
  readonly getOperator: GetOperator
  readonly record: RecordAction
  readonly read: RouteAccess
  readonly replay: RouteAccess
}

/** A count takes time in proportion to the deliveries. */
const countUpTo = 1_000_000

const unknownJob = 'There is no replay job with this id'

const listQuery = defineListQuery({
  sortable: ['created_at'],
  defaultSort: '-created_at',
  fields: Object.keys(replayJobResource.shape) as (keyof ReplayJobResource)[],
})

/** A job with the columns of cursors. */
interface Row {
  readonly created_at: number
  readonly id: string
  readonly job: ReplayJob
}

/** Creates the routes of replay jobs. */
export function replayJobRoutes({
  jobs,
  inbox,
  getOperator,
  record,
  read,
  replay,
}: ReplayJobRoutesOptions): readonly RouteBinding[] {
  const route = createRouteGroup({ tags: ['deliveries'] })

  return [
    route.post(
      '/replay-jobs',
      {
        operationId: 'createReplayJob',
        tool: {},
        summary: 'Replay the deliveries that match a filter, as a job',
        description:
          'The server replays the deliveries in batches, oldest first, one job at a time. A job survives a restart of the server, and replays each delivery once. `dry_run` of `POST /replays` counts the deliveries before.',
        access: replay,
        body: replayJobBody,
        bodyExample: { status: 'dead', provider: 'codehost' },
        responses: { 202: { description: 'The running job', data: replayJobResource } },
        links: {
          GetReplayJob: { operationId: 'getReplayJob', parameters: { id: '$response.body#/data/id' } },
        },
        idempotencyKey: true,
      },
      async ({ body: { as_new, reprocess, ...criteria } }, context) => {
        const filter = toFilter(criteria)
        const { id, name: createdBy = id } = await getOperator(context.caller)
        const total = await inbox.countDeliveries(filter, { countUpTo })
        const job = await jobs.create({ filter, asNew: as_new, reprocess, total, createdBy })
        await record(context, 'replay_job.create', {
          target: job.id,
          detail: { ...describeCriteria(criteria), as_new, reprocess, total },
        })
        return { status: 202, body: dataEnvelope(toReplayJob(job)) }
      },
    ),
    route.get(
      '/replay-jobs',
      {
        operationId: 'listReplayJobs',
        tool: {},
        summary: 'List replay jobs',
        description: 'Finished jobs are kept for 30 days.',
        access: read,
        query: listQuery,
        responses: { 200: { description: 'A page of jobs', list: replayJobResource } },
      },
      async ({ query }, context) => {
        const [found, total] = await Promise.all([
          jobs.list(getTimePosition(query)),
          query.pagination.kind === 'offset' ? jobs.count() : 0,
        ])
        const rows = found.map((job): Row => ({ created_at: job.createdAt, id: job.id, job }))
        return await answerList(query, context, () => ({ rows, total }), {
          map: ({ job }) => toReplayJob(job),
        })
      },
    ),
    route.get(
      '/replay-jobs/{id}',
      {
        operationId: 'getReplayJob',
        tool: {},
        summary: 'Get a replay job with its progress',
        access: read,
        params: idParams,
        responses: { 200: { description: 'The job', data: replayJobResource } },
        errors: ['NOT_FOUND'],
      },
      async ({ params: { id } }) => ({
        status: 200,
        body: dataEnvelope(toReplayJob(requireFound(await jobs.get(id), unknownJob))),
      }),
    ),
    route.delete(
      '/replay-jobs/{id}',
      {
        operationId: 'cancelReplayJob',
        tool: {},
        summary: 'Cancel a replay job',
        description: 'Replayed deliveries stay replayed. A finished job does not change.',
        access: replay,
        params: idParams,
        responses: { 200: { description: 'The job', data: replayJobResource } },
        errors: ['NOT_FOUND'],
      },
      async ({ params: { id } }, context) => {
        const job = requireFound(await jobs.cancel(id), unknownJob)
        await record(context, 'replay_job.cancel', { target: id, detail: { processed: job.processed } })
        return { status: 200, body: dataEnvelope(toReplayJob(job)) }
      },
    ),
  ]
}
