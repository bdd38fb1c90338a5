import { createHeartbeat, type Heartbeat, type HeartbeatOptions } from '../processes/heartbeat.ts'
import type { ClockWatch } from './clock.ts'
import type { Core } from './core.ts'
import type { WebhookOperations } from './operations.ts'
import type { StartOptions } from './webhooks.ts'

/** How a process appears beside the others that share the database. */
export interface WebhookProcess extends Partial<Pick<HeartbeatOptions, 'version' | 'getHealth'>> {
  /** The roles beside `dispatcher`, which a process that dispatches has. @default `['gateway']` */
  readonly roles?: readonly string[]
}

/** The heartbeat of this process, and the heartbeats of all. */
export interface Processes {
  readonly start: (options?: StartOptions) => void
  readonly stop: () => Promise<void>
  readonly version: string | undefined
  readonly heartbeat: Heartbeat
  readonly operations: NonNullable<WebhookOperations['processes']>
}

/** Opens the heartbeat; undefined without the store. */
export function openProcesses(
  { roles = ['gateway'], getHealth = () => ({ dependencies: [], notices: [] }), ...options }: WebhookProcess,
  { database, onError }: Core,
  clock: Pick<ClockWatch, 'describe'>,
): Processes | undefined {
  const store = database.processes?.()
  if (store === undefined) return undefined
  const heartbeat = createHeartbeat({
    ...options,
    store,
    async getHealth() {
      const health = await getHealth()
      const wrongClock = clock.describe()
      if (wrongClock === undefined) return health
      return { ...health, notices: [...new Set([wrongClock, ...health.notices])], wrongClock }
    },
    onError: (error) => onError(error, 'processes'),
  })
  return {
    version: options.version,
    heartbeat,
    start: ({ dispatch = true } = {}) => {
      heartbeat.start(dispatch ? [...roles, 'dispatcher'] : roles)
    },
    stop: heartbeat.stop,
    operations: { list: store.list, latest: heartbeat.latest },
  }
}
