import { createLoop } from '@sallyport/internal/background'
import { untilAborted } from '@sallyport/internal/deadline'
import { checkFunctions, timerOption } from '@sallyport/internal/options'
import { callHook } from '@sallyport/internal/promises'
import { createWakeUps } from '@sallyport/internal/wake-ups'
import type { Message } from '../ports/event.ts'
import { runWithDeadline } from './deadline.ts'
import { createEvaluator, type Finding, type SourceResult } from './evaluate.ts'
import { createSender, type AlertTarget } from './send.ts'
import type { AlertState, AlertStore } from './store.ts'

/** Finds conditions, such as dead letters in an inbox. */
export interface AlertSource {
  readonly name: string
  /**
   * Returns the current conditions. After a rejection, and after one interval of checks without a result, the alerts of the
   * source keep their states. The signal is aborted after that time, and when the alerts stop.
   */
  readonly find: (now: number, signal: AbortSignal) => Promise<readonly Finding[]>
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
  /**
   * Ends the loop after the messages that are being sent, and lets another process take over at once. A running source is
   * not awaited.
   */
  readonly stop: () => Promise<void>
}

const dayMs = 24 * 60 * 60_000

/**
 * Creates alerts: one message to each target when a condition begins, and one when it ends. The message is sent again when
 * the level of the condition rises, and once a day while the condition continues.
 *
 * Processes that share a store send each message once: one of them holds a lease, which it extends after each message, and
 * another takes over after three intervals without a check. A target that fails, or takes longer than one interval for a
 * message, receives its messages later, each at least once. A crash between the response of a target and the write to the
 * store repeats the message, with the same `messageId`.
 *
 * @throws TypeError for a number that is out of range, for a store, source or target without its functions, or for two
 *   targets or sources with one name
 */
export function createAlerts(options: AlertsOptions): Alerts {
  const { store, sources, targets, getLinks, onError, now = Date.now } = options
  const { newId = () => crypto.randomUUID() } = options
  checkFunctions('store', store, 'claim', 'save', 'release')
  checkParts('sources', sources, 'find')
  checkParts('targets', targets, 'send')
  const checkMs = timerOption('checkMs', options.checkMs ?? 15_000)
  const evaluate = createEvaluator({
    targets: targets.map(({ name }) => name),
    holdMs: timerOption('holdMs', options.holdMs ?? 30_000, 0),
    repeatMs: timerOption('repeatMs', options.repeatMs ?? dayMs),
    newId,
  })
  const holder = newId()
  const leaseMs = 3 * checkMs
  const sendAll = createSender({ getLinks, checkMs, onError, now })
  const wakeUps = createWakeUps()
  const loop = createLoop(run)

  async function runSource(source: AlertSource): Promise<SourceResult> {
    const { name } = source
    const { signal: stop } = loop
    try {
      const deadline = { what: 'source', name, milliseconds: checkMs, stop } as const
      const finding = runWithDeadline(deadline, (signal) => source.find(now(), signal))
      return { source: name, findings: await untilAborted(finding, stop) }
    } catch (error) {
      if (!stop.aborted) callHook(onError, name, error)
      return { source: name, findings: undefined }
    }
  }

  /** Targets that were removed receive no message. */
  function withoutFormerTargets(state: AlertState): AlertState {
    const unsent = state.unsent.filter((name) => targets.some((target) => target.name === name))
    return unsent.length === state.unsent.length ? state : { ...state, unsent }
  }

  async function checkOnce(): Promise<void> {
    const stored = await store.claim(holder, leaseMs)
    if (stored === undefined) return
    const results = await Promise.all(sources.map(runSource))
    const states = evaluate(stored, results, now()).map(withoutFormerTargets).filter(isNeeded)
    const isUnchanged = states.length === stored.length && states.every((state) => stored.includes(state))
    if (!isUnchanged && !(await store.save(holder, states))) return
    await sendStates(states)
  }

  async function sendStates(states: readonly AlertState[]): Promise<void> {
    let left = states
    let isHolding = Promise.resolve(true)
    // A save fails once another process has taken the lease. The claim extends the lease for the next message.
    const saveLeft = async () => {
      try {
        return (await store.save(holder, left)) && (await store.claim(holder, leaseMs)) !== undefined
      } catch (error) {
        reportFailure(error)
        return false
      }
    }
    const settle = (target: string, id: string) => {
      left = left.map((state) => (state.id === id ? withoutTarget(state, target) : state)).filter(isNeeded)
      isHolding = isHolding.then((isHeld) => isHeld && saveLeft())
      return isHolding
    }
    await Promise.all(
      targets.map((target) => sendAll(target, states, (id) => settle(target.name, id), loop.signal)),
    )
  }

  function reportFailure(error: unknown): void {
    callHook(onError, 'alerts', error)
  }

  const check = () => checkOnce().catch(reportFailure)

  async function run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await check()
      await wakeUps.pause(checkMs, signal)
    }
    await store.release(holder).catch(reportFailure)
  }

  return { check, start: loop.start, stop: loop.stop }
}

const withoutTarget = (state: AlertState, target: string): AlertState => ({
  ...state,
  unsent: state.unsent.filter((name) => name !== target),
})

/** Reports whether an alert fires, or its end has to be sent. */
const isNeeded = ({ status, unsent }: AlertState): boolean => status === 'firing' || unsent.length > 0

function checkParts(option: string, parts: readonly { readonly name: string }[], method: string): void {
  const given: unknown = parts
  if (!Array.isArray(given)) throw new TypeError(`${option} must be an array`)
  parts.forEach((part: unknown, index) => {
    const path = `${option}[${index}]`
    checkFunctions(path, part, method)
    const { name } = part as { readonly name: unknown }
    if (typeof name !== 'string' || name === '') throw new TypeError(`${path}.name must be a text`)
  })
  if (new Set(parts.map(({ name }) => name)).size < parts.length)
    throw new TypeError(`Two of the ${option} have the same name`)
}
