import { createLoop } from '@sallyport/internal/background'
import { waitAtMost } from '@sallyport/internal/deadline'
import { timerOption } from '@sallyport/internal/options'
import { callHook } from '@sallyport/internal/promises'
import { createWakeUps } from '@sallyport/internal/wake-ups'
import { listBeside } from './list-beside.ts'
import type { Subscriptions } from './options.ts'
import type { SubscriptionStore } from './store.ts'
import { createTargets } from './targets.ts'
import { createVisitor, type SubscriptionParts } from './visitor.ts'

export interface SubscriptionLoop extends Subscriptions {
  /** Removes the subscriptions of an endpoint, and waits at most for `waitMs`. A process continues later. */
  removeOf(endpoint: string, waitMs?: number): Promise<void>
  /** Renews the subscriptions of an endpoint, or those of the address of a provider. */
  renewOf(service: string, endpoint: string | undefined): Promise<void>
  start(): void
  /** Ends the requests. Another process continues. */
  stop(): Promise<void>
}

/** A visit ends before its lease. */
const leaseMs = 300_000
/** Subscriptions that a process visits at the same time. */
const concurrency = 4
/** An endpoint can be created after the start. */
const redeclareMs = 60_000

/**
 * Creates the loop that keeps subscriptions. One process at a time visits a subscription, under a lease: it creates the
 * subscription, renews it after two thirds of its lifetime, and compares it with the service.
 *
 * @throws TypeError for a number out of range, and for two services with one name
 */
export function createSubscriptions(parts: SubscriptionParts): SubscriptionLoop {
  const { store, findAddress, onError, newId = () => crypto.randomUUID() } = parts
  const checkMs = timerOption('checkMs', parts.checkMs ?? 3_600_000)
  const pollMs = timerOption('pollMs', parts.pollMs ?? 5000)
  const services = new Map(parts.services.map((service) => [service.name, service]))
  if (services.size < parts.services.length)
    throw new TypeError('Two of the services of subscriptions have the same name')
  const wakeUps = createWakeUps()
  const visit = createVisitor(parts, services, checkMs)
  const { add, declare } = createTargets({
    store,
    findAddress,
    services,
    newId,
    change,
    wake: () => {
      wakeUps.wake()
    },
  })
  const loop = createLoop(run)

  async function processDue(signal: AbortSignal, endpoint?: string): Promise<number> {
    const token = newId()
    const claimed = await store.claim({
      ...{ token, leaseMs, limit: concurrency },
      ...(endpoint !== undefined && { endpoint }),
    })
    const report = (error: unknown) => {
      callHook(onError, error)
    }
    await Promise.all(claimed.map((record) => visit(record, token, signal).catch(report)))
    return claimed.length
  }

  async function run(signal: AbortSignal): Promise<void> {
    let declareAt = parts.declared === undefined ? Infinity : 0
    while (!signal.aborted) {
      let count = 0
      try {
        if (performance.now() >= declareAt) {
          declareAt = performance.now() + redeclareMs
          await declare(parts.declared ?? [])
          declareAt = Infinity
        }
        count = await processDue(signal)
      } catch (error) {
        callHook(onError, error)
      }
      if (count === 0) await wakeUps.pause(pollMs, signal)
    }
  }

  async function change(...given: Parameters<SubscriptionStore['change']>): Promise<boolean> {
    const count = await store.change(...given)
    wakeUps.wake()
    return count > 0
  }

  return {
    add,
    declare,
    get: (id) => store.get(id),
    list: (query) => store.list(query),
    count: (filter) => store.count(filter),
    renew: (id) => change({ id }),
    remove: (id) => change({ id }, { isRemoving: true }),

    async renewOf(service, endpoint) {
      const found = await listBeside(store, service, endpoint)
      for (const { id } of found) await change({ id })
    },

    async removeOf(endpoint, waitMs = 5000) {
      if (!(await change({ endpoint }, { isRemoving: true }))) return
      const { signal } = loop
      const removing = (async () => {
        while ((await processDue(signal, endpoint)) > 0);
      })()
      await waitAtMost(
        waitMs,
        removing.catch((error: unknown) => {
          callHook(onError, error)
        }),
      )
    },

    start: loop.start,
    stop: loop.stop,
  }
}
