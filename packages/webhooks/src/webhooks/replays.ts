import type { Dispatcher } from '../dispatch/dispatcher.ts'
import { createRegistry, createRouting } from '../provider/registry.ts'
import { createReplayer, type ReplayerOptions } from '../operations/replayer.ts'
import type { ReplayerInbox } from '../ports/ports.ts'
import { createReplayJobs, type ReplayJobs } from '../replay-jobs/replay-jobs.ts'
import type { ReplayableUnprocessed } from '../replay-jobs/unprocessed-step.ts'
import type { Core } from './core.ts'
import type { WebhookInbox } from './database.ts'
import { hasMethod } from './has-method.ts'
import type { WebhookOperations } from './operations.ts'
import type { AnyOptions } from './options.ts'

interface ReplayParts extends Pick<ReplayerOptions, 'laneOf' | 'fanOut'> {
  readonly dispatcher: Dispatcher
  readonly unprocessed: ReplayableUnprocessed | undefined
}

/** Opens the replays of operators. An inbox without the methods of a replayer has none. */
export function openReplays(
  { gateway, onQuarantined }: AnyOptions,
  { database, inbox, providers, onError }: Core,
  { dispatcher, laneOf, fanOut, unprocessed }: ReplayParts,
): {
  readonly jobs: ReplayJobs | undefined
  readonly operations: Pick<WebhookOperations, 'replayer' | 'replayJobs'>
} {
  if (!canReplay(inbox)) return { jobs: undefined, operations: {} }
  const routeOf = createRouting(createRegistry(providers), gateway?.queuePilots)
  const replayer = createReplayer({
    ...{ inbox, providers, dispatcher, routeOf, laneOf, fanOut },
    ...(onQuarantined && { onQuarantined }),
  })
  const store = database.replayJobs?.()
  const report = (error: unknown) => onError(error, 'replay jobs')
  const jobs = store && createReplayJobs({ store, inbox, replayer, unprocessed, onError: report })
  return { jobs, operations: { replayer, replayJobs: jobs } }
}

const canReplay = (inbox: WebhookInbox): inbox is WebhookInbox & ReplayerInbox =>
  ['get', 'replay', 'resolve'].every((name) => hasMethod(inbox, name))
