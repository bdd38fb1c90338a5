import { callHook } from '@sallyport/internal/promises'
import type { Message } from '../ports/event.ts'
import { runWithDeadline } from './deadline.ts'
import { createMessage, type AlertMessage } from './message.ts'
import type { AlertState } from './store.ts'

/** Sends messages about alerts to one place. */
export interface AlertTarget {
  /** Unique among the targets, without secrets, such as `slack`. */
  readonly name: string
  /** Rejects if the message has to be sent again; an error with `retryable: false` drops the message. */
  readonly send: (message: AlertMessage, signal: AbortSignal) => Promise<void>
}

export interface SenderOptions {
  readonly getLinks: ((name: string) => Message['links']) | undefined
  /** The interval of checks, and the deadline of one message, in milliseconds. */
  readonly checkMs: number
  readonly onError: ((name: string, error: unknown) => unknown) | undefined
  readonly now: () => number
}

/**
 * Sends the messages of a target in their order, until one fails or `settle` returns false. `settle` is called with the id
 * of each state whose message was sent, or refused for good.
 */
export type SendAll = (
  target: AlertTarget,
  states: readonly AlertState[],
  settle: (id: string) => Promise<boolean>,
  stop: AbortSignal,
) => Promise<void>

/** The facts about a failure that a target may return. */
interface SendError {
  readonly retryAfterMs?: number
  readonly retryable?: boolean
}

/** The longest pause before a target that fails receives a message again. */
const maxPauseMs = 15 * 60_000

/** Creates the function that sends messages, and leaves a target alone for a while after a failure. */
export function createSender({ getLinks, checkMs, onError, now }: SenderOptions): SendAll {
  const pauses = new Map<string, { readonly until: number; readonly waitMs: number }>()

  /** Returns whether the target needs the message no more. */
  async function sendOne(target: AlertTarget, state: AlertState, stop: AbortSignal): Promise<boolean> {
    const { name } = target
    try {
      const message = createMessage(state, getLinks?.(state.name))
      const deadline = { what: 'target', name, milliseconds: checkMs, stop } as const
      await runWithDeadline(deadline, (signal) => target.send(message, signal))
      pauses.delete(name)
      return true
    } catch (error) {
      if (stop.aborted) return false
      callHook(onError, name, error)
      const { retryAfterMs = 0, retryable = true } = Object(error) as SendError
      // The target would refuse the message again, and would receive no other.
      if (!retryable) return true
      const waitMs = Math.min(2 * (pauses.get(name)?.waitMs ?? checkMs / 2), maxPauseMs)
      pauses.set(name, { waitMs, until: now() + Math.max(waitMs, Math.min(retryAfterMs, maxPauseMs)) })
      return false
    }
  }

  return async (target, states, settle, stop) => {
    const { name } = target
    if (now() < (pauses.get(name)?.until ?? 0)) return
    for (const state of states) {
      if (!state.unsent.includes(name)) continue
      if (!(await sendOne(target, state, stop)) || !(await settle(state.id))) return
    }
  }
}
