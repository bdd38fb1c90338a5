import {
  createRouteGroup,
  dataEnvelope,
  requireFound,
  type RouteAccess,
  type RouteBinding,
} from '@sallyport/rest'
import { id, time } from '@sallyport/internal/resource-fields'
import type { Reconciliation, ReconcileOperations } from '@sallyport/webhooks/reconcile'
import { z } from 'zod'
import type { RecordAction } from '../audit/record-action.ts'

const route = createRouteGroup({ tags: ['reconciliations'] })

interface ReconciliationRoutesOptions {
  readonly reconciliations: ReconcileOperations
  readonly record: RecordAction
  readonly read: RouteAccess
  readonly write: RouteAccess
}

const count = z
  .int()
  .nonnegative()
  .meta({ examples: [0] })

const name = z
  .string()
  .max(64)
  .meta({ examples: ['github'] })

const runResource = z
  .object({
    id,
    since: time,
    until: time,
    started_at: time,
    finished_at: time.nullable(),
    dry_run: z.boolean(),
    missed: count.meta({
      description: 'The deliveries or events that the inbox did not have. A dry run only counts them.',
    }),
    recovered: count.meta({ description: 'The events that the run recorded. 0 for redeliveries.' }),
    ids: z.array(z.string()).meta({
      description: 'The first 100 ids of `missed`.',
      examples: [['72d3162e-cc78-11e3-81ab-4c9367dc0958']],
    }),
  })
  .meta({ id: 'ReconciliationRun' })

const reconciliationResource = z
  .object({
    name,
    provider: z.string().meta({ examples: ['github'] }),
    endpoint: z
      .string()
      .nullable()
      .meta({ examples: [null] }),
    mode: z.enum(['redelivery', 'feed']).meta({
      description:
        '`redelivery`: the service sends failed deliveries again. `feed`: its events are recorded as if they had arrived.',
    }),
    state: z.enum(['ok', 'running', 'failing']).meta({
      description: '`running`: a run has begun or was requested. `failing`: the last run failed.',
    }),
    error: z
      .string()
      .nullable()
      .meta({ description: 'The code of the error of the last run.', examples: [null] }),
    failing_since: time.nullable(),
    checked_until: time.nullable().meta({ description: 'Everything before this time was compared.' }),
    recovered: count.meta({ description: 'The deliveries and events that were ever recovered.' }),
    asked: count.meta({ description: 'The redeliveries that were asked for and did not arrive yet.' }),
    abandoned: count.meta({ description: 'The redeliveries that were asked for five times in vain.' }),
    next_run_at: time,
    last_run: runResource.nullable(),
  })
  .meta({ id: 'Reconciliation' })

const reconciliationsResource = z
  .object({ reconciliations: z.array(reconciliationResource) })
  .meta({ id: 'Reconciliations' })

const runBody = z
  .strictObject({
    since: time.optional().meta({
      description: 'The start of the window. By default, the end of the last one.',
      examples: ['2026-11-29T10:00:00.000Z'],
    }),
    dry_run: z.boolean().default(false).meta({ description: 'Whether the run changes nothing.' }),
  })
  .meta({ id: 'RequestReconciliationRun' })

const requestedResource = z
  .object({ id: id.meta({ description: 'The `id` of `last_run` once the run has ended.' }) })
  .meta({ id: 'RequestedReconciliationRun' })

/** Creates the routes that list sources of reconciliation, and request runs. */
export function reconciliationRoutes({
  reconciliations,
  record,
  read,
  write,
}: ReconciliationRoutesOptions): readonly RouteBinding[] {
  return [
    route.get(
      '/reconciliations',
      {
        operationId: 'listReconciliations',
        tool: {},
        summary: 'List the sources of what services could not deliver',
        access: read,
        responses: { 200: { description: 'The sources by name', data: reconciliationsResource } },
      },
      async () => ({
        status: 200,
        body: dataEnvelope({ reconciliations: (await reconciliations.list()).map(toResource) }),
      }),
    ),
    route.post(
      '/reconciliations/{name}/runs',
      {
        operationId: 'requestReconciliationRun',
        tool: {},
        summary: 'Ask for a run of a source',
        description:
          'A process that dispatches begins the run within seconds, in place of an earlier request.',
        access: write,
        params: z.object({ name }),
        body: runBody,
        bodyExample: { since: '2026-11-29T10:00:00.000Z', dry_run: true },
        responses: { 202: { description: 'The requested run', data: requestedResource } },
        errors: ['NOT_FOUND'],
      },
      async ({ params: { name: target }, body: { since, dry_run } }, context) => {
        const run = { ...(since !== undefined && { since: Date.parse(since) }), isDry: dry_run }
        const requested = await reconciliations.request(target, run)
        const runId = requireFound(requested, 'There is no such source')
        await record(context, 'reconciliation.run', { target, detail: { since: since ?? null, dry_run } })
        return { status: 202, body: dataEnvelope({ id: runId }) }
      },
    ),
  ]
}

function toResource(one: Reconciliation): z.infer<typeof reconciliationResource> {
  const { state } = one
  return {
    ...{ name: one.name, provider: one.provider, endpoint: one.endpoint ?? null, mode: one.mode },
    state: getState(one),
    ...{ error: state.error ?? null, failing_since: formatTime(state.failingSince) },
    checked_until: formatTime(state.cursor),
    ...{ recovered: state.recovered, asked: state.asked.length, abandoned: state.abandoned },
    next_run_at: new Date(Date.now() + one.dueMs).toISOString(),
    last_run: state.last ? toRun(state.last) : null,
  }
}

function getState({ state, requested }: Reconciliation): 'ok' | 'running' | 'failing' {
  if (requested) return 'running'
  if (state.error !== undefined) return 'failing'
  return state.open ? 'running' : 'ok'
}

const toRun = (run: NonNullable<Reconciliation['state']['last']>): z.infer<typeof runResource> => ({
  ...{ id: run.id, since: new Date(run.since).toISOString(), until: new Date(run.until).toISOString() },
  started_at: new Date(run.startedAt).toISOString(),
  finished_at: formatTime(run.finishedAt),
  ...{ dry_run: run.isDry, missed: run.missed, recovered: run.recovered, ids: [...run.ids] },
})

const formatTime = (at: number | undefined) => (at === undefined ? null : new Date(at).toISOString())
