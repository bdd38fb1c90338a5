import { checkFunctions, timerOption } from '@sallyport/internal/options'
import { callHook } from '@sallyport/internal/promises'
import { createWakeUps } from '@sallyport/internal/wake-ups'
import type { Message } from '../ports/event.ts'
import { createEvaluator, type Finding, type SourceResult } from './evaluate.ts'
import type { AlertState, AlertStore } from './store.ts'

/** Finds conditions, such as dead letters in an inbox. */
export interface AlertSource {
  readonly name: string
  /** Returns the current conditions. After a rejection, the alerts of the source keep their states. */
  readonly find: (now: number) => Promise<readonly Finding[]>
}

/** A message about an alert: it began, continues, or ended. */
export interface AlertMessage extends Message {
  /** Unique per message, and equal for each attempt to send it. */
  readonly messageId: string
  /** Equal in all messages about one occurrence of the condition. */
  readonly id: string
  /** Stable, such as `dead_letters`. */
  readonly name: string
  readonly status: 'firing' | 'resolved'
  /** Milliseconds since the epoch. */
  readonly since: number
  /** Milliseconds since the epoch. */
  readonly resolvedAt?: number
}

/** Sends messages about alerts to one place. */
export interface AlertTarget {
  /** Unique among the targets, without secrets, such as `slack`. */
  readonly name: string
  /** Rejects if the message has to be sent again; an error with `retryable: false` drops the message. */
  readonly send: (message: AlertMessage, signal: AbortSignal) => Promise<void>
}

export interface AlertsOptions {
  readonly store: AlertStore
  readonly sources: readonly AlertSource[]
  readonly targets: readonly AlertTarget[]
  /** Links of a message by the name of its alert, such as a page of the console. @default none */
  readonly getLinks?: (name: string) => Message['links']
  /** The interval of checks in milliseconds. @default 15,000 */
  readonly checkMs?: number
  /** How long a condition holds before its alert fires, and is gone before it is resolved, in milliseconds. @default 30,000 */
  readonly holdMs?: number
  /** The interval of reminders about a firing alert in milliseconds. @default one day */
  readonly repeatMs?: number
  /** Called with failures of the store (`alerts`), of a source or of a target, by name. */
  readonly onError?: (name: string, error: unknown) => unknown
  /** Milliseconds since the epoch. @default Date.now */
  readonly now?: () => number
  /** Creates unique ids. @default crypto.randomUUID */
  readonly newId?: () => string
}

/** The loop that evaluates and sends alerts. */
export interface Alerts {
  /** Evaluates and sends once, if this process holds the lease. Never rejects. */
  readonly check: () => Promise<void>
  readonly start: () => void
  /** Ends the loop after the running check, and lets another process take over at once. */
  readonly stop: () => Promise<void>
}

/** What a target may say about a failure. */
interface SendError {
  readonly retryAfterMs?: number
  readonly retryable?: boolean
}

const dayMs = 24 * 60 * 60_000

/** The longest pause before a target that fails receives a message again. */
const maxPauseMs = 15 * 60_000

/**
 * Creates alerts: one message to each target when a condition begins, and one when it ends. The message is sent again when
 * the level of the condition rises, and once a day while the condition continues.
 *
 * Processes that share a store send each message once: one of them holds a lease, and another takes over after
 * three intervals without a check. A target that fails receives its messages later, each at least once. A crash between the
 * response of a target and the write to the store repeats the message, with the same `messageId`.
 *
 * @throws TypeError for a number that is out of range, or for two targets or sources with one name
 *
 * @example
 * ```ts
 * import { memoryInbox } from '@sallyport/webhooks'
 * import { createAlerts, memoryAlertStore, slackAlerts, watchInbox } from '@sallyport/webhooks/alerts'
 *
 * const alerts = createAlerts({
 *   store: memoryAlertStore(),
 *   sources: [watchInbox(memoryInbox())],
 *   targets: [slackAlerts({ url: 'https://hooks.slack.com/services/T0/B0/secret' })],
 * })
 * alerts.start()
 * await alerts.stop()
 * ```
 */
