import { createRouteGroup, dataEnvelope, type RouteAccess, type RouteBinding } from '@sallyport/rest'
import type { InboxStats, MaybePromise, OperatorInbox } from '@sallyport/webhooks'
import type { ConsumerState, ConsumerStore } from '@sallyport/webhooks/consumer'
import type { ProcessStore } from '@sallyport/webhooks/processes'
import type { Reconciliation, ReconcileOperations } from '@sallyport/webhooks/reconcile'
import { z } from 'zod'
import { time } from '@sallyport/internal/resource-fields'
import { joinHealth } from '../processes/fleet-status.ts'

const route = createRouteGroup({ tags: ['statistics'] })

/** The state of a service that the host needs. */
interface DependencyState {
  readonly name: string
  readonly status: 'ok' | 'unavailable'
  /** A text for operators, without secrets. @default none */
  readonly detail?: string
}

/** The state of the host: its dependencies, and texts for operators. */
export interface Health {
  readonly dependencies: readonly DependencyState[]
  readonly notices: readonly string[]
}

/** Returns the state of the host. */
export type GetHealth = () => MaybePromise<Health>

const count = z
  .int()
  .nonnegative()
  .meta({ examples: [0] })

const statusResource = z
  .object({
    status: z.enum(['ok', 'degraded']).meta({
      description: '`degraded` while a dependency is unavailable, or a role has no living process.',
    }),
    dependencies: z.array(
      z.object({
        name: z.string().meta({ examples: ['inbox'] }),
        status: z.enum(['ok', 'unavailable']),
        detail: z
          .string()
          .nullable()
          .meta({ examples: [null] }),
      }),
    ),
    notices: z.array(z.string()).meta({ description: 'Texts of the server for operators.', examples: [[]] }),
    roles: z
      .array(z.object({ role: z.string().meta({ examples: ['dispatcher'] }), alive: count, dead: count }))
      .nullable()
      .meta({
        description:
          'The living processes of each role, and the dead ones, whose heartbeat is overdue. Null without heartbeats.',
      }),
    counts: z
      .object({
        pending: count,
        queued: count,
        dead: count,
        quarantined: count,
        notifications_pending: count,
        notifications_dead: count,
      })
      .nullable()
      .meta({ description: 'Each count stops at 10,000. Null while the inbox is unavailable.' }),
    oldest_pending_at: time
      .nullable()
      .meta({ description: 'When the oldest delivery with a pending event was received.' }),
    consumers: z
      .object({ pending: count, failing: count, dead_letters: count, oldest_pending_at: time.nullable() })
      .nullable()
      .meta({
        description:
          'The sums of all consumers of the bus in the database. Null without such a bus, and while it is unavailable.',
      }),
    lanes: z
      .object({ open: count, stuck: count, paused: count, oldest_pending_at: time.nullable() })
      .nullable()
      .meta({ description: 'The numbers of lanes. Null without lanes, and while the inbox is unavailable.' }),
    reconciliations: z
      .object({ sources: count, failing: count, recovered: count, asked: count, abandoned: count })
      .nullable()
      .meta({
        description:
          'The sums of all sources of what services could not deliver. Null without sources, and while their states are unavailable.',
      }),
    published: count
      .nullable()
      .meta({ description: 'All events that were ever published. Null while the inbox is unavailable.' }),
  })
  .meta({ id: 'Status' })

type Status = z.infer<typeof statusResource>

export interface StatusOptions {
  readonly inbox: Pick<OperatorInbox, 'stats'>
  readonly consumers: Pick<ConsumerStore, 'list'> | undefined
  readonly processes: Pick<ProcessStore, 'list'> | undefined
  readonly reconciliations?: Pick<ReconcileOperations, 'list'> | undefined
  readonly getHealth: GetHealth | undefined
  /** Texts about this process. */
  readonly getNotices?: (() => readonly string[]) | undefined
}

/** Creates the route of the state of the host and its inbox. */
export function statusRoute(
  { inbox, consumers, processes, reconciliations, getHealth, getNotices }: StatusOptions,
  access: RouteAccess,
): RouteBinding {
  return route.get(
    '/status',
    {
      operationId: 'getStatus',
      tool: {},
      summary: 'Get the state of the dependencies and the numbers of open events',
      access,
      responses: { 200: { description: 'The state', data: statusResource } },
    },
    async () => {
      const [own, stats, states, members, sources] = await Promise.all([
        getHealth?.() ?? { dependencies: [], notices: [] },
        // The page of operators shows the other parts during an outage of the inbox.
        inbox.stats().catch(() => undefined),
        consumers?.list().catch(() => undefined),
        processes?.list().catch(() => undefined),
        reconciliations?.list().catch(() => undefined),
      ])
      const health = joinHealth(own, members ?? [])
      const dependencies = health.dependencies.map(({ name, status, detail }) => {
        return { name, status, detail: detail ?? null }
      })
      const isOk =
        stats !== undefined && !health.isIncomplete && dependencies.every(({ status }) => status === 'ok')
      const status: Status = {
        status: isOk ? 'ok' : 'degraded',
        dependencies,
        notices: [...new Set([...health.notices, ...(getNotices?.() ?? [])])],
        roles: members === undefined ? null : [...health.roles],
        counts: stats
          ? {
              pending: stats.events.pending,
              queued: stats.events.queued,
              dead: stats.events.dead,
              quarantined: stats.quarantined,
              notifications_pending: stats.notifications.pending,
              notifications_dead: stats.notifications.dead,
            }
          : null,
        oldest_pending_at:
          stats?.oldestPendingAt === undefined ? null : new Date(stats.oldestPendingAt).toISOString(),
        consumers: states === undefined ? null : sumConsumers(states),
        lanes: stats?.lanes ? toLanes(stats.lanes) : null,
        reconciliations: sources === undefined ? null : sumReconciliations(sources),
        published: stats?.published ?? null,
      }
      return { status: 200, body: dataEnvelope(status) }
    },
  )
}

const toLanes = ({
  oldestPendingAt,
  ...counts
}: NonNullable<InboxStats['lanes']>): NonNullable<Status['lanes']> => ({
  ...counts,
  oldest_pending_at: oldestPendingAt === undefined ? null : new Date(oldestPendingAt).toISOString(),
})

function sumReconciliations(sources: readonly Reconciliation[]): NonNullable<Status['reconciliations']> {
  const sum = (count: (state: Reconciliation['state']) => number) =>
    sources.reduce((total, { state }) => total + count(state), 0)
  return {
    sources: sources.length,
    failing: sum(({ error }) => Number(error !== undefined)),
    recovered: sum(({ recovered }) => recovered),
    asked: sum(({ asked }) => asked.length),
    abandoned: sum(({ abandoned }) => abandoned),
  }
}

function sumConsumers(states: readonly ConsumerState[]): NonNullable<Status['consumers']> {
  const sum = (field: 'pending' | 'failing' | 'deadLetters') =>
    states.reduce((total, state) => total + state[field], 0)
  const times = states.flatMap(({ oldestPendingAt }) => oldestPendingAt ?? [])
  return {
    pending: sum('pending'),
    failing: sum('failing'),
    dead_letters: sum('deadLetters'),
    oldest_pending_at: times.length === 0 ? null : new Date(Math.min(...times)).toISOString(),
  }
}
