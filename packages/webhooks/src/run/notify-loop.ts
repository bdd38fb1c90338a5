import { notifyEach } from '../dispatch/notify.ts'
import { createWorkLoop, type WorkLoop } from '../dispatch/work-loop.ts'
import type { RunnerOptions } from './runner-options.ts'

const longestTimeoutMs = 5000

/** Creates the loop that notifies operators of handled events; the limits of handlers do not apply to it. */
export function createNotifyLoop(options: RunnerOptions, leaseMs: number): WorkLoop | undefined {
  const { inbox, notifications } = options
  if (notifications === undefined) return undefined
  const timeoutMs = Math.min(longestTimeoutMs, Math.ceil(leaseMs / 2))
  const attempt = notifyEach(notifications, (timeoutMs * 4) / 5)
  return createWorkLoop('notify', inbox, attempt, { ...options, backoff: {}, concurrency: 4, timeoutMs })
}