export function createAlerts(options: AlertsOptions): Alerts {
  const { store, sources, targets, getLinks, onError, now = Date.now } = options
  const { newId = () => crypto.randomUUID() } = options
  checkFunctions('store', store, 'claim', 'save', 'release')
  checkNames('sources', sources)
  checkNames('targets', targets)
  const checkMs = timerOption('checkMs', options.checkMs ?? 15_000)
  const evaluate = createEvaluator({
    targets: targets.map(({ name }) => name),
    holdMs: timerOption('holdMs', options.holdMs ?? 30_000, 0),
    repeatMs: timerOption('repeatMs', options.repeatMs ?? dayMs),
    newId,
  })
  const holder = newId()
  const leaseMs = 3 * checkMs
  const pauses = new Map<string, { readonly until: number; readonly waitMs: number }>()
  const wakeUps = createWakeUps()
  let stopping = new AbortController()
  let running: Promise<void> | undefined

  async function runSource({ name, find }: AlertSource): Promise<SourceResult> {
    try {
      return { source: name, findings: await find(now()) }
    } catch (error) {
      callHook(onError, name, error)
      return { source: name, findings: undefined }
    }
  }

  /** Sends all messages of a target in their order, until one fails. Returns the ids of the messages that were sent or refused. */
  async function sendAll(target: AlertTarget, states: readonly AlertState[]): Promise<readonly string[]> {
    const { name } = target
    if (now() < (pauses.get(name)?.until ?? 0)) return []
    const sent: string[] = []
    for (const state of states.filter(({ unsent }) => unsent.includes(name))) {
      try {
        await target.send(createMessage(state, getLinks?.(state.name)), stopping.signal)
        sent.push(state.id)
        pauses.delete(name)
      } catch (error) {
        if (stopping.signal.aborted) break
        callHook(onError, name, error)
        const { retryAfterMs = 0, retryable = true } = Object(error) as SendError
        // The target would refuse the message again, and would receive no other.
        if (!retryable) {
          sent.push(state.id)
          continue
        }
        const waitMs = Math.min(2 * (pauses.get(name)?.waitMs ?? checkMs / 2), maxPauseMs)
        pauses.set(name, { waitMs, until: now() + Math.max(waitMs, Math.min(retryAfterMs, maxPauseMs)) })
        break
      }
    }
    return sent
  }

  async function checkOnce(): Promise<void> {
    const stored = await store.claim(holder, leaseMs)
    if (stored === undefined) return
    const states = evaluate(stored, await Promise.all(sources.map(runSource)), now())
    const isUnchanged = states.length === stored.length && states.every((state) => stored.includes(state))
    if (!isUnchanged && !(await store.save(holder, states))) return
    if (states.every(({ unsent }) => unsent.length === 0)) return

    const sent = new Map(
      await Promise.all(targets.map(async (one) => [one.name, await sendAll(one, states)] as const)),
    )
    const left = states.map((state) => {
      return { ...state, unsent: state.unsent.filter((name) => sent.get(name)?.includes(state.id) === false) }
    })
    const isDone = (state: AlertState) => state.status === 'resolved' && state.unsent.length === 0
    await store.save(
      holder,
      left.filter((state) => !isDone(state)),
    )
  }

  const check = () =>
    checkOnce().catch((error: unknown) => {
      callHook(onError, 'alerts', error)
    })

  async function run({ signal }: AbortController): Promise<void> {
    while (!signal.aborted) {
      await check()
      await wakeUps.pause(checkMs, signal)
    }
    await store.release(holder).catch((error: unknown) => {
      callHook(onError, 'alerts', error)
    })
  }

  return {
    check,
    start() {
      if (running !== undefined) return
      stopping = new AbortController()
      running = run(stopping)
    },
    async stop() {
      stopping.abort()
      await running
      running = undefined
    },
  }
}

function createMessage(state: AlertState, links: Message['links']): AlertMessage {
  const { id, name, status, severity, title, text, since, changedAt } = state
  const common = { messageId: `${id}.${changedAt}`, id, name, status, since, ...(links && { links }) }
  if (status === 'firing') return { ...common, severity, title, text }
  return {
    ...common,
    severity: 'info',
    title: `Resolved: ${title}`,
    text: `The alert fired for ${formatDuration(changedAt - since)}.`,
    resolvedAt: changedAt,
  }
}

const units = [
  { name: 'day', ms: dayMs },
  { name: 'hour', ms: 60 * 60_000 },
  { name: 'minute', ms: 60_000 },
  { name: 'second', ms: 1000 },
] as const

/** Formats a duration with its largest unit, such as `2 hours`. */
export function formatDuration(durationMs: number): string {
  const { name, ms } = units.find((unit) => durationMs >= unit.ms) ?? units[3]
  const count = Math.floor(durationMs / ms)
  return `${count} ${name}${count === 1 ? '' : 's'}`
}

function checkNames(option: string, values: readonly { readonly name: string }[]): void {
  if (new Set(values.map(({ name }) => name)).size < values.length)
    throw new TypeError(`Two of the ${option} have the same name`)
}
