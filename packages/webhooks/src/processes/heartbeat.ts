import { hostname } from 'node:os'
import { createTicker } from '@sallyport/internal/background'
import { timerOption } from '@sallyport/internal/options'
import { callHook, type MaybePromise } from '@sallyport/internal/promises'

import type { ProcessHealth, ProcessReport, ProcessState, ProcessStore } from './store.ts'

export interface HeartbeatOptions {
  readonly store: ProcessStore
  /** Returns the state of the process for its next heartbeat. @default no dependencies and no notices */
  readonly getHealth?: (() => MaybePromise<ProcessHealth>) | undefined
  readonly version?: string | undefined
  /** The interval in milliseconds. The process is dead after four intervals without a heartbeat. @default 5,000 */
  readonly beatMs?: number
  readonly onError?: (error: unknown) => unknown
}

/** Reports a process to the others that share its database. */
export interface Heartbeat {
  /** Sends a heartbeat at once. Never rejects. */
  readonly beat: () => Promise<void>
  readonly start: (roles: readonly string[]) => void
  /** Deletes the heartbeat of this process. */
  readonly stop: () => Promise<void>
  /** The health in the last heartbeat. */
  readonly health: () => ProcessHealth
  readonly roles: () => readonly string[]
  /**
   * All processes at the last heartbeat, without the health of this one, which is known at once. None while the store is
   * unavailable.
   */
  readonly latest: () => readonly ProcessState[]
}

const none: ProcessHealth = { dependencies: [], notices: [] }

/** Limits of a heartbeat, in entries and characters. */
const limits = { dependencies: 50, notices: 20, text: 500 }

/** @throws TypeError for an interval out of range */
export function createHeartbeat(options: HeartbeatOptions): Heartbeat {
  const { store, getHealth = () => none, version, onError } = options
  const beatMs = timerOption('beatMs', options.beatMs ?? 5000)
  const identity = { id: crypto.randomUUID(), host: hostname(), pid: process.pid, version }
  const startedAt = Date.now()
  let roles: readonly string[] = []
  let health = none
  let latest: readonly ProcessState[] = []
  let running: Promise<void> | undefined

  async function send(): Promise<void> {
    try {
      health = withLimits(await getHealth())
      const report: ProcessReport = { ...identity, roles, startedAt, ...health }
      await store.save(report, 4 * beatMs)
      latest = (await store.list()).map((one) => (one.id === identity.id ? { ...one, ...none } : one))
    } catch (error) {
      latest = []
      callHook(onError, error)
    }
  }

  const beat = () => (running ??= send().finally(() => (running = undefined)))
  const ticker = createTicker(beatMs, beat)

  return {
    beat,
    start(given) {
      if (ticker.isRunning) return
      roles = [...new Set(given)].sort()
      ticker.start()
      void beat()
    },
    async stop() {
      if (!ticker.isRunning) return
      ticker.stop()
      await running
      await store.remove(identity.id).catch((error: unknown) => {
        callHook(onError, error)
      })
    },
    health: () => health,
    roles: () => roles,
    latest: () => latest,
  }
}

const withLimits = ({ dependencies, notices, wrongClock }: ProcessHealth): ProcessHealth => ({
  dependencies: dependencies.slice(0, limits.dependencies).map((one) => {
    return one.detail === undefined ? one : { ...one, detail: one.detail.slice(0, limits.text) }
  }),
  notices: notices.slice(0, limits.notices).map((text) => text.slice(0, limits.text)),
  ...(wrongClock !== undefined && { wrongClock: wrongClock.slice(0, limits.text) }),
})
