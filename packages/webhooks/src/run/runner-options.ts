import { checkFunctions, integerOption, timerOption } from '@sallyport/internal/options'
import type { Attempt } from '../dispatch/attempt.ts'
import type { Notifications } from '../dispatch/notify.ts'
import type { WorkLoopOptions } from '../dispatch/work-options.ts'
import { checkHandlers } from '../handlers/check-handlers.ts'
import type { HandlerLimits, LimitedEventHandlers } from '../handlers/event-handlers.ts'
import type { WebhookEvent } from '../ports/event.ts'
import type { DispatcherInbox } from '../ports/ports.ts'
import type { AnyProvider } from '../provider/provider.ts'

/** The limits of all handlers. A handler can have limits of its own. */
export interface HandlersOptions extends Omit<HandlerLimits, 'concurrency' | 'timeoutMs'> {
  /** The maximum number of handlers that this process runs at the same time. @default 50 */
  readonly concurrency?: number
  /**
   * The timeout of a run in milliseconds, up to 24 days. At the timeout the signal of the handler aborts, and the attempt
   * fails. The lease of the event is renewed meanwhile.
   *
   * @default 30,000
   */
  readonly timeoutMs?: number
  /**
   * Whether an event without a handler is done, or becomes a dead letter. Processes on one database share events, so another
   * process can have the handler.
   *
   * @default 'ignore'
   */
  readonly unhandled?: 'ignore' | 'refuse'
  /** What happens to a lane after a dead letter: the lane continues, or pauses until an operator resumes it. @default 'continue' */
  readonly onDead?: 'continue' | 'pause'
}

export interface RunnerOptions<Providers extends readonly AnyProvider[] = readonly AnyProvider[]>
  extends HandlersOptions, Pick<WorkLoopOptions, 'leaseMs' | 'pollMs' | 'now' | 'monotonicNow' | 'random'> {
  readonly inbox: DispatcherInbox
  /** Handlers by the name of their event: `{ 'github/push': handler, 'stripe/invoice.paid': { handler, timeoutMs: 600_000 } }`. */
  readonly on: LimitedEventHandlers<NoInfer<Providers>>
  /** The notifier of handled events, and the providers with their notify functions. */
  readonly notifications?: Notifications
  /** Called for each settled attempt. */
  readonly onAttempt?: (attempt: Attempt) => unknown
  /** Called with each error of a handler, such as a timeout, and its event. */
  readonly onHandlerError?: (error: unknown, event: WebhookEvent) => unknown
  /** Called with errors of the inbox; the runner continues. */
  readonly onError?: (error: unknown) => unknown
  /** Runs each handler, for traces: `runHandler` of `createTelemetry`. */
  readonly runHandler?: <T>(event: WebhookEvent, run: () => Promise<T>) => Promise<T>
}

/** Longer than the delay of a unit that waits for a busy handler. */
const minuteMs = 60_000
const hourMs = 3_600_000

/** @throws TypeError that names the option, and for limits that contradict each other */
export function checkRunnerOptions(options: RunnerOptions) {
  const { inbox, leaseMs = 15_000, pollMs = 1000 } = options
  checkFunctions('inbox', inbox, 'claim', 'settle')
  if (inbox.claimLanes) checkFunctions('inbox', inbox, 'settleLanes', 'renew')
  timerOption('leaseMs', leaseMs)
  timerOption('pollMs', pollMs)
  const concurrency = integerOption('concurrency', options.concurrency ?? 50, 1)
  const fixedLeaseMs = inbox.renew ? undefined : leaseMs
  const handlers = checkHandlers(options.on, { ...options, concurrency, fixedLeaseMs })
  const delays = [...handlers.values()].map(({ backoff: { maximumMs = hourMs } }) => maximumMs)
  return { leaseMs, pollMs, concurrency, handlers, longestDelayMs: Math.max(leaseMs, minuteMs, ...delays) }
}
