import { runWithTimeout, untilAborted } from '@sallyport/internal/deadline'
import { bisect, createBisectPause } from '../dispatch/bisect.ts'
import { noAnswer, toFailure, type Answers } from '../dispatch/outcome.ts'
import type { WebhookEvent } from '../ports/event.ts'
import type { Publisher, PublishResult } from '../ports/ports.ts'

/** A publisher of a route, which neither rejects nor holds up the publishers beside it. */
export interface Target {
  /** Named in errors. */
  readonly name: string
  /**
   * Publishes events and returns a result for each.
   *
   * @param canBisect whether a rejected batch is bisected, so that one event does not fail the others
   */
  publish(
    events: readonly WebhookEvent[],
    signal: AbortSignal,
    canBisect: boolean,
  ): Promise<readonly PublishResult[]>
}

const slow: PublishResult = {
  ...{ ok: false, retryable: true },
  error: 'The bus is slow: one call at a time is made until it takes an event',
}

/**
 * Creates a target. After a call that takes longer than half of the timeout, the target is slow until it takes an event:
 * one call runs at a time, and the events of the other calls fail at once. Otherwise every batch of the dispatcher would wait
 * for the timeout, and with it the events of the other targets. Fewer rejected batches are bisected over time, until the
 * publisher answers.
 */
export function createTarget(name: string, publisher: Publisher, timeoutMs: number): Target {
  let isSlow = false
  /** The running calls, the oldest first. */
  const running = new Set<AbortController>()
  const pause = createBisectPause(startClock)

  function slowDown(): void {
    isSlow = true
    for (const other of [...running].slice(1)) other.abort()
  }

  async function ask(
    events: readonly WebhookEvent[],
    signal: AbortSignal,
  ): Promise<readonly PublishResult[]> {
    const answers: Answers = await untilAborted(publisher.publish(events, signal), signal)
    const results = events.map((_, index) => readAnswer(answers, index))
    if (results.some(({ ok }) => ok)) isSlow = false
    pause.answered()
    return results
  }

  async function halve(
    events: readonly WebhookEvent[],
    signal: AbortSignal,
    whole: PublishResult,
  ): Promise<readonly PublishResult[]> {
    const results = events.map(() => whole)
    await bisect(events.length, async (from, to) => {
      if (signal.aborted) return 'over'
      try {
        const answers = await ask(events.slice(from, to), signal)
        results.splice(from, answers.length, ...answers)
        return 'answered'
      } catch (error) {
        results.fill(toFailure(error), from, to)
        return 'rejected'
      }
    })
    return results
  }

  return {
    name,
    async publish(events, signal, canBisect) {
      if (isSlow && running.size > 0) return events.map(() => slow)
      const call = new AbortController()
      running.add(call)
      const timer = setTimeout(slowDown, timeoutMs / 2)
      try {
        return await runWithTimeout(timeoutMs, async (late) => {
          const stop = AbortSignal.any([signal, late, call.signal])
          try {
            return await ask(events, stop)
          } catch (error) {
            const failure = toFailure(error)
            const isOver = stop.aborted || failure.retryAfterMs !== undefined
            if (!canBisect || events.length === 1 || isOver || !pause.begin()) throw error
            return halve(events, stop, failure)
          }
        })
      } catch (error) {
        const failure = call.signal.aborted ? slow : toFailure(error)
        return events.map(() => failure)
      } finally {
        clearTimeout(timer)
        running.delete(call)
      }
    },
  }
}

function startClock(): () => number {
  const startedAt = performance.now()
  return () => performance.now() - startedAt
}

/** Without types, a publisher may return fewer or other values. */
function readAnswer(answers: Answers, index: number): PublishResult {
  const answer = answers?.[index]
  return typeof answer?.ok === 'boolean' ? answer : noAnswer
}
